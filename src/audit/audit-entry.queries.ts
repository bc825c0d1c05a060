/** Reads the audit log of a workspace, latest entry first. Each combination of filters has an index in the order of the list. */
import type { z } from "zod";
import type { Reader } from "../events/caller.ts";
import { page } from "../kit/page.ts";
import type { Page } from "../kit/page.ts";
import { requireEveryLocation } from "../operation/grant-limits.ts";
import { defineKeyset } from "../storage/keyset/keyset.ts";
import type { Position } from "../storage/keyset/keyset.ts";
import { joinSql, sql } from "../storage/sql-text.ts";
import type { SqlText } from "../storage/sql-text.ts";
import type { Value } from "../storage/value.ts";
import { toAuditEntryView } from "./audit-entry.view.ts";
import type { AuditEntryView, AuditRow, auditQuery } from "./audit-entry.view.ts";

const keyset = defineKeyset({ time: "audit_entries.created_at", id: "audit_entries.id" });

const columns = `audit_entries.id, audit_entries.operation, actor_type, actor_id, address, audit_entries.location_id, subject, subject_id,
  details, audit_entries.created_at, audit_entries.position, audit_entries.hash, coalesce(users.name, api_keys.name, apps.name) as actor_name`;

/** Names are those of today: entries hold ids alone. */
const from = `audit_entries
  left join users on actor_type = 'user' and users.id = actor_id
  left join api_keys on actor_type = 'api_key' and api_keys.id = actor_id
  left join apps on actor_type = 'app' and apps.id = actor_id`;

/** A page of the entries. Refuses a credential that reaches some locations only, since most entries are about the whole workspace. */
export async function listAuditEntries(
  reader: Reader,
  query: z.output<typeof auditQuery> & { readonly limit?: number | undefined },
): Promise<Page<AuditEntryView>> {
  requireEveryLocation(reader, { what: "Audit entries", scope: "audit.readonly" });
  const conditions = conditionsOf(reader, query);
  return page(reader.tools.cursors, query, {
    list: `audit ${reader.workspaceId} ${JSON.stringify(conditions.params)}`,
    find: (after: Position | undefined, most) => {
      const { texts, params } = keyset.within({ after });
      const where = joinSql([...conditions.texts, ...texts], " and ");
      const text = sql`select ${columns} from ${from} where ${where} order by ${keyset.order} limit ?`;
      return reader.rowsOnce<AuditRow>(text, [...conditions.params, ...params, most]);
    },
    placeOf: ({ created_at: time, id }): Position => [time, id],
    show: toAuditEntryView,
  });
}

function conditionsOf(
  { workspaceId, location }: Reader,
  { actor, operation, since, until }: z.output<typeof auditQuery>,
): { readonly texts: readonly SqlText[]; readonly params: readonly Value[] } {
  const texts = [sql`audit_entries.workspace_id = ?`];
  const params: Value[] = [workspaceId];
  const narrow = (text: string, ...values: readonly Value[]) => {
    texts.push(sql`${text}`);
    params.push(...values);
  };
  if (location !== null) narrow("audit_entries.location_id = ?", location.id);
  if (actor !== undefined) {
    const [type, id = "0"] = actor.split(":");
    narrow("actor_type = ? and actor_id = ?", type!, Number(id));
  }
  if (operation !== undefined) narrow("audit_entries.operation = ?", operation);
  if (since) narrow("audit_entries.created_at >= ?", since);
  if (until) narrow("audit_entries.created_at < ?", until);
  return { texts, params };
}
