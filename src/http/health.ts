/** /healthz: the process is alive. /readyz: it can serve; only the database, its schema and whether it takes writes decide that. */
import { jsonAnswer } from "./answer.ts";
import type { TextAnswer } from "./answer.ts";
import { route } from "./route.ts";
import type { Route } from "./route.ts";

export interface Readiness {
  /** unknown: not asked yet. */
  readonly database: "ok" | "unavailable" | "unknown";
  readonly schema: "ok" | "behind" | "ahead" | "unknown";
  /** disk_full: there is no room. refused: it is read-only, or its storage fails. */
  readonly writes: "ok" | "disk_full" | "refused" | "unknown";
  /** When a worker last said that it is alive; reported, never decisive. */
  readonly worker_seen_at: string | null;
  /** When the delivery was due that waits longest; null where none is overdue. The same holds for it. */
  readonly oldest_due_delivery_at: string | null;
}

export const aliveAnswer = jsonAnswer(200, '{"status":"ok"}', { "cache-control": "no-store" });

export function isReady({ database, schema, writes }: Readiness): boolean {
  return database === "ok" && schema === "ok" && writes === "ok";
}

export function readinessAnswer(readiness: Readiness): TextAnswer {
  const ready = isReady(readiness);
  const body = JSON.stringify({ status: ready ? "ready" : "not_ready", ...readiness });
  return jsonAnswer(ready ? 200 : 503, body, {
    "cache-control": "no-store",
    ...(ready ? {} : { "retry-after": "1" }),
  });
}

export function healthRoutes(probe: () => Promise<Readiness>): Route[] {
  return [
    route({
      method: "GET",
      path: "/healthz",
      summary: "Says that the process is alive.",
      serve: async () => aliveAnswer,
    }),
    route({
      method: "GET",
      path: "/readyz",
      summary: "Says whether the database answers, takes writes, and has the schema that this version needs.",
      serve: async () => readinessAnswer(await probe()),
    }),
  ];
}
