/**
 * /healthz: liveness of the process. /readyz: readiness, decided only by the database, its schema and whether it
 * accepts writes.
 */
import { jsonResponse } from "./http-response.ts";
import type { TextResponse } from "./http-response.ts";
import { route } from "./route.ts";
import type { Route } from "./route.ts";

export interface Readiness {
  /** unknown: not checked yet. */
  readonly database: "ok" | "unavailable" | "unknown";
  readonly schema: "ok" | "behind" | "ahead" | "unknown";
  /** disk_full: no space left. refused: read-only, or failing storage. */
  readonly writes: "ok" | "disk_full" | "refused" | "unknown";
  /** Last heartbeat of a worker; informative only. */
  readonly worker_seen_at: string | null;
  /** Due time of the most overdue delivery; null if none is overdue. Informative only. */
  readonly oldest_due_delivery_at: string | null;
  /** The newest backup: the moment that it shows, and its size; null if none is known. Informative only. */
  readonly last_backup_at: string | null;
  readonly last_backup_bytes: number | null;
}

/** Before the first check. */
export const unknownReadiness: Readiness = {
  database: "unknown",
  schema: "unknown",
  writes: "unknown",
  worker_seen_at: null,
  oldest_due_delivery_at: null,
  last_backup_at: null,
  last_backup_bytes: null,
};

export const aliveAnswer = jsonResponse(200, '{"status":"ok"}', { "cache-control": "no-store" });

export function isReady({ database, schema, writes }: Readiness): boolean {
  return database === "ok" && schema === "ok" && writes === "ok";
}

export function readinessAnswer(readiness: Readiness): TextResponse {
  const ready = isReady(readiness);
  const body = JSON.stringify({ status: ready ? "ready" : "not_ready", ...readiness });
  return jsonResponse(ready ? 200 : 503, body, {
    "cache-control": "no-store",
    ...(ready ? {} : { "retry-after": "1" }),
  });
}

export function healthRoutes(probe: () => Promise<Readiness>): Route[] {
  return [
    route({
      method: "GET",
      path: "/healthz",
      summary: "Liveness: the process is running.",
      serve: async () => aliveAnswer,
    }),
    route({
      method: "GET",
      path: "/readyz",
      summary: "Readiness: the database responds, accepts writes, and has the schema of this version.",
      serve: async () => readinessAnswer(await probe()),
    }),
  ];
}
