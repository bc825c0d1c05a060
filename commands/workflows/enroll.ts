/** `crm workflows enroll` */
import { Flags } from "@oclif/core";
import type { EnrolledPiece } from "../../src/crm/workflows/enroll-matching.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, idFlag, locationFlags } from "../../terminal/input/flags.ts";

export default class WorkflowsEnroll extends CrmCommand {
  static override description = `Starts runs of a workflow, for one contact, for several, or for all that match a filter.

With --filter, contacts that have been in the workflow before are passed over: if it is interrupted, run it again. --dry-run only counts.
Texts and filters of the workflow refer to the context as {{context.KEY}}. docs/workflows.md has the details.`;
  static override jsonResult =
    "the run as the API shows it; with several contacts, data: the result of each; with --filter, enrolled, passed_over and refused (by reason)";
  static override examples = [
    "<%= config.bin %> workflows enroll 1 --contact 12",
    `<%= config.bin %> workflows enroll 1 --contact 12 --context '{"plan":"pro"}' --json`,
    "<%= config.bin %> workflows enroll 1 --contact 12 --contact 13 --context @order.json",
    `<%= config.bin %> workflows enroll 1 --filter '{"tag":"VIP"}' --dry-run`,
  ];
  static override args = { id: idArgument("The workflow.") };
  static override flags = {
    ...locationFlags,
    contact: idFlag({
      description: "A contact, repeatable: at most 200.",
      exactlyOne: ["contact", "filter"],
      multiple: true,
      multipleNonGreedy: true,
    }),
    filter: Flags.string({
      description: "The contacts that match, as for contacts list: JSON, @FILE, or - for stdin.",
      helpValue: "JSON|@FILE|-",
    }),
    "dry-run": Flags.boolean({ description: "Count the contacts, and enroll none.", dependsOn: ["filter"] }),
    context: Flags.string({
      description: "The context of the run: a JSON object, @FILE, or - for stdin.",
      helpValue: "JSON|@FILE|-",
    }),
  };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(WorkflowsEnroll);
    const [{ enroll, enrollMatching }, { resultsOf, runOf }, { readGivenJson }] = await Promise.all([
      import("../../src/crm/workflows/workflow-run.operations.ts"),
      import("../../src/crm/workflow-runs/enrollment.view.ts"),
      import("../../terminal/input/given/given-json.ts"),
    ]);
    const context = flags.context === undefined ? undefined : await readGivenJson("context", flags.context);
    if (flags.filter === undefined) {
      const [contact_id, ...others] = flags.contact ?? [];
      const input = others.length === 0 ? { contact_id, context } : { contact_ids: flags.contact, context };
      const enrolled = await this.carryOut(enroll, flags, { workflow: args.id, input });
      const results = resultsOf(enrolled) ?? [{ status: 201, contact_id: contact_id!, run: runOf(enrolled) } as const];
      for (const result of results)
        this.log(
          result.status === 201
            ? `Enrolled contact ${result.contact_id} in workflow ${args.id}: run ${result.run.id}.`
            : `Contact ${result.contact_id} is refused: ${result.message}`,
        );
      if (results.some(({ status }) => status !== 201)) process.exitCode = 1;
      return enrolled;
    }
    const filters = await readGivenJson("filter", flags.filter);
    const { startProgress } = await import("../../terminal/output/progress.ts");
    const dry_run = flags["dry-run"];
    return this.inLocation(flags, async (caller, { carryOut }) => {
      const progress = startProgress({ total: null });
      const total = { enrolled: 0, passed_over: 0, refused: {} as Record<string, number> };
      for (let after: number | null = 0; after !== null;) {
        const input = { filters, context, after, dry_run };
        const piece: EnrolledPiece = await carryOut(enrollMatching, caller, { workflow: args.id, input });
        total.enrolled += piece.enrolled;
        total.passed_over += piece.passed_over;
        for (const [reason, count] of Object.entries(piece.refused))
          total.refused[reason] = (total.refused[reason] ?? 0) + count;
        progress.update(total.enrolled, 0);
        after = piece.next_after;
      }
      progress.finish();
      this.log(`${dry_run ? "To be enrolled" : "Enrolled"}: ${total.enrolled}. Passed over: ${total.passed_over}.`);
      for (const [reason, count] of Object.entries(total.refused)) this.log(`${count} refused: ${reason}`);
      return total;
    });
  }
}
