/** Responses during startup: the process is alive and not ready, and all other requests get 503 with Retry-After. */
import { randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";
import { Refusal } from "../vocabulary/errors.ts";
import type { TextResponse } from "./http-response.ts";
import { refusalAnswer } from "./failures.ts";
import { aliveAnswer, readinessAnswer } from "./health.ts";

export const answerStarting: RequestListener = (request, response) => {
  const requestId = randomUUID();
  const { status, body, headers } = answerTo(request.url ?? "", requestId);
  // The body stays unread, so the connection cannot be reused.
  response.writeHead(status, { ...headers, "x-request-id": requestId, connection: "close" }).end(body);
};

function answerTo(address: string, requestId: string): TextResponse {
  const [path] = address.split("?");
  if (path === "/healthz") return aliveAnswer;
  if (path === "/readyz")
    return readinessAnswer({
      database: "unknown",
      schema: "unknown",
      writes: "unknown",
      worker_seen_at: null,
      oldest_due_delivery_at: null,
      last_backup_at: null,
      last_backup_bytes: null,
    });
  return refusalAnswer(
    new Refusal("unavailable", { message: "The service is starting. Try again shortly." }),
    requestId,
  );
}
