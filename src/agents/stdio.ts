/** The Model Context Protocol over standard input and output, for an agent on this machine. */
import { randomUUID } from "node:crypto";
import { PassThrough } from "node:stream";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { describeFailure } from "../http/failures.ts";
import { createAgentServer } from "./agent-server.ts";
import type { AgentSession } from "./agent-session.ts";
import type { AnsweredOpening } from "./direct/opening.ts";
import type { AgentTools } from "./tools.ts";

interface StdioDeps {
  readonly version: string;
  /** What was answered before this was loaded, and is still to be read from standard input. */
  readonly answered: AnsweredOpening | undefined;
  readonly tools: () => Promise<AgentTools>;
  /** The session of every call; the first requests of the protocol do not wait for it. */
  readonly session: () => Promise<AgentSession>;
  readonly report: (error: unknown) => void;
}

interface ServedAgent {
  /** Resolves when standard input has ended and everything that it asked for is answered. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Begins to answer. Standard output carries the protocol alone. */
export function serveAgent({ version, answered, tools, session, report }: StdioDeps): ServedAgent {
  const transport = new OpenedTransport(answered);
  const { close } = serveStdio(
    () =>
      createAgentServer({
        version,
        tools,
        session,
        describeFailure: (error) => describeFailure(error, randomUUID(), report),
      }),
    { transport, onerror: report, maxSubscriptions: 1 },
  );
  return { ended: transport.ended, close };
}

type Message = Parameters<StdioServerTransport["send"]>[0];

/**
 * Standard input and output. The SDK reads the opening like every message; its answer is dropped if the agent has one
 * already. It also drops what is unanswered when its input ends, as that of `crm mcp < FILE` does at once: so it reads
 * a stream that ends later.
 */
class OpenedTransport extends StdioServerTransport {
  readonly #closed = Promise.withResolvers<void>();
  readonly ended = this.#closed.promise;
  readonly #input: PassThrough;
  readonly #unanswered = new Set<unknown>();
  #answered: AnsweredOpening | undefined;
  #isRead = false;

  constructor(answered: AnsweredOpening | undefined) {
    const input = new PassThrough();
    super(input);
    this.#input = input;
    this.#answered = answered;
  }

  override async start(): Promise<void> {
    const deliver = this.onmessage;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport has no other way to listen.
    this.onmessage = (message: Message) => {
      if ("method" in message && "id" in message) this.#unanswered.add(message.id);
      if ("method" in message && message.method === "notifications/cancelled")
        this.#settle(message.params?.["requestId"]);
      deliver?.(message);
    };
    await super.start();
    const { stdin } = process;
    stdin.on("data", this.#read);
    if (stdin.readableEnded || stdin.destroyed) this.#finish();
    for (const event of ["end", "close"]) stdin.once(event, () => this.#finish());
  }

  override async close(): Promise<void> {
    // An open input would keep the process.
    process.stdin.off("data", this.#read).pause();
    await super.close();
    this.#closed.resolve();
  }

  readonly #read = (chunk: Buffer): void => void this.#input.write(chunk);

  override async send(message: Message): Promise<void> {
    if (this.#answered !== undefined && "id" in message && message.id === this.#answered.id) this.#answered = undefined;
    else await super.send(message);
    if (!("method" in message)) this.#settle(message.id);
  }

  /** A turn later: the last messages pass through the stream until then. */
  #finish(): void {
    setImmediate(() => {
      this.#isRead = true;
      this.#settle();
    });
  }

  #settle(id?: unknown): void {
    this.#unanswered.delete(id);
    if (this.#isRead && this.#unanswered.size === 0) this.#input.end();
  }
}
