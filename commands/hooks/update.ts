/** `crm hooks update` */
import { Flags } from "@oclif/core";
import type { HookView } from "../../src/webhooks/hooks/hook.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { WrongUsage } from "../../terminal/failures.ts";
import { idArgument, workspaceFlag } from "../../terminal/input/flags.ts";

export default class HooksUpdate extends CrmCommand {
  static override description = "Changes the given fields of a webhook. --event replaces its events.";
  static override jsonResult = "the webhook as the API shows it";
  static override examples = [
    "<%= config.bin %> hooks update 3 --event contact.created --event contact.updated",
    "<%= config.bin %> hooks update 3 --target-url https://example.com/hooks/crm --status active --json",
  ];
  static override args = { id: idArgument("The webhook.") };
  static override flags = {
    ...workspaceFlag,
    event: Flags.string({
      description: "An event to receive, such as contact.created; repeatable.",
      helpValue: "EVENT",
      multiple: true,
      multipleNonGreedy: true,
    }),
    all: Flags.boolean({ description: "Every event, including those of later versions.", exclusive: ["event"] }),
    "target-url": Flags.string({ description: "Its new receiver.", helpValue: "URL" }),
    status: Flags.option({ description: "The events of a paused one wait.", options: ["active", "paused"] as const })(),
  };

  static override fields = { events: "event" };

  async run(): Promise<HookView> {
    const { args, flags } = await this.parse(HooksUpdate);
    const { event, all, "target-url": targetUrl, status } = flags;
    const input = {
      ...(event === undefined ? {} : { events: event }),
      ...(all ? { events: null } : {}),
      ...(targetUrl === undefined ? {} : { target_url: targetUrl }),
      ...(status === undefined ? {} : { status }),
    };
    if (Object.keys(input).length === 0)
      throw new WrongUsage("Nothing to change: give --event, --all, --target-url or --status.");
    const { updateHook } = await import("../../src/webhooks/hooks/hook.operations.ts");
    const hook = await this.carryOut(updateHook, flags, { hook: args.id, input });
    this.log(`Updated webhook ${hook.id}.`);
    return hook;
  }
}
