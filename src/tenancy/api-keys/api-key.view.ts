/** An API key as listings show it, and as it is shown the one time that it is whole. */
import { toNullableTimestamp, toTimestamp } from "../../kit/time/timestamp.ts";
import type { ScopeName } from "../../vocabulary/scopes.ts";

export interface ApiKeyView {
  readonly id: number;
  readonly name: string;
  readonly last_four: string;
  readonly scopes: readonly ScopeName[];
  /** null: every location of the workspace. */
  readonly location_ids: readonly number[] | null;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
  readonly created_at: string;
}

/** `key` is shown this once and stored nowhere. */
export interface NewApiKeyView {
  readonly id: number;
  readonly name: string;
  readonly key: string;
  readonly workspace_id: number;
  readonly location_ids: readonly number[] | null;
  readonly scopes: readonly ScopeName[];
  readonly expires_at: string | null;
}

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
    ...toReach(row),
    expires_at: toNullableTimestamp(row.expires_at),
    last_used_at: toNullableTimestamp(row.last_used_at),
    revoked_at: toNullableTimestamp(row.revoked_at),
    created_at: toTimestamp(row.created_at),
  };
}

/** What the two JSON columns of a key hold. */
export function toReach(row: Pick<ApiKeyRow, "scopes" | "location_ids">): Pick<ApiKeyView, "scopes" | "location_ids"> {
  return {
    scopes: JSON.parse(row.scopes) as ScopeName[],
    location_ids: row.location_ids === null ? null : (JSON.parse(row.location_ids) as number[]),
  };
}
