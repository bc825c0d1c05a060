/** Reads the API keys of a workspace, without their secrets. */
import type { Reader } from "../../events/caller.ts";
import { toApiKeyView } from "./api-key.view.ts";
import type { ApiKeyRow, ApiKeyView } from "./api-key.view.ts";

const selectText = `
  select id, name, last_four, scopes, location_ids, expires_at, last_used_at, revoked_at, created_at from api_keys`;
const listText = `${selectText} where workspace_id = ? order by id`;

const findText = `${selectText} where workspace_id = ? and id = ?`;

/** The key with this id; undefined if the workspace has none. */
export async function findApiKey(reader: Reader, id: number): Promise<ApiKeyView | undefined> {
  const [row] = await reader.rows<ApiKeyRow>(findText, [reader.workspaceId, id]);
  return row && toApiKeyView(row);
}

/** All keys of the workspace, including revoked and expired ones, oldest first. */
export async function listApiKeys(reader: Reader): Promise<ApiKeyView[]> {
  return (await reader.rows<ApiKeyRow>(listText, [reader.workspaceId])).map(toApiKeyView);
}
