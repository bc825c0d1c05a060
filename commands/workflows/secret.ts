/** `crm workflows secret` */
import { Args, Flags } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, locationFlags } from "../../terminal/input/flags.ts";
import { readSecret } from "../../terminal/input/secret.ts";
import { WrongUsage } from "../../terminal/failures.ts";
import { table } from "../../terminal/output/table.ts";

export default class WorkflowsSecret extends CrmCommand {
  static override description = `Adds, replaces or removes a secret that headers of a workflow's posts take as {{secret.KEY}}, and lists those that there are.

Its value is read from stdin, stored encrypted, never shown again, and sent to one address only.`;
  static override jsonResult = "data: the key and origin of each secret of the workflow";
  static override examples = [
    "<%= config.bin %> workflows secret 1 gateway --origin https://gateway.example.com < FILE",
    "<%= config.bin %> workflows secret 1 gateway --remove",
  ];
  static override args = {
    id: idArgument("The workflow."),
    key: Args.string({ description: "How headers name it.", required: true }),
  };
  static override flags = {
    ...locationFlags,
    origin: Flags.string({
      description: "The only address that it is sent to: scheme, host and port.",
      exclusive: ["remove"],
    }),
    remove: Flags.boolean({ description: "Remove it; posts that need it fail." }),
  };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(WorkflowsSecret);
    if (!flags.remove && flags.origin === undefined)
      throw new WrongUsage("Name the address that it is sent to with --origin, or give --remove.");
    const { setWorkflowSecret } = await import("../../src/crm/workflows/workflow.operations.ts");
    const input = { key: args.key, value: flags.remove ? null : await readSecret(), origin: flags.origin };
    const secrets = await this.carryOut(setWorkflowSecret, flags, { workflow: args.id, input });
    this.log(table(secrets.data, ["key", "origin"], { none: `Workflow ${args.id} has no secrets.` }));
    return secrets;
  }
}
