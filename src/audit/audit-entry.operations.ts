/** The operations of the audit log. */
import { operation } from "../operation/operation.ts";
import * as queries from "./audit-entry.queries.ts";
import { auditListView, auditQuery } from "./audit-entry.view.ts";

export const listAuditEntries = operation({
  name: "listAuditEntries",
  summary: "Lists who did what in the workspace, when, and from where, latest first.",
  noun: "Audit log",
  within: "workspace",
  may: { scope: "audit.readonly", role: "owner" },
  query: auditQuery,
  gives: auditListView,
  read: (reader, { query }) => queries.listAuditEntries(reader, query),
});
