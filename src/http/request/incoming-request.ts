/** A request as the kit reads it: only what an operation may ask for, and nothing that can end the process. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { H3Event } from "h3";
import type { Actor } from "../../events/actor.ts";
import { readParameters } from "./parameters.ts";

export interface IncomingRequest {
  /** Names the request in its answer and in every log line. */
  readonly id: string;
  readonly method: string;
  /** The address as its row writes it, `/inbound/{token}`: what a log may hold. The address itself may carry a secret. */
  readonly template: string;
  /** When its head was read, on the clock of `performance.now()`. */
  readonly begun: number;
  /** Who asks, once that is known. */
  actor: Actor | undefined;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The client's address, for counting: the peer's, or what a trusted proxy says of it; of IPv6 the network of 64 bits. */
  readonly address: string;
  header(name: string): string | undefined;
  /** The node request, for whoever reads its body. */
  readonly message: IncomingMessage;
  /** What it is answered with: closed when the client is gone. */
  readonly response: ServerResponse;
}

type AddressOf = (message: IncomingMessage) => string;

export function toIncomingRequest(event: H3Event, id: string, template: string, addressOf: AddressOf): IncomingRequest {
  return new NodeRequest(
    event,
    event.runtime!.node!.req as IncomingMessage,
    responseOf(event),
    id,
    template,
    addressOf,
  );
}

/** What answers `event`: the kit serves requests of Node only. */
export function responseOf(event: H3Event): ServerResponse {
  return event.runtime!.node!.res as ServerResponse;
}

/**
 * A class, since getters in a literal are new functions for every request: V8 then gives each literal a shape of its own,
 * which keeps request and answer in memory until the next full collection (half of the time of a small read).
 */
class NodeRequest implements IncomingRequest {
  readonly id: string;
  readonly method: string;
  readonly template: string;
  readonly begun = performance.now();
  actor: Actor | undefined = undefined;
  readonly parameters: Readonly<Record<string, string>>;
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly #event: H3Event;
  readonly #addressOf: AddressOf;
  #query: URLSearchParams | undefined = undefined;

  constructor(
    event: H3Event,
    message: IncomingMessage,
    response: ServerResponse,
    id: string,
    template: string,
    addressOf: AddressOf,
  ) {
    this.id = id;
    this.method = message.method ?? "GET";
    this.template = template;
    this.parameters = event.context.params ?? {};
    this.message = message;
    this.response = response;
    this.#event = event;
    this.#addressOf = addressOf;
  }

  get query(): URLSearchParams {
    return (this.#query ??= readParameters(this.#event.url.search));
  }

  get address(): string {
    return this.#addressOf(this.message);
  }

  header(name: string): string | undefined {
    const value = this.message.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }
}
