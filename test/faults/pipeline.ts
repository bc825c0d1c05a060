/** A connection with many pipelined requests, which reads responses only on demand. */
import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { readAnswer } from "./keep-alive-connection.ts";
import type { Answer } from "./keep-alive-connection.ts";

export class Pipeline {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #taken = 0;

  /** Nothing is read until `read`. */
  static async open(url: string): Promise<Pipeline> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    socket.pause();
    await once(socket, "connect");
    return new Pipeline(socket);
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    // If the service closes while the client sends, the connection is reset; only the data received before counts.
    socket.on("error", () => {});
  }

  /** Bytes that the system has accepted: read by the service, or in the buffers before it. */
  get taken(): number {
    return this.#taken;
  }

  get isClosed(): boolean {
    return this.#socket.closed || this.#socket.readableEnded;
  }

  /** Resolves when the system has accepted all of `text`; to false when the connection is closed. */
  send(text: string | Buffer): Promise<boolean> {
    return new Promise((resolve) => {
      this.#socket.write(text, (error) => {
        if (!error) this.#taken += Buffer.byteLength(text);
        resolve(!error);
      });
    });
  }

  /** The next `count` responses, or fewer if the service closes before. */
  async read(count: number): Promise<Answer[]> {
    const answers: Answer[] = [];
    const takeWhatIsWhole = (): void => {
      let from = 0;
      while (answers.length < count) {
        const found = readAnswer(this.#received.subarray(from));
        if (found === undefined) break;
        answers.push(found.answer);
        from += found.length;
      }
      this.#received = this.#received.subarray(from);
    };
    takeWhatIsWhole();
    while (answers.length < count && !this.isClosed) {
      const chunk = this.#socket.read() as Buffer | null;
      if (chunk === null) await this.#readable();
      else this.#received = Buffer.concat([this.#received, chunk]);
      takeWhatIsWhole();
    }
    return answers;
  }

  /** Reads and discards `bytes`; returns whether the service sent that many before closing. */
  async canRead(bytes: number): Promise<boolean> {
    let left = bytes;
    while (left > 0 && !this.isClosed) {
      const chunk = this.#socket.read() as Buffer | null;
      if (chunk === null) await this.#readable();
      else left -= chunk.length;
    }
    return left <= 0;
  }

  /** Reads until the service has closed the connection. */
  async closed(): Promise<void> {
    this.#socket.resume();
    if (!this.#socket.closed) await new Promise((resolve) => this.#socket.once("close", resolve));
  }

  /** Closes abruptly. */
  destroy(): void {
    this.#socket.destroy();
  }

  #readable(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#socket.off("readable", done).off("end", done).off("close", done);
        resolve();
      };
      this.#socket.on("readable", done).on("end", done).on("close", done);
    });
  }
}
