/** A tool: what an agent may call (Model Context Protocol, "Tools"). */
import type { JsonSchema } from "../http/json-schema.ts";
import type { May } from "../operation/permission.ts";
import type { AgentSession } from "./agent-session.ts";

/** The arguments of a call, not yet validated. */
export type ToolArguments = Readonly<Record<string, unknown>>;

export interface ToolHints {
  /** The tool changes nothing. */
  readonly readOnlyHint: boolean;
  /** The tool may delete or overwrite. */
  readonly destructiveHint: boolean;
  /** Repeating a call with the same arguments has no further effect. */
  readonly idempotentHint: boolean;
  /** The tool reaches people or servers outside of the CRM, such as the recipient of a message. */
  readonly openWorldHint: boolean;
}

export interface AgentTool {
  /** snake_case. */
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of the arguments, an object, with `location_id`. */
  readonly inputSchema: JsonSchema;
  readonly hints: ToolHints;
  /** The permission without which the tool is not listed; its operations check their own. */
  readonly may: May;
  /** Resolves to the JSON value of the result; throws what operations throw. */
  readonly call: (session: AgentSession, given: ToolArguments) => Promise<unknown>;
}
