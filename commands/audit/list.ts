/** `crm audit list` */
import { Flags } from "@oclif/core";
import type { Service } from "../../src/service.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { countFlag, locationFlags } from "../../terminal/input/flags.ts";
import { table } from "../../terminal/output/table.ts";

export default class AuditList extends CrmCommand {
  static override description = `Lists who did what in a workspace, when, and from where, latest first.

--service lists what belongs to no workspace instead: starts with their settings, backups, and sign-ins to unknown accounts.`;
  static override jsonResult = "a list of entries, as GET /audit shows them";
  static override examples = [
    "<%= config.bin %> audit list",
    "<%= config.bin %> audit list --operation signInFailed --since 2026-03-01T00:00:00Z",
    "<%= config.bin %> audit list --actor user:12 --limit 500 --json",
    "<%= config.bin %> audit list --service",
  ];

  static override flags = {
    ...locationFlags,
    service: Flags.boolean({
      description: "Entries outside of every workspace.",
      exclusive: ["workspace", "location"],
    }),
    actor: Flags.string({ description: "Only entries of this actor.", helpValue: "user:12|api_key:3|operator" }),
    operation: Flags.string({ description: "Only entries of this operation, such as createApiKey." }),
    since: Flags.string({ description: "Only entries from this time on.", helpValue: "TIME" }),
    until: Flags.string({ description: "Only entries before this time.", helpValue: "TIME" }),
    limit: countFlag(100_000, { description: "How many to print at most.", default: 50 }),
  };

  async run(): Promise<unknown> {
    const { flags } = await this.parse(AuditList);
    const { service: isService, limit, actor, operation, since, until } = flags;
    const list = async (caller: Parameters<Parameters<typeof this.inReach>[1]>[0], service: Service) => {
      const [{ listAuditEntries }, { allPages }] = await Promise.all([
        import("../../src/audit/audit-entry.operations.ts"),
        import("../../src/kit/page.ts"),
      ]);
      return allPages(
        (page) => service.carryOut(listAuditEntries, caller, { query: { ...page, actor, operation, since, until } }),
        limit,
      );
    };
    const entries = await (isService
      ? this.withService((service) => list(service.operator, service))
      : this.inReach(flags, list));
    const rows = entries.map(({ actor: { type, id, name }, subject, details, ...entry }) => ({
      ...entry,
      actor: name ?? (id === null ? type : `${type} ${id}`),
      subject: subject === null ? null : `${subject.type} ${subject.id}`,
      details: Object.keys(details).length === 0 ? null : JSON.stringify(details),
    }));
    const columns = ["created_at", "operation", "actor", "address", "subject", "details"] as const;
    this.log(table(rows, columns, { cuts: ["details", "actor"], none: "No entries." }));
    return entries;
  }
}
