/** `crm hooks resume` */
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, workspaceFlag } from "../../terminal/input/flags.ts";

export default class HooksResume extends CrmCommand {
  static override description = "Resumes a paused webhook, or one that was disabled because its receiver answered 410.";
  static override jsonResult = "the webhook";
  static override examples = ["<%= config.bin %> hooks resume 3", "<%= config.bin %> hooks resume 3 --json"];
  static override args = { id: idArgument("The webhook.") };
  static override flags = workspaceFlag;

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(HooksResume);
    const { updateHook } = await import("../../src/webhooks/hooks/hook.operations.ts");
    const hook = await this.carryOut(updateHook, flags, { hook: args.id, input: { status: "active" } });
    this.log(`Resumed webhook ${args.id}.`);
    return hook;
  }
}
