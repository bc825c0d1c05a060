/**
 * Responses during startup: health is answered at once, and other requests wait a few seconds for the service, so that a short restart refuses
 * none. Then they get 503 with Retry-After.
 */
import { randomUUID } from "node:crypto";
import type { RequestListener, ServerResponse } from "node:http";
import { Refusal } from "../vocabulary/errors.ts";
import type { TextResponse } from "./http-response.ts";
import { refusalAnswer } from "./failures.ts";
import { aliveAnswer, readinessAnswer, unknownReadiness } from "./health.ts";

/** How long a request waits, in milliseconds: most clients and proxies wait longer. */
const longestWait = 5000;

/** Requests that wait at once; further ones are refused at once. Each holds its headers in memory. */
const mostWaiting = 256;

export interface Starting {
  readonly answer: RequestListener;
  /** Passes the waiting requests on to `handler`, in the order in which they came. */
  readonly release: (handler: RequestListener) => void;
}

/** `wait`: how long a request waits, in milliseconds. */
export function createStarting(wait = longestWait): Starting {
  const waiting = new Map<ServerResponse, { begin: (handler: RequestListener) => void }>();

  return {
    answer(request, response) {
      const immediate = healthAnswer(request.url ?? "");
      if (immediate !== undefined) return send(response, immediate);
      if (waiting.size >= mostWaiting) return send(response, refused());
      const timer = setTimeout(() => {
        leave();
        send(response, refused());
      }, wait);
      const leave = () => {
        clearTimeout(timer);
        waiting.delete(response);
        response.off("close", leave);
      };
      // The client is gone, or the service stops.
      response.once("close", leave);
      waiting.set(response, {
        begin(handler) {
          leave();
          handler(request, response);
        },
      });
    },
    release(handler) {
      for (const { begin } of waiting.values()) begin(handler);
    },
  };
}

function send(response: ServerResponse, { status, body, headers }: TextResponse): void {
  // The body stays unread, so the connection cannot be reused.
  response.writeHead(status, { "x-request-id": randomUUID(), ...headers, connection: "close" }).end(body);
}

function refused(): TextResponse {
  const requestId = randomUUID();
  const refusal = new Refusal("unavailable", { message: "The service is starting. Try again shortly." });
  const answer = refusalAnswer(refusal, requestId);
  return { ...answer, headers: { ...answer.headers, "x-request-id": requestId } };
}

function healthAnswer(address: string): TextResponse | undefined {
  const [path] = address.split("?");
  if (path === "/healthz") return aliveAnswer;
  if (path !== "/readyz") return undefined;
  return readinessAnswer(unknownReadiness);
}
