/** An exchange: a request and its response, settled once by a response, an error or a timeout. */
import type { Dispatcher } from "undici";
import { OutboundFault } from "./outbound-fault.ts";

export interface ReceivedAnswer {
  readonly status: number;
  /** The beginning of the body as UTF-8, with replacement characters for invalid bytes. */
  readonly body: string;
}

/** Maximum interim responses (1xx). */
const mostInterim = 10;

interface Hearing {
  /** The status has arrived: the exchange has a response from now on. */
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

  /** `mostBytes`: the maximum bytes read of the body; beyond it the connection is closed. */
  constructor(mostBytes: number, hearing: Hearing) {
    this.#mostBytes = mostBytes;
    this.#hearing = hearing;
  }

  /** Ends it now: with the response if its status has arrived, else with `error`. */
  end(error: unknown): void {
    if (this.#status !== 0) this.#answer();
    else this.#fail(error);
    this.#controller?.abort(new OutboundFault("timeout"));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // It timed out before connecting: nothing is sent.
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
    // Copied: the parser reuses the buffer of the chunk.
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
    // PostgreSQL stores no NUL.
    return this.#bytes === 0 ? "" : Buffer.concat(this.#chunks).toString("utf8").replaceAll("\0", "\uFFFD");
  }
}
