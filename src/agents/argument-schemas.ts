/** JSON Schemas of arguments that several tools take. */
import type { JsonSchema } from "../http/json-schema.ts";
import { pageLimit } from "./tool-limits.ts";

export const locationSchema: JsonSchema = { type: "integer", minimum: 1, description: "The location to work in." };

export const limitSchema: JsonSchema = {
  type: "integer",
  minimum: 1,
  maximum: pageLimit.most,
  description: `The most items of the page; ${pageLimit.standard} if left out.`,
};

export function idSchema(noun: string): JsonSchema {
  return { type: "integer", minimum: 1, description: `The ID of the ${noun.replaceAll("_", " ")}.` };
}
