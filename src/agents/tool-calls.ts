/** Lists the tools of a session and calls them, whatever carries the protocol. */
import type { Tool } from "@modelcontextprotocol/server";
import type { Failure } from "../http/failures.ts";
import type { JsonSchema } from "../http/json-schema.ts";
import type { AgentSession } from "./agent-session.ts";
import type { AgentTool } from "./agent-tool.ts";
import { readArguments } from "./tool-arguments.ts";
import { toToolError, toToolResult } from "./results/tool-result.ts";
import type { ToolResult } from "./results/tool-result.ts";
import { mayUse } from "./tools.ts";
import type { AgentTools } from "./tools.ts";

/** Describes what an operation threw, as the API answers it, and reports faults of the service. */
export type DescribeFailure = (error: unknown) => Failure & { readonly detail?: string | undefined };

/** The tools that the session's credential may use. */
export async function listTools(all: AgentTools, { identity, onlyLocation }: AgentSession): Promise<Tool[]> {
  const hasOne = (await onlyLocation()) !== undefined;
  return [...all.values()].filter((tool) => mayUse(tool, identity.grant)).map((tool) => toTool(tool, hasOne));
}

/** A tool that the credential may not use is called, and refused as its operation is. */
export async function callTool(
  tool: AgentTool,
  given: unknown,
  session: AgentSession,
  describeFailure: DescribeFailure,
): Promise<ToolResult> {
  try {
    return toToolResult(await tool.call(session, readArguments(given)));
  } catch (error) {
    return toToolError(toErrorBody(describeFailure(error)));
  }
}

/** `hasOne`: the credential has access to one location only, which calls need not name. */
function toTool({ name, description, inputSchema, hints }: AgentTool, hasOne: boolean): Tool {
  const { location_id: locationId, ...others } = inputSchema["properties"] as Record<string, JsonSchema>;
  const properties = hasOne || locationId === undefined ? others : { location_id: locationId, ...others };
  // A JSON Schema is JSON.
  const schema = { ...inputSchema, properties } as Tool["inputSchema"];
  return { name, description, inputSchema: schema, annotations: { ...hints } };
}

/** The body of the API's error, with its status and explanation beside it: a tool result has no headers. */
function toErrorBody({ status, code, message, details, errors, requestId, detail }: ReturnType<DescribeFailure>) {
  return {
    ...(code === "invalid" || code === "too_many_requests" ? {} : { error: code }),
    ...(detail === undefined ? { message } : { detail }),
    ...details,
    ...(errors === undefined ? {} : { errors }),
    status,
    request_id: requestId,
  };
}
