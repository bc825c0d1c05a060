/** The input of an API key: name, scopes, locations and expiry. */
import { z } from "zod";
import { nullableTimestamp, recordId } from "../../kit/input/fields.ts";
import { name } from "../../kit/input/name.ts";
import { scopeNames } from "../../vocabulary/scopes.ts";

export const apiKeyInput = z.object({
  name: name(),
  scopes: z.array(z.enum(scopeNames)).readonly().optional().describe("Default: every scope that the caller has."),
  location_ids: z
    .array(recordId())
    .readonly()
    .nullable()
    .optional()
    .describe("null: every location, including future ones."),
  expires_at: nullableTimestamp(),
});

export type ApiKeyInput = z.output<typeof apiKeyInput>;
