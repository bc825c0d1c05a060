/** `crm hooks remove` */
import { CrmCommand } from "../../terminal/command.ts";
import { confirm } from "../../terminal/input/confirm.ts";
import { idArgument, workspaceFlag, yesFlag } from "../../terminal/input/flags.ts";

export default class HooksRemove extends CrmCommand {
  static override description = "Removes a webhook; its pending deliveries are canceled.";
  static override jsonResult = "{id, removed}";
  static override examples = ["<%= config.bin %> hooks remove 3", "<%= config.bin %> hooks remove 3 --yes --json"];
  static override args = { id: idArgument("The webhook.") };
  static override flags = { ...workspaceFlag, ...yesFlag };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(HooksRemove);
    await confirm(`remove webhook ${args.id} and cancel its pending deliveries`, flags);
    const { removeHook } = await import("../../src/webhooks/hooks/hook.operations.ts");
    await this.carryOut(removeHook, flags, { hook: args.id });
    this.log(`Removed webhook ${args.id}.`);
    return { id: args.id, removed: true };
  }
}
