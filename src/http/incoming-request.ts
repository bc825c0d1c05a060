/** A request as the kit reads it: only what an operation may ask for, and nothing that can end the process. */
import type { IncomingMessage } from "node:http";
import type { H3Event } from "h3";

export interface IncomingRequest {
  /** Names the request in its answer and in every log line. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The client's address: the peer's, or what a trusted proxy says of it. */
  readonly address: string;
  header(name: string): string | undefined;
  /** The node request, for whoever reads its body. */
  readonly message: IncomingMessage;
}

export function toIncomingRequest(
  event: H3Event,
  id: string,
  addressOf: (message: IncomingMessage) => string,
): IncomingRequest {
  const message = event.runtime?.node?.req as IncomingMessage | undefined;
  if (message === undefined) throw new Error("the HTTP kit serves Node requests only");
  return {
    id,
    method: message.method ?? "GET",
    path: event.url.pathname,
    parameters: event.context.params ?? {},
    get query() {
      return event.url.searchParams;
    },
    get address() {
      return addressOf(message);
    },
    header(name) {
      const value = message.headers[name];
      return Array.isArray(value) ? value.join(", ") : value;
    },
    message,
  };
}
