/** One connection whose client sends far ahead of its answers, and reads only when it is told to. */
import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { readAnswer } from "./line.ts";
import type { Answer } from "./line.ts";

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
    // A service that closes on a client that goes on sending resets the connection: what came until then is what counts.
    socket.on("error", () => {});
  }

  /** Bytes that the system took off this client's hands: the service has read them, or they fill the buffers before it. */
  get taken(): number {
    return this.#taken;
  }

  get isClosed(): boolean {
    return this.#socket.closed || this.#socket.readableEnded;
  }

  /** Resolves when the system took all of `text`; to false when the connection is gone. */
  send(text: string | Buffer): Promise<boolean> {
    return new Promise((resolve) => {
      this.#socket.write(text, (error) => {
        if (!error) this.#taken += Buffer.byteLength(text);
        resolve(!error);
      });
    });
  }

  /** The next `count` answers, or fewer when the service closes before. */
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

  /** Whether `bytes` can be read, of which nothing is kept, before the service closes. */
  async canRead(bytes: number): Promise<boolean> {
    let left = bytes;
    while (left > 0 && !this.isClosed) {
      const chunk = this.#socket.read() as Buffer | null;
      if (chunk === null) await this.#readable();
      else left -= chunk.length;
    }
    return left <= 0;
  }

  /** Resolves when the service has closed the connection; reads to find it out. */
  async closed(): Promise<void> {
    this.#socket.resume();
    if (!this.#socket.closed) await new Promise((resolve) => this.#socket.once("close", resolve));
  }

  /** Gone without a word. */
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
