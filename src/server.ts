/** The HTTP side of the composition: listens, and passes the kit its dependencies. */
import type { RequestListener } from "node:http";
import type { ConsolaInstance } from "consola/core";
import type { Settings } from "../config/settings.ts";
import { readNewestBackup } from "./backup/backup-record.ts";
import { documentedEvents } from "./crm/event-log/event.samples.ts";
import { databaseFor } from "./events/read-queue.ts";
import { createTakeMail } from "./crm/conversations/inbound/take-mail.ts";
import { createMailParser } from "./mail/parsing/mail-parser.ts";
import { createHttpHandler } from "./http/app.ts";
import { createAddressReader } from "./http/request/client-address.ts";
import { createResponseCompression } from "./http/response/compression.ts";
import { createCrossOrigin } from "./http/response/cross-origin.ts";
import { unknownReadiness } from "./http/health.ts";
import type { Readiness } from "./http/health.ts";
import { startListener } from "./http/connection/listener.ts";
import type { Patience } from "./http/connection/listener.ts";
import type { EndpointContext } from "./http/serve-endpoint.ts";
import { attendTls, openTls } from "./http/connection/tls-listener.ts";
import type { TlsSettings } from "./http/connection/tls-listener.ts";
import { toOpenApi } from "./http/documents/openapi.ts";
import type { Authenticate } from "./http/credential.ts";
import { createRateLimiter } from "./http/budget/rate-limit.ts";
import type { RateLimit, RateLimiter } from "./http/budget/rate-limit.ts";
import { Unavailable } from "./vocabulary/errors.ts";
import { limits } from "./vocabulary/limits.ts";
import { createTally } from "./http/budget/tally.ts";
import type { Tally } from "./http/budget/tally.ts";
import { createStarting } from "./http/starting.ts";
import type { Clock } from "./kit/time/clock.ts";
import { traceIdOf } from "./kit/observing/trace-context.ts";
import { toNullableTimestamp } from "./kit/time/timestamp.ts";
import { createLiveHub } from "./pages/live/live-hub.ts";
import type { LiveHub, LiveTimes } from "./pages/live/live-hub.ts";
import { createMetrics } from "./metrics/metrics.ts";
import type { Metrics, MetricsExchange } from "./metrics/metrics.ts";
import { prepareAssets } from "./pages/assets.ts";
import { showMissingAddress } from "./pages/missing-address.ts";
import { createTokenAuthentication } from "./marketplace/oauth/tokens/access-token.authentication.ts";
import { endpoints } from "./operations.ts";
import { createRoutes, routeDocuments } from "./routes.ts";
import type { Service } from "./service.ts";
import { readWorkerSeen } from "./storage/installation/installation.ts";
import { DatabaseError } from "./storage/open-faults.ts";
import { createKeyAuthentication } from "./tenancy/api-keys/api-key.authentication.ts";
import { findOldestDue } from "./webhooks/deliveries/hook-queue.ts";
import { createCodeAttempts, createLinkRequests, createSignInAttempts } from "./tenancy/sessions/attempts.ts";
import { findOnlyLocation, findVisibleLocation } from "./tenancy/locations/location.queries.ts";

export interface Server {
  /** Its URL, without a trailing slash. */
  readonly url: string;
  /** Serves requests with `service`, which must outlive this server. */
  serve(service: Service): void;
  /** Finishes requests in progress, saves buffered data, and resolves; may be called repeatedly. */
  close(): Promise<void>;
}

type ListenSettings = Pick<Settings, "port" | "logRequests"> & TlsSettings;

/** Limit of failed authentications per address: generous, since valid credentials never count. */
const failureLimit = { requests: 300, seconds: 60 };

/** How often the last uses of API keys are saved, in milliseconds. */
const lastUsedInterval = 5000;

interface ServerOptions {
  readonly version: string;
  readonly log: ConsolaInstance;
  /** Default: requests are counted in this process only. */
  readonly limiter?: Limiter | undefined;
  /** The same for sign-in attempts. */
  readonly tally?: Tally | undefined;
  /** In a cluster: resolves when every connection dispatched to this process has arrived. */
  readonly arrived?: (() => Promise<void>) | undefined;
  /** In a cluster: resolves when none of the processes that stop listens any more. */
  readonly allClosed?: (() => Promise<void>) | undefined;
  /** Shutdown timeouts; default: those of the listener. */
  readonly patience?: Partial<Patience> | undefined;
  /** How often live streams look; default: those of src/pages/live/live-hub.ts. */
  readonly liveTimes?: Partial<LiveTimes> | undefined;
  /** In a cluster: the metrics of the other processes. */
  readonly metrics?: MetricsExchange | undefined;
}

