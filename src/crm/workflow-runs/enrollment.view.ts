/** The output of enrollments: the run of one contact, or a result for each of several. */
import { z } from "zod";
import type { EnrolledContact } from "./enrollment.service.ts";
import { toWorkflowRun, workflowRunSpecimen, workflowRunView } from "./workflow-run.view.ts";
import type { WorkflowRunView } from "./workflow-run.view.ts";

const refusal = "The contact id field names a contact that has an active run of this workflow already.";

const enrolledContactsView = z
  .object({
    data: z.array(
      z.union([
        z.object({ status: z.literal(201), contact_id: z.int(), run: workflowRunView }),
        z.object({
          status: z.literal(422),
          contact_id: z.int(),
          message: z.string(),
          errors: z.record(z.string(), z.array(z.string())),
        }),
      ]),
    ),
  })
  .meta({
    id: "EnrolledContacts",
    description: "The result for each contact, in the order sent.",
    examples: [
      {
        data: [
          { status: 201, contact_id: 1, run: workflowRunSpecimen },
          { status: 422, contact_id: 2, message: refusal, errors: { contact_id: [refusal] } },
        ],
      },
    ],
  });

type EnrolledContactsView = z.output<typeof enrolledContactsView>;

export const enrolledView = z.union([workflowRunView, enrolledContactsView]).meta({
  id: "Enrollment",
  description: "The run; with `contact_ids`, the result for each contact.",
  examples: [workflowRunSpecimen],
});

export type EnrolledView = z.output<typeof enrolledView>;

export function toEnrolledContact({ contactId, run, fault }: EnrolledContact): EnrolledContactsView["data"][number] {
  return run === undefined
    ? { status: 422, contact_id: contactId, message: fault, errors: { contact_id: [fault] } }
    : { status: 201, contact_id: contactId, run: toWorkflowRun(run) };
}

/** The results of several contacts; undefined for the run of one. */
export function resultsOf(enrolled: EnrolledView): EnrolledContactsView["data"] | undefined {
  return "data" in enrolled ? enrolled.data : undefined;
}

/** The run of an enrollment of one contact. */
export function runOf(enrolled: EnrolledView): WorkflowRunView {
  if ("data" in enrolled) throw new TypeError("several contacts were enrolled, not one");
  return enrolled;
}
