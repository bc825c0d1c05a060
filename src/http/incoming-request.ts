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

type AddressOf = (message: IncomingMessage) => string;

export function toIncomingRequest(event: H3Event, id: string, addressOf: AddressOf): IncomingRequest {
  const message = event.runtime?.node?.req as IncomingMessage | undefined;
  if (message === undefined) throw new Error("the HTTP kit serves Node requests only");
  return new NodeRequest(event, message, id, addressOf);
}

/**
 * A class, since getters in a literal are new functions for every request: V8 then gives each literal a shape of its own,
 * which keeps request and answer in memory until the next full collection (half of the time of a small read).
 */
class NodeRequest implements IncomingRequest {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly message: IncomingMessage;
  readonly #event: H3Event;
  readonly #addressOf: AddressOf;

  constructor(event: H3Event, message: IncomingMessage, id: string, addressOf: AddressOf) {
    this.id = id;
    this.method = message.method ?? "GET";
    this.path = event.url.pathname;
    this.parameters = event.context.params ?? {};
    this.message = message;
    this.#event = event;
    this.#addressOf = addressOf;
  }

  get query(): URLSearchParams {
    return this.#event.url.searchParams;
  }

  get address(): string {
    return this.#addressOf(this.message);
  }

  header(name: string): string | undefined {
    const value = this.message.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }
}