/**
 * Listens immediately, so that an unavailable address is reported before anything is created, and responds with 503
 * until the service is ready, unless `ready` is given. Throws one sentence if it cannot listen.
 */
export async function startServer(
  settings: ListenSettings,
  { version, log, limiter, tally, arrived, allClosed, patience, liveTimes, metrics: exchange }: ServerOptions,
  ready?: Service,
): Promise<Server> {
  const { host, port, logRequests } = settings;
  const heard = logRequests ? log.info : log.debug;
  let forget = async () => {};
  let live: LiveHub | undefined;
  function toHandler(service: Service): RequestListener {
    const keys = createKeyAuthentication(service);
    const byToken = createTokenAuthentication(service);
    const authenticate: Authenticate = (token, next) =>
      token.startsWith("crm_at_") ? byToken(token, next) : keys.authenticate(token, next);
    const write = () =>
      keys
        .flushLastUsed()
        .catch((error: unknown) => log.warn("the last uses of API keys could not be saved", { error }));
    const noting = setInterval(() => void write(), lastUsedInterval);
    forget = async () => {
      clearInterval(noting);
      await write();
    };
    live = createLiveHub({ database: service.database, log, times: liveTimes });
    const metrics = createMetrics({ ...service, version, exchange });
    return createHandler(service, { version, authenticate, heard, limiter, tally, live, metrics });
  }

  const tls = await openTls(settings);
  const starting = createStarting();
  const listener = await startListener(ready === undefined ? starting.answer : toHandler(ready), {
    host,
    port,
    arrived,
    allClosed,
    patience,
    tls: tls?.pair,
    refusedUnread: ({ code, status, requestId }) =>
      heard("refused before it was read", { status, code, request_id: requestId }),
  });
  const leaveTls =
    tls &&
    (await attendTls(listener, tls, { settings, log }).catch(async (error: unknown) => {
      await listener.close();
      throw error;
    }));
  /** Assets are compressed once startup is done. */
  const prepare = () =>
    void setImmediate(
      () => void prepareAssets().catch((error: unknown) => log.warn("the assets could not be prepared", { error })),
    );
  if (ready !== undefined) prepare();
  let closed: Promise<void> | undefined;
  async function close(): Promise<void> {
    try {
      // First: an open stream would hold the server up to its timeout. Browsers reconnect some seconds later.
      await live?.close();
      await Promise.all([listener.close(), leaveTls?.()]);
    } finally {
      await forget();
    }
  }

  return {
    url: listener.url,
    serve(service) {
      const handler = toHandler(service);
      listener.serve(handler);
      starting.release(handler);
      prepare();
    },
    close: () => (closed ??= close()),
  };
}

/** Creates a rate limiter for the purpose `name`. */
export type Limiter = (name: string, limit: Settings["rateLimit"], clock: Clock) => RateLimiter;

const countHere: Limiter = (_name, limit, clock) => createRateLimiter(limit, clock);

interface Served {
  readonly version: string;
  readonly authenticate: Authenticate;
  /** Logs every response. */
  readonly heard: (message: string, fields: object) => void;
  readonly limiter?: Limiter | undefined;
  readonly tally?: Tally | undefined;
  readonly live: LiveHub;
  /** Undefined where they are off. */
  readonly metrics: Metrics | undefined;
}

