/** `crm hooks show` */
import type { HookView } from "../../src/webhooks/hooks/hook.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, workspaceFlag } from "../../terminal/input/flags.ts";
import { details } from "../../terminal/output/details.ts";

export default class HooksShow extends CrmCommand {
  static override description = "Shows a webhook.";
  static override jsonResult = "the webhook as the API shows it";
  static override examples = ["<%= config.bin %> hooks show 3", "<%= config.bin %> hooks show 3 --json"];
  static override args = { id: idArgument("The webhook.") };
  static override flags = workspaceFlag;

  async run(): Promise<HookView> {
    const { args, flags } = await this.parse(HooksShow);
    const { getHook } = await import("../../src/webhooks/hooks/hook.operations.ts");
    const hook = await this.carryOut(getHook, flags, { hook: args.id });
    this.log(
      details(`Webhook ${hook.id}: ${hook.target_url}`, {
        events: hook.events?.join(", ") ?? "all",
        location: String(hook.location_id ?? "all"),
        status: hook.status,
        "failing since": hook.failing_since,
        "created at": hook.created_at,
      }),
    );
    return hook;
  }
}
