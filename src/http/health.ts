/** /healthz: the process is alive. /readyz: it can serve; only the database and its schema decide that. */
import { jsonAnswer } from "./answer.ts";
import { route } from "./route.ts";
import type { Route } from "./route.ts";

export interface Readiness {
  readonly database: "ok" | "unavailable";
  readonly schema: "ok" | "behind" | "ahead" | "unknown";
  /** When a worker last said that it is alive; reported, never decisive. */
  readonly worker_seen_at: string | null;
}

export function healthRoutes(probe: () => Promise<Readiness>): Route[] {
  return [
    route({
      method: "GET",
      path: "/healthz",
      summary: "Says that the process is alive.",
      serve: async () => jsonAnswer(200, '{"status":"ok"}', { "cache-control": "no-store" }),
    }),
    route({
      method: "GET",
      path: "/readyz",
      summary: "Says whether the database answers and its schema is the one this version needs.",
      async serve() {
        const readiness = await probe();
        const ready = readiness.database === "ok" && readiness.schema === "ok";
        const body = JSON.stringify({ status: ready ? "ready" : "not_ready", ...readiness });
        return jsonAnswer(ready ? 200 : 503, body, {
          "cache-control": "no-store",
          ...(ready ? {} : { "retry-after": "1" }),
        });
      },
    }),
  ];
}
