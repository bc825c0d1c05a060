/** Reads webhooks. A credential sees only webhooks that receive nothing beyond its own access. */
import type { Reader } from "../../events/caller.ts";
import { page } from "../../kit/page.ts";
import type { Page, PageQuery } from "../../kit/page.ts";
import { jsonExceeds, jsonIncludes } from "../../storage/json.ts";
import { sql } from "../../storage/sql-text.ts";
import type { Value } from "../../storage/value.ts";
import { visibleIds } from "../../tenancy/locations/location.queries.ts";
import { toHook } from "./hook.view.ts";
import type { HookRow, HookView } from "./hook.view.ts";

/** A location of the hook that is not in a JSON list. */
const beyond = jsonExceeds("hooks.location_ids");

/**
 * SQL: the hook may be listed; its parameters are those of `visibleTo`. An app's own webhook is managed by people alone,
 * as the app is.
 */
export const isVisible = sql`hooks.workspace_id = ? and hooks.removed_at is null
  and (cast(? as bigint) is null or hooks.app_id = ?)
  and (hooks.owner_app_id is null or cast(? as text) is not null)
  and (cast(? as text) is null or (hooks.location_ids is not null and not ${beyond}))`;

export function visibleTo({ workspaceId, grant }: Reader, ids: readonly number[] | null): Value[] {
  const listed = ids === null ? null : JSON.stringify(ids);
  return [workspaceId, grant.appId, grant.appId, grant.role, listed, listed ?? "[]"];
}

/** The hook receives events of the location. */
const coversLocation = jsonIncludes("hooks.location_ids");

/**
 * SQL: the reader may address the hook by ID; its parameters are those of `namedBy`. A location in the request filters
 * lists; here the hook must cover it, as one of the whole workspace does.
 */
export const isNamed = sql`${isVisible} and (cast(? as bigint) is null or hooks.location_ids is null or ${coversLocation})`;

export function namedBy(reader: Reader): Value[] {
  const locationId = reader.location?.id ?? null;
  return [...visibleTo(reader, reader.locationIds), locationId, locationId];
}

const columns = "id, events, target_url, location_id, status, failing_since, created_at";
const oneText = sql`select ${columns} from hooks where id = ? and ${isNamed}`;
const pageText = sql`select ${columns} from hooks where id > ? and ${isVisible} order by id limit ?`;

export async function findHook(reader: Reader, id: number): Promise<HookView | undefined> {
  const [row] = await reader.rows<HookRow>(oneText, [id, ...namedBy(reader)]);
  return row && toHook(row);
}

type HookPosition = [id: number];

/** A page of the webhooks that the reader may access, oldest first. Refuses a cursor that it did not issue. */
export function listHooks(reader: Reader, query: PageQuery): Promise<Page<HookView>> {
  const ids = visibleIds(reader);
  return page(reader.tools.cursors, query, {
    list: `hooks ${reader.workspaceId} ${ids === null ? "all" : ids.join(",")}`,
    find: ([id]: HookPosition = [0], most) => reader.rows<HookRow>(pageText, [id, ...visibleTo(reader, ids), most]),
    placeOf: ({ id }): HookPosition => [id],
    show: toHook,
  });
}
