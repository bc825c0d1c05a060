/** `crm hooks pause` */
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, workspaceFlag } from "../../terminal/input/flags.ts";

export default class HooksPause extends CrmCommand {
  static override description =
    "Pauses a webhook: its events wait until it is resumed, for as long as their payloads are kept.";
  static override jsonResult = "the webhook";
  static override examples = ["<%= config.bin %> hooks pause 3", "<%= config.bin %> hooks pause 3 --json"];
  static override args = { id: idArgument("The webhook.") };
  static override flags = workspaceFlag;

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(HooksPause);
    const { updateHook } = await import("../../src/webhooks/hooks/hook.operations.ts");
    const hook = await this.carryOut(updateHook, flags, { hook: args.id, input: { status: "paused" } });
    this.log(`Paused webhook ${args.id}.`);
    return hook;
  }
}
