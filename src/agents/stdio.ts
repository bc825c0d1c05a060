/** The Model Context Protocol over standard input and output, for an agent on this machine. */
import { randomUUID } from "node:crypto";
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

/** Begins to answer; resolves `close`, which ends it. Standard output carries the protocol alone. */
export function serveAgent({ version, answered, tools, session, report }: StdioDeps): { close(): Promise<void> } {
  return serveStdio(
    () =>
      createAgentServer({
        version,
        tools,
        session,
        describeFailure: (error) => describeFailure(error, randomUUID(), report),
      }),
    { transport: new OpenedTransport(answered), onerror: report, maxSubscriptions: 1 },
  );
}

/** Standard input and output. The SDK reads the opening like every message; its answer is dropped if the agent has one already. */
class OpenedTransport extends StdioServerTransport {
  #answered: AnsweredOpening | undefined;

  constructor(answered: AnsweredOpening | undefined) {
    super();
    this.#answered = answered;
  }

  override async send(message: Parameters<StdioServerTransport["send"]>[0]): Promise<void> {
    if (this.#answered !== undefined && "id" in message && message.id === this.#answered.id) {
      this.#answered = undefined;
      return;
    }
    await super.send(message);
  }
}
