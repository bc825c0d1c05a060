# The image of crm: the packed package with the exact dependencies of package-lock.json, on Node 24, as a user without rights.
# docs/docker.md says how to run it.

FROM node:24-slim AS package
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# No install script is needed to build, and the one of "node" would fetch the Node that is here already.
RUN npm ci --ignore-scripts
COPY . .
RUN npm pack --pack-destination /tmp
WORKDIR /opt/crm
RUN tar -xzf /tmp/crm-*.tgz --strip-components=1 && cp /build/package-lock.json /build/.npmrc ./
# Optional is only that Node; better-sqlite3 brings its program for every platform along.
RUN npm ci --omit=dev --omit=optional --ignore-scripts && rm package-lock.json .npmrc

FROM node:24-slim
COPY --from=package /opt/crm /opt/crm
# A new volume takes owner and mode from the folder in the image.
RUN ln -s /opt/crm/bin/crm.js /usr/local/bin/crm && install -d -o node -g node -m 0700 /data
ENV NODE_ENV=production CRM_HOST=0.0.0.0 CRM_DATA_DIR=/data
USER node
# crm.config.json and .env are read from the working directory, and files to import are named from it.
WORKDIR /data
VOLUME /data
EXPOSE 3000
# Asks this container itself: without --url it would ask CRM_BASE_URL, which is how the world reaches it.
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s --start-interval=2s \
  CMD crm health --url "http://127.0.0.1:${CRM_PORT:-3000}"
# Starts a graceful stop.
STOPSIGNAL SIGTERM
ENTRYPOINT ["crm"]
CMD ["serve"]
