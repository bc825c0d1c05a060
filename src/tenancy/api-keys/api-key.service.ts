/** Creates, rotates and revokes API keys. Only a hash is stored: a key is shown once, when it is created. */
import type { Change } from "../../events/caller.ts";
import { hashSecret, lastFour, mintSecret } from "../../kit/secrets/secret.ts";
import { toNullableTimestamp } from "../../kit/time/timestamp.ts";
import { Invalid, Refusal } from "../../vocabulary/errors.ts";
import { requireWithinGrant } from "../../operation/grant-limits.ts";
import { ApiKey } from "./api-key.entity.ts";
import type { ApiKeyInput } from "./api-key.schema.ts";
import { parseKeyAccess } from "./api-key.view.ts";
import type { NewApiKeyView } from "./api-key.view.ts";
import { requireLocations } from "../locations/location.queries.ts";

/** Creates a key for the workspace of `change`. Refuses locations of another workspace, and permissions beyond the caller's own. */
export async function createApiKey(change: Change, input: ApiKeyInput): Promise<NewApiKeyView> {
  const { name, scopes = change.grant.scopes, location_ids: locationIds = null, expires_at: expiresAt = null } = input;
  requireWithinGrant(change, { scopes, locationIds });
  if (locationIds !== null) await requireLocations(change, locationIds);
  const { key, stored } = mint();
  const apiKey = change.em.create(ApiKey, {
    ...stored,
    workspace: change.workspaceId,
    name,
    scopes: JSON.stringify([...new Set(scopes)]),
    locationIds: locationIds === null ? null : JSON.stringify([...new Set(locationIds)]),
    expiresAt,
    createdAt: change.now,
  });
  await change.em.flush();
  return toNewView(change.workspaceId, apiKey, key);
}

/**
 * Replaces the secret of a key; everything else is unchanged. The old secret stops working with the commit. Refuses a revoked or
 * expired key, and one with permissions beyond the caller's own.
 */
export async function rotateApiKey(change: Change, id: number): Promise<NewApiKeyView> {
  const apiKey = await getApiKey(change, id);
  const access = parseKeyAccess({ scopes: apiKey.scopes, location_ids: apiKey.locationIds ?? null });
  requireWithinGrant(change, { scopes: access.scopes, locationIds: access.location_ids });
  if (apiKey.revokedAt) throw new Invalid({ id: [`The API key ${id} is revoked; create a new one.`] });
  if (apiKey.expiresAt && apiKey.expiresAt <= change.now)
    throw new Invalid({ id: [`The API key ${id} has expired; create a new one.`] });
  const { key, stored } = mint();
  Object.assign(apiKey, stored);
  await change.em.flush();
  return toNewView(change.workspaceId, apiKey, key);
}

/** Revokes a key; idempotent. Refuses `api_key.not_found`. */
export async function revokeApiKey(change: Change, id: number): Promise<void> {
  const apiKey = await getApiKey(change, id);
  apiKey.revokedAt ??= change.now;
  await change.em.flush();
}

async function getApiKey(change: Change, id: number) {
  const apiKey = await change.em.findOne(ApiKey, { id, workspace: change.workspaceId });
  if (apiKey === null) throw new Refusal("api_key.not_found");
  return apiKey;
}

function mint(): { key: string; stored: { hash: string; lastFour: string } } {
  const key = mintSecret("crm_key_");
  return { key, stored: { hash: hashSecret(key), lastFour: lastFour(key) } };
}

interface StoredKey {
  readonly id: number;
  readonly name: string;
  readonly scopes: string;
  readonly locationIds?: string | null | undefined;
  readonly expiresAt?: Date | null | undefined;
}

function toNewView(
  workspaceId: number,
  { id, name, scopes, locationIds, expiresAt }: StoredKey,
  key: string,
): NewApiKeyView {
  const access = parseKeyAccess({ scopes, location_ids: locationIds ?? null });
  return {
    id,
    name,
    key,
    workspace_id: workspaceId,
    location_ids: access.location_ids,
    scopes: access.scopes,
    expires_at: toNullableTimestamp(expiresAt?.getTime() ?? null),
  };
}
