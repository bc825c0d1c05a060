/** The small HTTP server of a `crm worker`: /metrics, and /healthz for its service manager. */
import type { ConsolaInstance } from "consola/core";
import type { Settings } from "../../config/settings.ts";
import type { CallAs } from "../events/call-as.ts";
import { createHttpHandler } from "../http/app.ts";
import { createRateLimiter } from "../http/budget/rate-limit.ts";
import { startListener } from "../http/connection/listener.ts";
import type { Listener } from "../http/connection/listener.ts";
import { aliveAnswer } from "../http/health.ts";
import { createAddressReader } from "../http/request/client-address.ts";
import { route } from "../http/route.ts";
import type { Clock } from "../kit/time/clock.ts";
import type { WorkCounts } from "../kit/observing/work-counts.ts";
import type { OperationDeps } from "../operation/carry-out.ts";
import type { Database } from "../storage/database.ts";
import { createMetrics } from "./metrics.ts";
import { metricsRoutes } from "./metrics.routes.ts";

interface MetricsServerDeps {
  readonly settings: Pick<Settings, "host" | "trustedProxies" | "metricsToken" | "metrics">;
  readonly database: Database;
  readonly counts: WorkCounts;
  readonly clock: Clock;
  readonly callAs: CallAs;
  readonly deps: OperationDeps;
  readonly log: ConsolaInstance;
}

/** Wrong tokens per address. */
const failureLimit = { requests: 300, seconds: 60 };

/** Throws one sentence if it cannot listen. */
export async function startMetricsServer(
  { settings, database, counts, clock, callAs, deps, log }: MetricsServerDeps,
  { version, port }: { readonly version: string; readonly port: number },
): Promise<Listener> {
  const metrics = createMetrics({ settings, version, database, counts, clock });
  const limitFailures = createRateLimiter(failureLimit, clock);
  const handler = createHttpHandler({
    // It serves no operation.
    endpoints: [],
    routes: [
      route({ method: "GET", path: "/healthz", summary: "Liveness.", serve: async () => aliveAnswer }),
      ...metricsRoutes({ settings, metrics, limitFailures }),
    ],
    context: {
      authenticate: async () => ({ why: "This server has no API." }),
      locate: async () => undefined,
      callAs,
      deps,
      limitRequests: () => undefined,
      limitFailures,
      bodyLimit: 0,
      report: (error, request) =>
        log.error("a request failed", { request_id: request.id, path: request.template, error }),
    },
    addressOf: createAddressReader(settings.trustedProxies),
    observe: metrics?.observe,
    answered: () => {},
  });
  return startListener(handler, { host: settings.host, port, refusedUnread: () => {} });
}
