/** `crm hooks rotate-secret` */
import { CrmCommand } from "../../terminal/command.ts";
import { durationFlag, idArgument, workspaceFlag } from "../../terminal/input/flags.ts";

export default class HooksRotateSecret extends CrmCommand {
  static override description = `Replaces the secret of a webhook and prints the new one, which signs from now on.

With --grace the old one also signs for that long (t=…,v1=<new>,v1=<old>), so that the receiver can switch.`;
  static override jsonResult = "the webhook, with its secret";
  static override examples = [
    "<%= config.bin %> hooks rotate-secret 3 --grace 24h",
    "<%= config.bin %> hooks rotate-secret 3 --json",
  ];
  static override args = { id: idArgument("The webhook.") };
  static override flags = {
    ...workspaceFlag,
    grace: durationFlag({ description: "How long the old secret also signs, such as 24h." }),
  };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(HooksRotateSecret);
    const { rotateHookSecret } = await import("../../src/webhooks/hooks/hook.operations.ts");
    const input = { grace_seconds: Math.round((flags.grace ?? 0) / 1000) };
    const rotated = await this.carryOut(rotateHookSecret, flags, { hook: args.id, input });
    this.log(`The new secret of webhook ${args.id} is shown only once:\n${rotated.secret}`);
    return rotated;
  }
}
