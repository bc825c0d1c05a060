/** A request as seen by operations, without access to what could end the process. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { H3Event } from "h3";
import type { Actor } from "../../events/actor.ts";
import { readTrace } from "../../kit/observing/trace-context.ts";
import type { Trace } from "../../kit/observing/trace-context.ts";
import { readParameters } from "./parameters.ts";

export interface IncomingRequest {
  /** The request ID, in the response and every log line. */
  readonly id: string;
  readonly method: string;
  /** The path template, `/inbound/{token}`, for the log: the actual path may contain a secret. */
  readonly template: string;
  /** When its headers were read, by `performance.now()`. */
  readonly begun: number;
  /** The identity, once authenticated. */
  actor: Actor | undefined;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The client address for rate limits: the peer, or what a trusted proxy reports; for IPv6 the 64-bit network. */
  readonly address: string;
  /** The trace that the request is part of, as `traceparent` names it. */
  readonly trace: Trace | undefined;
  header(name: string): string | undefined;
  /** The Node request, to read the body. */
  readonly message: IncomingMessage;
  /** The Node response: closed when the client is gone. */
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

/** The request of `event`; only Node requests are supported. */
export function responseOf(event: H3Event): ServerResponse {
  return event.runtime!.node!.res as ServerResponse;
}

/**
 * A class: getters of an object literal are new functions for every request, so V8 would give each its own hidden
 * class, which keeps request and response in memory until a major GC (half of the time of a small read).
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

  get trace(): Trace | undefined {
    return readTrace(this.header("traceparent"));
  }

  header(name: string): string | undefined {
    const value = this.message.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }
}
