/** All tools: one for each endpoint that can be one, and those that read with several operations. */
import type { Endpoint } from "../http/endpoint.ts";
import type { Grant } from "../events/caller.ts";
import { holdsScope } from "../operation/permission.ts";
import type { AgentTool } from "./agent-tool.ts";
import { describeTool } from "./composite/describe-location.ts";
import { timelineTool } from "./composite/timeline.ts";
import { toEndpointTool } from "./endpoint-tool.ts";

export type AgentTools = ReadonlyMap<string, AgentTool>;

/** By name, in the order in which they are listed. */
export function createTools(endpoints: readonly Endpoint[]): AgentTools {
  const all = [describeTool, timelineTool, ...endpoints.flatMap((endpoint) => toEndpointTool(endpoint) ?? [])];
  const tools = new Map(all.map((tool) => [tool.name, tool]));
  if (tools.size !== all.length) throw new Error("two tools have the same name");
  return tools;
}

/** Whether the credential's scopes cover the tool. */
export function mayUse({ may: { scope } }: AgentTool, grant: Pick<Grant, "scopes">): boolean {
  return scope === "any" || (scope !== "none" && holdsScope(grant, scope));
}
