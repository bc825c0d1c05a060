/** Reads the audit log of a workspace, latest entry first. Each combination of filters has an index in the order of the list. */
import type { z } from "zod";
import type { Reader } from "../events/caller.ts";
import { queueKeyOf } from "../events/read-queue.ts";
import { page } from "../kit/page.ts";
import type { Page } from "../kit/page.ts";
import { requireEveryLocation } from "../operation/grant-limits.ts";
import type { Position } from "../storage/keyset/keyset.ts";
import { defineNarrowedList } from "../storage/keyset/narrowed.ts";
import type { ListFilter } from "../storage/keyset/narrowed.ts";
import { sql } from "../storage/sql-text.ts";
import type { SqlText } from "../storage/sql-text.ts";
import type { Value } from "../storage/value.ts";
import { toAuditEntryView } from "./audit-entry.view.ts";
import type { AuditEntryView, AuditRow, auditQuery } from "./audit-entry.view.ts";

const columns = `audit_entries.id, audit_entries.operation, actor_type, actor_id, address, audit_entries.location_id, subject, subject_id,
  details, audit_entries.created_at, audit_entries.position, audit_entries.hash, coalesce(users.name, api_keys.name, apps.name) as actor_name`;

/** Names are those of today: entries hold ids alone. */
function pageText(found: SqlText): SqlText {
  return sql`select ${columns} from ${found}
    left join users on actor_type = 'user' and users.id = actor_id
    left join api_keys on actor_type = 'api_key' and api_keys.id = actor_id
    left join apps on actor_type = 'app' and apps.id = actor_id
    order by audit_entries.created_at desc, audit_entries.id desc`;
}

const findEntries = defineNarrowedList<AuditRow>({
  table: "audit_entries",
  columns: ["created_at", "id"],
  direction: "desc",
  toParams: ([time, id]) => [new Date(time!), id!],
  select: pageText,
});

/** A page of the entries. Refuses a credential that reaches some locations only, since most entries are about the whole workspace. */
export async function listAuditEntries(
  reader: Reader,
  query: z.output<typeof auditQuery> & { readonly limit?: number | undefined },
): Promise<Page<AuditEntryView>> {
  requireEveryLocation(reader, { what: "Audit entries", scope: "audit.readonly" });
  const conditions = conditionsOf(reader, query);
  return page(reader.tools.cursors, query, {
    list: `audit ${reader.workspaceId} ${JSON.stringify(conditions.map(({ params }) => params))}`,
    find: (after: Position | undefined, most) =>
      findEntries({ rows: reader.rows, conditions, after, most, holder: queueKeyOf(reader) }),
    placeOf: ({ created_at: time, id }): Position => [time, id],
    show: toAuditEntryView,
  });
}

/** Each combination of actor and operation has an index in the order of the list, a location has none. */
function conditionsOf(
  { workspaceId, location }: Reader,
  { actor, operation, since, until }: z.output<typeof auditQuery>,
): ListFilter[] {
  const texts = ["workspace_id = ?"];
  const params: Value[] = [workspaceId];
  const narrow = (text: string, ...values: readonly Value[]) => {
    texts.push(text);
    params.push(...values);
  };
  if (actor !== undefined) {
    const [type, id = "0"] = actor.split(":");
    narrow("actor_type = ? and actor_id = ?", type!, Number(id));
  }
  if (operation !== undefined) narrow("operation = ?", operation);
  if (since) narrow("created_at >= ?", since);
  if (until) narrow("created_at < ?", until);
  const whole: ListFilter = { text: texts.join(" and "), params, index: "order" };
  return location === null ? [whole] : [whole, { text: "location_id = ?", params: [location.id], index: "none" }];
}
