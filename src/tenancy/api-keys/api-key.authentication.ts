/** Authenticates API keys with one query, and tracks when each key was last used. */
import type { Authenticate } from "../../http/credential.ts";
import type { LocationContext } from "../../events/caller.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { hashSecret, isWellFormedSecret } from "../../kit/secrets/secret.ts";
import type { Database } from "../../storage/database.ts";
import { givingIds, readIds } from "../../storage/inserting/ids-ahead.ts";
import { listed } from "../../storage/json.ts";
import { sql } from "../../storage/sql-text.ts";
import { hasCustomFields, maySee } from "../locations/location.queries.ts";
import { parseKeyAccess } from "./api-key.view.ts";

export interface KeyAuthentication {
  /** Rejects a malformed key without a query. */
  readonly authenticate: Authenticate;
  /** Writes the uses since the last flush to the database; on failure they are kept for the next flush. */
  flushLastUsed(): Promise<void>;
}

interface KeyRow {
  readonly id: number;
  readonly workspace_id: number;
  readonly name: string;
  readonly scopes: string;
  readonly location_ids: string | null;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly last_used_at: number | null;
  /** null if the request names no location, or one that the workspace does not have. */
  readonly place_id: number | null;
  readonly country: string;
  readonly timezone: string;
  readonly has_custom_fields: boolean | number;
}

const findText = givingIds(
  (ids) => sql`
  select api_keys.id, api_keys.workspace_id, api_keys.name, scopes, location_ids, expires_at, revoked_at, last_used_at,
    locations.id as place_id, country, timezone, ${hasCustomFields("api_keys.workspace_id")}${ids}
  from api_keys left join locations on locations.id = ? and locations.workspace_id = api_keys.workspace_id
  where hash = ?`,
);

const usedText = sql`update api_keys set last_used_at = ? where id in ${listed}`;

/** `last_used_at` is written at most this often for each key, in milliseconds. */
const lastUsedPrecision = 60_000;

const malformed = {
  why: "Malformed API key. A key is crm_key_ followed by 36 letters and digits; the last six are a checksum.",
};
const unknown = { why: "Unknown API key." };
const revoked = { why: "This API key has been revoked." };
const expired = { why: "This API key has expired." };

export function createKeyAuthentication({ database, clock }: { database: Database; clock: Clock }): KeyAuthentication {
  /** Unflushed uses: key id → time of the last use. Bounded by the number of keys. */
  let used = new Map<number, number>();

  return {
    async authenticate(token, { locationId, inserts = [] } = {}) {
      if (!isWellFormedSecret("crm_key_", token)) return malformed;
      const hash = hashSecret(token);
      const [key] = await database.forHolder(hash).rows<KeyRow>(findText(inserts), [locationId ?? null, hash]);
      if (key === undefined) return unknown;
      if (key.revoked_at !== null) return revoked;
      const now = clock.now().getTime();
      if (key.expires_at !== null && key.expires_at <= now) return expired;
      if (key.last_used_at === null || now - key.last_used_at >= lastUsedPrecision) used.set(key.id, now);
      const { scopes, location_ids: locationIds } = parseKeyAccess(key);
      const actor = { type: "api_key", id: key.id, name: key.name } as const;
      return {
        identity: {
          workspaceId: key.workspace_id,
          locationIds,
          actor,
          grant: { scopes, appId: null, role: null },
          user: null,
          ids: readIds(key, inserts),
        },
        holder: `key ${key.id}`,
        place: toLocation(key, locationIds),
      };
    },

    async flushLastUsed() {
      if (used.size === 0) return;
      const flushed = used;
      used = new Map();
      // One time for all of them: it is off by at most one flush interval.
      const latest = new Date(flushed.values().reduce((one, other) => Math.max(one, other)));
      const ids = JSON.stringify([...flushed.keys()]);
      try {
        await database.transaction((transaction) => transaction.rows(usedText, [latest, ids]));
      } catch (error) {
        used = new Map([...flushed, ...used]);
        throw error;
      }
    },
  };
}

function toLocation(
  { place_id: id, country, timezone, has_custom_fields }: KeyRow,
  locationIds: readonly number[] | null,
): LocationContext | undefined {
  return id !== null && maySee(locationIds, id) ? { id, country, timezone, has_custom_fields } : undefined;
}
