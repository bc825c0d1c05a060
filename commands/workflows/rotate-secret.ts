/** `crm workflows rotate-secret` */
import { CrmCommand } from "../../terminal/command.ts";
import { durationFlag, idArgument, locationFlags } from "../../terminal/input/flags.ts";

export default class WorkflowsRotateSecret extends CrmCommand {
  static override description = `Generates the secret that signs the posts of a workflow's webhook nodes, or replaces it, and prints it.

Posts are signed like webhooks from now on; crm hooks verify checks a signature. With --grace the old secret also signs for that long.`;
  static override jsonResult = "the id of the workflow, secret, and old_secret_until";
  static override examples = [
    "<%= config.bin %> workflows rotate-secret 1",
    "<%= config.bin %> workflows rotate-secret 1 --grace 24h --json",
  ];
  static override args = { id: idArgument("The workflow.") };
  static override flags = {
    ...locationFlags,
    grace: durationFlag({ description: "How long the old secret also signs, such as 24h." }),
  };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(WorkflowsRotateSecret);
    const { rotateWorkflowSecret } = await import("../../src/crm/workflows/workflow.operations.ts");
    const input = { grace_seconds: Math.round((flags.grace ?? 0) / 1000) };
    const rotated = await this.carryOut(rotateWorkflowSecret, flags, { workflow: args.id, input });
    this.log(`The secret that signs the posts of workflow ${args.id} is shown only once:\n${rotated.secret}`);
    return rotated;
  }
}
