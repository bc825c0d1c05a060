/** Answers direct messages byte for byte as the SDK answers them. */
import type { TextResponse } from "../../http/http-response.ts";
import type { AgentSession } from "../agent-session.ts";
import type { DirectMessage } from "./direct-message.ts";
import { serverInfo } from "../server-info.ts";
import { callTool, listTools } from "../tool-calls.ts";
import type { DescribeFailure } from "../tool-calls.ts";
import { toResultMembers } from "../results/tool-result.ts";
import type { AgentTools } from "../tools.ts";

interface AnswerDeps {
  readonly version: string;
  readonly tools: AgentTools;
  readonly session: AgentSession;
  readonly describeFailure: DescribeFailure;
}

/** Undefined: an unknown tool, which the SDK refuses. */
export async function answerDirectly(message: DirectMessage, deps: AnswerDeps): Promise<TextResponse | undefined> {
  const { tools, session, describeFailure } = deps;
  if (message.method === "tools/list") {
    const listed = `"tools":${JSON.stringify(await listTools(tools, session))}`;
    return toAnswer(message, deps.version, listed, ',"ttlMs":0,"cacheScope":"private"');
  }
  const tool = tools.get(message.name);
  if (tool === undefined) return undefined;
  const result = await callTool(tool, message.arguments, session, describeFailure);
  return toAnswer(message, deps.version, toResultMembers(result));
}

/** `caching`: the members of 2026 that say how long a result may be kept. */
function toAnswer({ era, id }: DirectMessage, version: string, members: string, caching = ""): TextResponse {
  const modern = `,"resultType":"complete"${caching},"_meta":{"io.modelcontextprotocol/serverInfo":${JSON.stringify(serverInfo(version))}}`;
  const json = `{"result":{${members}${era === "2026" ? modern : ""}},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
  const [type, body] =
    era === "2026" ? ["application/json", json] : ["text/event-stream", `event: message\ndata: ${json}\n\n`];
  return { status: 200, headers: { "content-type": type, "cache-control": "no-store" }, body };
}
