/** `crm hooks create` */
import { Args, Flags } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { WrongUsage } from "../../terminal/failures.ts";
import { locationFlags } from "../../terminal/input/flags.ts";

export default class HooksCreate extends CrmCommand {
  static override description = `Registers a webhook and prints its secret, which signs every delivery and is shown once.

It receives events from now on, of every location unless --location names one. The URL must be a public https URL; CRM_WEBHOOK_ALLOWED_NETWORKS and CRM_WEBHOOK_ALLOW_HTTP permit private receivers and development. docs/webhooks.md has the details.`;
  static override jsonResult = "{id, events, target_url, location_id, secret}; events is null for all";
  static override examples = [
    "<%= config.bin %> hooks create contact.created --url https://example.com/hooks/crm",
    "<%= config.bin %> hooks create contact.created contact.updated --url https://example.com/hooks/crm --location 1",
    "<%= config.bin %> hooks create --all --url https://example.com/hooks/crm --json",
  ];
  static override args = {
    event: Args.string({
      description: "An event, such as contact.created; repeatable.",
      multiple: true,
    }),
  };
  static override flags = {
    ...locationFlags,
    url: Flags.string({ description: "The receiver.", required: true, helpValue: "URL" }),
    all: Flags.boolean({ description: "Every event, including those of later versions." }),
  };

  static override fields = { target_url: "url" };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(HooksCreate);
    if (Boolean(flags.all) === (args.event !== undefined)) {
      throw new WrongUsage("Name at least one event, such as contact.created, or give --all.");
    }
    return this.inReach(flags, async (caller, service) => {
      const { createHook } = await import("../../src/webhooks/hooks/hook.operations.ts");
      const input = { event: flags.all ? null : args.event!, target_url: flags.url };
      const hook = await service.carryOut(createHook, caller, { input });
      this.log(`Created webhook ${hook.id}. Its secret is shown only once:\n${hook.secret}`);
      return hook;
    });
  }
}
