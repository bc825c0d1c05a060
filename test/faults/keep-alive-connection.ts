/** A keep-alive connection for sequential requests, which distinguishes interrupted requests from ones that were never sent. */
import { connect } from "node:net";
import type { Socket } from "node:net";

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly key?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  // oxlint-disable-next-line typescript/no-explicit-any -- the parsed body, looked into freely
  readonly body: any;
}

export interface Answered extends Answer {
  readonly milliseconds: number;
}

/** The request was sent, but the response is incomplete: it may or may not have been processed. */
export class Interrupted extends Error {}

/** No connection could be opened: the request was not sent. */
export class Refused extends Error {}

export class KeepAliveConnection {
  readonly #address: { host: string; port: number };
  #socket: Socket | undefined;
  #received: Buffer = Buffer.alloc(0);
  #settle: { resolve: (answer: Answered) => void; reject: (error: Error) => void; begun: number } | undefined;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#address = { host: hostname, port: Number(port) };
  }

  /** Rejects with `Refused` or `Interrupted`; a further request opens a new connection. */
  async ask(asked: Asked): Promise<Answered> {
    const socket = this.#socket ?? (await this.#connect());
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject, begun: performance.now() };
      socket.write(requestText(asked));
    });
  }

  close(): void {
    this.#socket?.destroy();
  }

  #connect(): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect({ ...this.#address, noDelay: true });
      let last: Error | undefined;
      socket.once("connect", () => {
        this.#socket = socket;
        this.#received = Buffer.alloc(0);
        resolve(socket);
      });
      socket.on("error", (error) => {
        last = error;
      });
      socket.on("data", (chunk) => this.#take(socket, chunk));
      socket.on("close", () => {
        const told = last?.message ?? "closed";
        reject(new Refused(told));
        if (this.#socket !== socket) return;
        this.#socket = undefined;
        const settle = this.#settle;
        this.#settle = undefined;
        settle?.reject(
          new Interrupted(`${told} after ${JSON.stringify(this.#received.toString("latin1").slice(0, 200))}`),
        );
      });
    });
  }

  #take(socket: Socket, chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const found = readAnswer(this.#received);
    const settle = this.#settle;
    if (found === undefined || settle === undefined) return;
    const { answer } = found;
    this.#settle = undefined;
    this.#received = Buffer.alloc(0);
    if (answer.headers["connection"] === "close") {
      this.#socket = undefined;
      socket.end();
    }
    settle.resolve({ ...answer, milliseconds: performance.now() - settle.begun });
  }
}

export function requestText({ method, path, key, body, headers = {} }: Asked): string {
  const text = body === undefined ? "" : JSON.stringify(body);
  const all: Record<string, string> = {
    host: "127.0.0.1",
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(body === undefined
      ? {}
      : { "content-type": "application/json", "content-length": String(Buffer.byteLength(text)) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${text}`;
}

/** The first response in `received` and its length in bytes, once it is complete. Every response has a Content-Length. */
export function readAnswer(received: Buffer): { answer: Answer; length: number } | undefined {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const [first = "", ...lines] = received.toString("latin1", 0, end).split("\r\n");
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const length = end + 4 + Number(headers["content-length"] ?? 0);
  if (received.length < length) return undefined;
  const text = received.toString("utf8", end + 4, length);
  const isJson = (headers["content-type"] ?? "").startsWith("application/json");
  return { answer: { status: Number(first.split(" ")[1]), headers, body: isJson ? JSON.parse(text) : text }, length };
}
