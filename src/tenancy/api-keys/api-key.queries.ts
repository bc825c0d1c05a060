/** Reads the API keys of a workspace, without their secrets. */
import type { Reader } from "../../events/caller.ts";
import { queueKeyOf } from "../../events/read-queue.ts";
import { page } from "../../kit/page.ts";
import type { Page, PageQuery } from "../../kit/page.ts";
import { defineNarrowedList } from "../../storage/keyset/narrowed.ts";
import type { ListFilter } from "../../storage/keyset/narrowed.ts";
import { sql } from "../../storage/sql-text.ts";
import type { SqlText } from "../../storage/sql-text.ts";
import { toApiKeyView } from "./api-key.view.ts";
import type { ApiKeyRow, ApiKeyView } from "./api-key.view.ts";

const columns = "id, name, last_four, scopes, location_ids, expires_at, last_used_at, revoked_at, created_at";

const findText = `select ${columns} from api_keys where workspace_id = ? and id = ?`;

function pageText(found: SqlText): SqlText {
  return sql`select ${columns} from ${found} order by id`;
}

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

const findKeys = defineNarrowedList<ApiKeyRow>({
  table: "api_keys",
  columns: ["id"],
  direction: "asc",
  select: pageText,
});

/** A page of the keys of the workspace, including revoked and expired ones, oldest first. */
export function listApiKeys(reader: Reader, query: ApiKeyQuery): Promise<Page<ApiKeyView>> {
  const { workspaceId } = reader;
  const conditions: ListFilter[] = [{ text: "workspace_id = ?", params: [workspaceId], index: "order" }];
  if (query.state === "active")
    conditions.push({
      text: "revoked_at is null and (expires_at is null or expires_at > ?)",
      params: [reader.tools.clock.now()],
      index: "none",
    });
  return page(reader.tools.cursors, query, {
    list: `api keys ${workspaceId} ${query.state ?? "all"}`,
    find: (after: ApiKeyPosition | undefined, most) =>
      findKeys({ rows: reader.rows, conditions, after, most, holder: queueKeyOf(reader) }),
    placeOf: ({ id }): ApiKeyPosition => [id],
    show: toApiKeyView,
  });
}
