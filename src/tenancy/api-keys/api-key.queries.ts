/** Reads the API keys of a workspace, without their secrets. */
import type { Reader } from "../../events/caller.ts";
import { page } from "../../kit/page.ts";
import type { Page, PageQuery } from "../../kit/page.ts";
import { toApiKeyView } from "./api-key.view.ts";
import type { ApiKeyRow, ApiKeyView } from "./api-key.view.ts";

const selectText = `
  select id, name, last_four, scopes, location_ids, expires_at, last_used_at, revoked_at, created_at from api_keys`;
const pageText = `${selectText} where workspace_id = ? and id > ? order by id limit ?`;
const activeText = `${selectText} where workspace_id = ? and id > ? and revoked_at is null
  and (expires_at is null or expires_at > ?) order by id limit ?`;

const findText = `${selectText} where workspace_id = ? and id = ?`;

/** The key with this id; undefined if the workspace has none. */
export async function findApiKey(reader: Reader, id: number): Promise<ApiKeyView | undefined> {
  const [row] = await reader.rows<ApiKeyRow>(findText, [reader.workspaceId, id]);
  return row && toApiKeyView(row);
}

type ApiKeyPosition = [id: number];

interface ApiKeyQuery extends PageQuery {
  /** `active`: neither revoked nor expired. */
  readonly state?: "active" | undefined;
}

/** A page of the keys of the workspace, including revoked and expired ones, oldest first. */
export function listApiKeys(reader: Reader, query: ApiKeyQuery): Promise<Page<ApiKeyView>> {
  const { workspaceId } = reader;
  return page(reader.tools.cursors, query, {
    list: `api keys ${workspaceId} ${query.state ?? "all"}`,
    find: ([id]: ApiKeyPosition = [0], most) =>
      query.state === "active"
        ? reader.rows<ApiKeyRow>(activeText, [workspaceId, id, reader.tools.clock.now(), most])
        : reader.rows<ApiKeyRow>(pageText, [workspaceId, id, most]),
    placeOf: ({ id }): ApiKeyPosition => [id],
    show: toApiKeyView,
  });
}
