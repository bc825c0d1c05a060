/** Reads the API keys of a workspace, none of which can be shown again. */
import type { Reader } from "../../events/caller.ts";
import { toApiKeyView } from "./api-key.view.ts";
import type { ApiKeyRow, ApiKeyView } from "./api-key.view.ts";

const listText = `
  select id, name, last_four, scopes, location_ids, expires_at, last_used_at, revoked_at, created_at
  from api_keys where workspace_id = ? order by id`;

/** All keys of the workspace, revoked and expired ones included, the oldest first. */
export async function listApiKeys(reader: Reader): Promise<ApiKeyView[]> {
  return (await reader.rows<ApiKeyRow>(listText, [reader.workspaceId])).map(toApiKeyView);
}