function createHandler(
  service: Service,
  { version, authenticate, heard, limiter = countHere, tally = createTally(service.clock), live, metrics }: Served,
): RequestListener {
  const { settings, clock, database, callAs, log } = service;
  // Relative to the URL of the document: behind a proxy or in a container this process may not know its address.
  const described = { endpoints, routes: routeDocuments, events: documentedEvents() };
  const describe = () => JSON.stringify(toOpenApi(described, { version, serverUrl: settings.baseUrl ?? "/" }));
  // Created on first use, not at startup.
  let openApi: string | undefined;
  const limitRequests = limiter("requests", settings.rateLimit, clock);
  const limitFailures = limiter("failures", settings.rateLimit === null ? null : failureLimit, clock);
  const limitTokens = limiter("tokens", settings.rateLimit === null ? null : limits.oauth.tokenRequests, clock);
  const counted = (name: string, limit: RateLimit): RateLimiter => limiter(name, limit, clock);
  const mails = createMailParser();
  const report: EndpointContext["report"] = (error, request) =>
    log.error("a request failed", { request_id: request.id, method: request.method, path: request.template, error });
  const context: EndpointContext = {
    authenticate,
    locate: (identity, id) =>
      findVisibleLocation(databaseFor(database, identity), identity.workspaceId, identity.locationIds, id),
    callAs,
    deps: service.deps,
    limitRequests,
    limitFailures,
    bodyLimit: settings.bodyLimit,
    report,
  };
  return createHttpHandler({
    endpoints,
    routes: createRoutes({
      version,
      baseUrl: settings.baseUrl,
      database,
      clock,
      callAs,
      operating: service.deps,
      links: service.tools.links,
      signedIds: service.tools.signedIds,
      vault: service.tools.vault,
      attempts: {
        signIn: createSignInAttempts(tally),
        code: createCodeAttempts(tally),
        link: createLinkRequests(counted),
        failed: (factor) => void (service.counts.failedSignIns[factor] += 1),
      },
      mailer: service.mailer,
      stripe: service.stripe,
      graceDays: settings.billingGraceDays,
      log,
      live,
      readiness: () => probe(service),
      openApi: () => (openApi ??= describe()),
      inbound: {
        rows: database,
        callAs,
        limitRequests,
        limitFailures,
        mails,
        takeMail: createTakeMail({ callAs, blobs: service.blobs, mails, log }),
        blobs: service.blobs,
        mailLimit: settings.mailLimit,
        bodyLimit: settings.bodyLimit,
      },
      attachments: { rows: database, tools: service.tools, blobs: service.blobs, limitFailures },
      scraping: { settings, metrics },
      agents: {
        ...context,
        version,
        endpoints,
        links: service.tools.links,
        origins: settings.corsOrigins,
        locateOnly: (identity) =>
          findOnlyLocation(databaseFor(database, identity), identity.workspaceId, identity.locationIds),
      },
      budgets: { limitRequests, limitFailures, limitTokens },
    }),
    context,
    missing: showMissingAddress(service.tools.links, settings.baseUrl),
    addressOf: createAddressReader(settings.trustedProxies),
    crossOrigin: settings.corsOrigins.length === 0 ? undefined : createCrossOrigin(settings.corsOrigins),
    observe: metrics?.observe,
    compress: createResponseCompression(settings.compression),
    answered: (request, status, milliseconds) =>
      heard("answered", {
        method: request.method,
        path: request.template,
        status,
        duration_ms: Math.round(milliseconds * 10) / 10,
        key_id: request.actor?.type === "api_key" ? request.actor.id : null,
        request_id: request.id,
        ...(request.trace === undefined ? {} : { trace_id: traceIdOf(request.trace) }),
      }),
  });
}

async function probe({ database, schemaState, clock }: Service): Promise<Readiness> {
  try {
    const { pending, unknown } = await schemaState();
    const schema = unknown.length > 0 ? "ahead" : pending.length > 0 ? "behind" : "ok";
    // An outdated schema may lack the tables.
    const seen = schema === "behind" ? null : await readWorkerSeen(database.reserve);
    const due = schema === "ok" ? await findOldestDue(database.reserve, clock.now()) : null;
    const backup = await readNewestBackup(database.reserve);
    return {
      database: "ok",
      schema,
      writes: (await database.writeFault()) ?? "ok",
      worker_seen_at: toNullableTimestamp(seen?.getTime() ?? null),
      oldest_due_delivery_at: toNullableTimestamp(due?.getTime() ?? null),
      last_backup_at: toNullableTimestamp(backup.takenAt?.getTime() ?? null),
      last_backup_bytes: backup.bytes,
    };
  } catch (error) {
    // Any other error is a defect, which is reported and answered as such.
    if (!(error instanceof Unavailable) && !(error instanceof DatabaseError)) throw error;
    return { ...unknownReadiness, database: "unavailable" };
  }
}
