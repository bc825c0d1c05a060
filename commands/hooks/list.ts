/** `crm hooks list` */
import { CrmCommand } from "../../terminal/command.ts";
import { locationFlags } from "../../terminal/input/flags.ts";
import { printable, table } from "../../terminal/output/table.ts";

export default class HooksList extends CrmCommand {
  static override description = `Lists the webhooks of a workspace.

A webhook whose attempts have all failed for three days is reported below the table; it is never disabled automatically.`;
  static override jsonResult = "a list of webhooks";
  static override examples = ["<%= config.bin %> hooks list", "<%= config.bin %> hooks list --location 1 --json"];
  static override flags = locationFlags;

  async run(): Promise<unknown> {
    const { flags } = await this.parse(HooksList);
    return this.inReach(flags, async (caller, service) => {
      const [{ listHooks }, { allPages }, { reportedBefore }] = await Promise.all([
        import("../../src/webhooks/hooks/hook.operations.ts"),
        import("../../src/kit/page.ts"),
        import("../../src/webhooks/hooks/failing-hooks.ts"),
      ]);
      const hooks = await allPages((query) => service.carryOut(listHooks, caller, { query }));
      const rows = hooks.map((hook) => ({
        ...hook,
        events: hook.events ?? "all",
        location: hook.location_id ?? "all",
      }));
      const columns = ["id", "target_url", "events", "location", "status", "failing_since"] as const;
      this.log(
        table(rows, columns, {
          cuts: ["target_url", "events"],
          none: "No webhooks yet. Create one: crm hooks create EVENT --url URL",
        }),
      );
      const before = reportedBefore(service.clock.now());
      for (const { id, target_url, failing_since } of hooks)
        if (failing_since !== null && Date.parse(failing_since) < before.getTime())
          this.log(
            `Webhook ${id} (${printable(target_url)}) has failed every attempt since ${failing_since}: see crm hooks deliveries ${id}.`,
          );
      return hooks;
    });
  }
}
