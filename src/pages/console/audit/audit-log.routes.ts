/** The audit log, for owners. */
import { listAuditEntries } from "../../../audit/audit-entry.operations.ts";
import type { Route } from "../../../http/route.ts";
import { carryOut } from "../../../operation/carry-out.ts";
import { Invalid } from "../../../vocabulary/errors.ts";
import { pageAnswer } from "../../page-answer.ts";
import { workRoutes } from "../../work.route.ts";
import type { ConsoleDeps } from "../console-deps.ts";
import { toFaults } from "../forms.ts";
import { auditLogPage } from "./audit-log.page.ts";

export function auditLogRoutes(deps: ConsoleDeps): Route[] {
  const { operating } = deps;
  const { shown } = workRoutes(deps).inWorkspace;
  return [
    shown({
      path: "/audit",
      summary: "The audit log of a workspace.",
      may: listAuditEntries,
      async show(here, { query }) {
        const [operation, actor, cursor] = ["operation", "actor", "cursor"].map((name) => query.get(name) ?? "");
        const chosen = { operation: operation!, actor: actor! };
        try {
          const asked = { operation: operation || undefined, actor: actor || undefined, cursor: cursor || null };
          const page = await carryOut(listAuditEntries, here.caller, { query: asked }, operating);
          return auditLogPage(here, {
            ...chosen,
            entries: page.data,
            isContinued: cursor !== "",
            nextCursor: page.next_cursor,
          });
        } catch (error) {
          if (!(error instanceof Invalid)) throw error;
          const none = { entries: [], isContinued: false, nextCursor: null, faults: toFaults(error) };
          return pageAnswer(422, auditLogPage(here, { ...chosen, ...none }));
        }
      },
    }),
  ];
}
