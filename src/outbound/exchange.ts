/** One request and what comes back: settled once, by the answer, by what went wrong, or by the end of its time. */
import type { Dispatcher } from "undici";
import { OutboundFault } from "./outbound-fault.ts";

export interface ReceivedAnswer {
  readonly status: number;
  /** Its beginning, as UTF-8; what is none shows as replacement characters. */
  readonly body: string;
}

/** Interim answers (1xx) that are waited through. */
const mostInterim = 10;

interface Hearing {
  /** The status has come: from now on there is an answer. */
  readonly begun: () => void;
  readonly answered: (answer: ReceivedAnswer) => void;
  readonly failed: (error: unknown) => void;
}

export class Exchange implements Dispatcher.DispatchHandler {
  readonly #hearing: Hearing;
  readonly #mostBytes: number;
  #controller: Dispatcher.DispatchController | undefined;
  #isSettled = false;
  #interim = 0;
  #status = 0;
  #chunks: Buffer[] = [];
  #bytes = 0;

  /** `mostBytes`: as much of the body is read, and what follows is cut off with its connection. */
  constructor(mostBytes: number, hearing: Hearing) {
    this.#mostBytes = mostBytes;
    this.#hearing = hearing;
  }

  /** Ends it now: with the answer where its status has come, with `error` otherwise. */
  end(error: unknown): void {
    if (this.#status !== 0) this.#answer();
    else this.#fail(error);
    this.#controller?.abort(new OutboundFault("timeout"));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Its time was over before there was a connection: nothing is sent.
    if (this.#isSettled) controller.abort(new OutboundFault("timeout"));
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (status >= 200) {
      this.#status = status;
      this.#hearing.begun();
    } else if (++this.#interim > mostInterim) controller.abort(new OutboundFault("refused"));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const room = this.#mostBytes - this.#bytes;
    // A copy: the chunk is a piece of a buffer that the parser goes on with.
    if (room > 0) this.#chunks.push(Buffer.from(chunk.subarray(0, room)));
    this.#bytes += chunk.length;
    if (this.#bytes < this.#mostBytes) return;
    this.#answer();
    controller.abort(new OutboundFault("refused"));
  }

  onResponseEnd(): void {
    this.#answer();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#status !== 0) this.#answer();
    else this.#fail(error);
  }

  #answer(): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#hearing.answered({ status: this.#status, body: this.#text() });
  }

  #fail(error: unknown): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#hearing.failed(error);
  }

  #text(): string {
    // NUL is no text for PostgreSQL.
    return this.#bytes === 0 ? "" : Buffer.concat(this.#chunks).toString("utf8").replaceAll("\0", "\uFFFD");
  }
}
