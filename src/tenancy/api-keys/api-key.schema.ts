/** What comes in for an API key: its name, what it may do and where, and when it ends. */
import { z } from "zod";
import { nullableTimestamp, recordId } from "../../kit/input/fields.ts";
import { name } from "../../kit/input/name.ts";
import { scopeNames } from "../../vocabulary/scopes.ts";

export const apiKeyInput = z.object({
  name: name(),
  scopes: z.array(z.enum(scopeNames)).readonly().optional().describe("Every scope unless given."),
  location_ids: z
    .array(recordId())
    .readonly()
    .nullable()
    .optional()
    .describe("null: every location, those yet to come included."),
  expires_at: nullableTimestamp(),
});

export type ApiKeyInput = z.output<typeof apiKeyInput>;
