/** An API key in lists, and a new API key with its secret. */
import { z } from "zod";
import { pageOf } from "../../kit/page-shapes.ts";
import { toNullableTimestamp, toTimestamp } from "../../kit/time/timestamp.ts";
import { scopeNames } from "../../vocabulary/scopes.ts";
import type { ScopeName } from "../../vocabulary/scopes.ts";

const reachFields = {
  location_ids: z.array(z.int()).readonly().nullable().describe("null: every location of the workspace."),
  scopes: z.array(z.enum(scopeNames)).readonly(),
};

export const apiKeyView = z
  .object({
    id: z.int(),
    name: z.string(),
    last_four: z.string(),
    ...reachFields,
    expires_at: z.iso.datetime().nullable(),
    last_used_at: z.iso.datetime().nullable(),
    revoked_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "ApiKey", description: "An API key, without its secret." });

export const apiKeyListView = pageOf(apiKeyView).meta({
  id: "ApiKeyList",
  description: "A page of API keys, oldest first.",
});

export type ApiKeyView = z.output<typeof apiKeyView>;

export const newApiKeyView = z
  .object({
    id: z.int(),
    name: z.string(),
    key: z.string().describe("Shown only this once; it is not stored."),
    workspace_id: z.int(),
    ...reachFields,
    expires_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "NewApiKey", description: "A newly created or rotated API key, with its secret." });

export type NewApiKeyView = z.output<typeof newApiKeyView>;

export interface ApiKeyRow {
  readonly id: number;
  readonly name: string;
  readonly last_four: string;
  readonly scopes: string;
  readonly location_ids: string | null;
  readonly expires_at: number | null;
  readonly last_used_at: number | null;
  readonly revoked_at: number | null;
  readonly created_at: number;
}

export function toApiKeyView(row: ApiKeyRow): ApiKeyView {
  return {
    id: row.id,
    name: row.name,
    last_four: row.last_four,
    ...parseKeyAccess(row),
    expires_at: toNullableTimestamp(row.expires_at),
    last_used_at: toNullableTimestamp(row.last_used_at),
    revoked_at: toNullableTimestamp(row.revoked_at),
    created_at: toTimestamp(row.created_at),
  };
}

/** Parses the two JSON columns of a key. */
export function parseKeyAccess(
  row: Pick<ApiKeyRow, "scopes" | "location_ids">,
): Pick<ApiKeyView, "scopes" | "location_ids"> {
  return {
    scopes: JSON.parse(row.scopes) as ScopeName[],
    location_ids: row.location_ids === null ? null : (JSON.parse(row.location_ids) as number[]),
  };
}
