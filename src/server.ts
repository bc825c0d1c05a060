/** The HTTP side of the composition: hands the kit what it knows nothing of, and listens. */
import { createRoutes, endpoints } from "./endpoints.ts";
import { createApp } from "./http/app.ts";
import { createAddressReader } from "./http/client-address.ts";
import type { Readiness } from "./http/health.ts";
import { startListener } from "./http/connection/listener.ts";
import { toOpenApi } from "./http/documents/openapi.ts";
import { createRateLimiter } from "./http/rate-limit.ts";
import { toNullableTimestamp } from "./kit/timestamp.ts";
import type { Service } from "./service.ts";
import { readWorkerSeen } from "./storage/installation/installation.ts";
import { createKeyAuthentication } from "./tenancy/api-keys/api-key.authentication.ts";
import { findPlace } from "./tenancy/locations/location.queries.ts";

export interface Server {
  readonly url: string;
  /** Answers what was begun, writes down what is remembered, and resolves. */
  close(): Promise<void>;
}

/** Failed authentications per address: generous, since a valid credential never pays for them. */
const failureLimit = { requests: 300, seconds: 60 };

/** How often the last uses of API keys are written down, in milliseconds. */
const lastUsedInterval = 5000;

/** Listens at `host` and `port`. Throws EADDRINUSE and its like as Node does. */
export async function startServer(
  service: Service,
  { host, port, version }: { host: string; port: number; version: string },
): Promise<Server> {
  const { settings, clock, database, callAs, log } = service;
  const keys = createKeyAuthentication({ database, clock });
  let openApi = "";

  const handler = createApp({
    endpoints,
    routes: createRoutes({ readiness: () => probe(service), openApi: () => openApi }),
    context: {
      authenticate: keys.authenticate,
      locate: (identity, id) => findPlace(database, identity.workspaceId, identity.locationIds, id),
      callAs,
      spend: createRateLimiter(settings.rateLimit, clock),
      spendFailure: createRateLimiter(settings.rateLimit === null ? null : failureLimit, clock),
      bodyLimit: settings.bodyLimit,
      report: (error, request) =>
        log.error("a request failed", {
          request_id: request.id,
          method: request.method,
          path: request.template,
          error,
        }),
    },
    addressOf: createAddressReader(settings.trustedProxies),
    answered: (request, status) =>
      log.debug("answered", { request_id: request.id, method: request.method, path: request.template, status }),
  });

  const listener = await startListener(handler, {
    host,
    port,
    refusedUnread: ({ requestId, code }) => log.debug("refused before it was read", { request_id: requestId, code }),
  });
  service.listensAt(listener.url);
  openApi = JSON.stringify(toOpenApi(endpoints, { version, serverUrl: settings.baseUrl ?? listener.url }));
  const noting = setInterval(
    () => void keys.flushLastUsed().catch((error: unknown) => log.warn({ error })),
    lastUsedInterval,
  );

  return {
    url: listener.url,
    async close() {
      try {
        await listener.close();
      } finally {
        clearInterval(noting);
      }
      await keys.flushLastUsed().catch((error: unknown) => log.warn({ error }));
    },
  };
}

async function probe({ database, schemaState }: Service): Promise<Readiness> {
  try {
    const { pending, unknown } = await schemaState();
    const seen = await readWorkerSeen(database.reserve);
    const schema = unknown.length > 0 ? "ahead" : pending.length > 0 ? "behind" : "ok";
    return { database: "ok", schema, worker_seen_at: toNullableTimestamp(seen?.getTime() ?? null) };
  } catch {
    return { database: "unavailable", schema: "unknown", worker_seen_at: null };
  }
}
