/** `crm workflows try`: a dry run. */
import { Args, Flags } from "@oclif/core";
import type { DryRunView } from "../../src/crm/workflows/dry-run/dry-run.view.ts";
import { toId } from "../../src/kit/input/id.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { WrongUsage } from "../../terminal/failures.ts";
import { idFlag, locationFlags } from "../../terminal/input/flags.ts";
import { readDefinitionFile } from "../../terminal/input/given/definition.ts";

export default class WorkflowsTry extends CrmCommand {
  static override description = `Performs a dry run of a definition, on a clock that jumps from wait to wait, and prints what would happen and when.

Nothing is sent, posted or stored. The contact replies only with --reply; events never come, so waits for them time out. A definition with errors is refused as by crm workflows publish.

With --event the trigger is judged too: if the event would not start a run now, the output says why. The data of the event is the context. For a workflow, its published definition and its active runs count.`;
  static override jsonResult =
    "{steps}, each with at, node, and one of did, took, failed (with took), waits (with until and event), ended (with error if it failed) and goes_on; with --event also trigger: {event, contact_id, starts, reasons, filter}";
  static override examples = [
    "<%= config.bin %> workflows try welcome.json --contact 12",
    `<%= config.bin %> workflows try welcome.json --contact 12 --reply --context '{"form":"Offer"}' --json`,
    "<%= config.bin %> workflows try 3 --event 812",
  ];
  static override args = {
    file: Args.string({
      description: "The definition: a JSON file, or - for stdin. Or the ID of a workflow.",
      required: true,
    }),
  };
  static override flags = {
    ...locationFlags,
    contact: idFlag({ description: "The contact. Default: the contact of the event." }),
    event: Flags.string({
      description: `The event: the ID of one in the log (crm events), or a JSON file such as {"event": "form.submitted", "contact_id": 12, "data": {"form": "Offer"}}.`,
      helpValue: "ID|FILE",
    }),
    context: Flags.string({
      description: "The context of the run: a JSON object, or @FILE.",
      helpValue: "JSON|@FILE",
      exclusive: ["event"],
    }),
    reply: Flags.boolean({ description: "Let the contact reply to every wait for a reply." }),
  };

  static override fields = { definition: "file", workflow_id: "file", event_id: "event", contact_id: "contact" };

  async run(): Promise<DryRunView> {
    const { args, flags } = await this.parse(WorkflowsTry);
    if (flags.contact === undefined && flags.event === undefined)
      throw new WrongUsage("Name a contact with --contact, or an event with --event.");
    const [{ tryDefinition }, { tellSteps, tellTrigger }, { readGivenJson }] = await Promise.all([
      import("../../src/crm/workflows/workflow.operations.ts"),
      import("../../terminal/output/workflows/dry-run-text.ts"),
      import("../../terminal/input/given/given-json.ts"),
    ]);
    const { event, context } = flags;
    const workflowId = toId(args.file);
    const eventId = toId(event);
    const input = {
      workflow_id: workflowId,
      definition: workflowId === undefined ? await readDefinitionFile(args.file, "FILE") : undefined,
      event_id: eventId,
      // Validated by the operation.
      event:
        event === undefined || eventId !== undefined
          ? undefined
          : ((await readGivenJson("event", sourceOf(event))) as never),
      contact_id: flags.contact,
      context: context === undefined ? undefined : await readGivenJson("context", context),
      reply: flags.reply ?? false,
    };
    return this.inLocation(flags, async (caller, { carryOut }) => {
      const tried = await carryOut(tryDefinition, caller, { input });
      const { timezone } = caller.location;
      const trigger = tried.trigger === undefined ? [] : tellTrigger(tried.trigger);
      this.log([...trigger, ...tellSteps(tried.steps, timezone)].join("\n"));
      return tried;
    });
  }
}

function sourceOf(file: string): string {
  return file === "-" ? file : `@${file}`;
}
