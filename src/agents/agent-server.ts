/** The server of the Model Context Protocol: lists the tools that a credential may use, and calls them. Transports carry it. */
import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import type { AgentSession } from "./agent-session.ts";
import { instructions, serverInfo } from "./server-info.ts";
import { callTool, listTools } from "./tool-calls.ts";
import type { DescribeFailure } from "./tool-calls.ts";
import { toCallToolResult } from "./results/tool-result.ts";
import type { AgentTools } from "./tools.ts";

interface AgentServerDeps {
  readonly version: string;
  /** Created on first use. */
  readonly tools: () => Promise<AgentTools>;
  /** The session of the requests of this server. */
  readonly session: () => Promise<AgentSession>;
  readonly describeFailure: DescribeFailure;
}

export function createAgentServer({ version, tools, session, describeFailure }: AgentServerDeps): Server {
  const server = new Server(serverInfo(version), { capabilities: { tools: {} }, instructions });

  server.setRequestHandler("tools/list", async () => ({ tools: await listTools(await tools(), await session()) }));

  server.setRequestHandler("tools/call", async ({ params: { name, arguments: given } }) => {
    const tool = (await tools()).get(name);
    if (tool === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 64)}`);
    return toCallToolResult(await callTool(tool, given, await session(), describeFailure));
  });

  return server;
}
