/** The Model Context Protocol over standard input and output, for an agent on this machine. */
import { randomUUID } from "node:crypto";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { describeFailure } from "../http/failures.ts";
import { createAgentServer } from "./agent-server.ts";
import type { AgentSession } from "./agent-session.ts";
import type { AgentTools } from "./tools.ts";

interface StdioDeps {
  readonly version: string;
  readonly tools: () => Promise<AgentTools>;
  /** The session of every call; the first requests of the protocol do not wait for it. */
  readonly session: () => Promise<AgentSession>;
  readonly report: (error: unknown) => void;
}

/** Begins to answer; resolves `close`, which ends it. Standard output carries the protocol alone. */
export function serveAgent({ version, tools, session, report }: StdioDeps): { close(): Promise<void> } {
  return serveStdio(
    () =>
      createAgentServer({
        version,
        tools,
        session,
        describeFailure: (error) => describeFailure(error, randomUUID(), report),
      }),
    { onerror: report, maxSubscriptions: 1 },
  );
}
