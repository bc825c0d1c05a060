/** Declares a tool that reads with several operations and has no endpoint of its own. */
import type { JsonSchema } from "../../http/json-schema.ts";
import type { May } from "../../operation/permission.ts";
import type { AgentTool } from "../agent-tool.ts";
import { locationSchema } from "../argument-schemas.ts";
import { requireGiven, requireKnown } from "../tool-arguments.ts";

interface CompositeTool extends Pick<AgentTool, "name" | "description" | "call"> {
  readonly may: May;
  /** Beside `location_id`. */
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}

export function compositeTool({ name, description, may, properties, required, call }: CompositeTool): AgentTool {
  const all = { location_id: locationSchema, ...properties };
  const known = new Set(Object.keys(all));
  return {
    name,
    description,
    inputSchema: { type: "object", properties: all, required, additionalProperties: false },
    hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    may,
    call: async (session, given) => {
      requireKnown(given, known);
      requireGiven(given, required);
      return call(session, given);
    },
  };
}
