/** `crm hooks deliveries` */
import { Flags } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { countFlag, idArgument, workspaceFlag } from "../../terminal/input/flags.ts";
import { table } from "../../terminal/output/table.ts";

export default class HooksDeliveries extends CrmCommand {
  static override description = "Lists the deliveries of a webhook with their latest attempt, newest first.";
  static override jsonResult = "a list of deliveries with all attempts";
  static override examples = [
    "<%= config.bin %> hooks deliveries 3",
    "<%= config.bin %> hooks deliveries 3 --failed --limit 1000 --json",
  ];
  static override args = { id: idArgument("The webhook.") };
  static override flags = {
    ...workspaceFlag,
    failed: Flags.boolean({ description: "Only failed ones." }),
    limit: countFlag(100_000, { description: "How many at most.", default: 50 }),
  };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(HooksDeliveries);
    return this.inWorkspace(flags, async (caller, service) => {
      const [{ listDeliveries }, { allPages }] = await Promise.all([
        import("../../src/webhooks/deliveries/delivery.operations.ts"),
        import("../../src/kit/page.ts"),
      ]);
      const state = flags.failed ? ("failed" as const) : undefined;
      const deliveries = await allPages(
        (query) => service.carryOut(listDeliveries, caller, { hook: args.id, query: { ...query, state } }),
        flags.limit,
      );
      const rows = deliveries.map(({ attempts, ...delivery }) => {
        const last = attempts.at(-1);
        return {
          ...delivery,
          attempts: last?.number ?? 0,
          last: last === undefined ? null : lastOf(last),
          milliseconds: last?.duration_ms ?? null,
        };
      });
      const columns = [
        "id",
        "event",
        "state",
        "created_at",
        "attempts",
        "last",
        "milliseconds",
        "next_attempt_at",
      ] as const;
      this.log(
        table(rows, columns, {
          none: flags.failed ? "No delivery failed." : `No deliveries yet. Send a test: crm hooks test ${args.id}`,
        }),
      );
      return deliveries;
    });
  }
}

/** The status of the response, or why there is none. */
function lastOf({ status, error }: { readonly status: number | null; readonly error: string | null }): string | number {
  const isByStatus = error === null || /^(redirect|http_)/.test(error);
  return (isByStatus ? status : error) ?? "under way";
}
