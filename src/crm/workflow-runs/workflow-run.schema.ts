/** The input of workflow runs: enrollments, and the filters of the list. */
import { z } from "zod";
import { describeInput } from "../../kit/input/described-input.ts";
import { creation } from "../../kit/input/creation.ts";
import { filterId, flag, recordId, requiredTimestamp, wholeNumber } from "../../kit/input/fields.ts";
import { jsonObject } from "../../kit/json/json-field.ts";
import { pageQuery } from "../../kit/page-shapes.ts";
import { limits } from "../../vocabulary/limits.ts";
import { runStatuses } from "../../vocabulary/states.ts";

const { contextBytes, contextDepth } = limits.workflowRun;

/** The context that is given with an enrollment. */
export const enrollmentContext = jsonObject({ bytes: contextBytes, depth: contextDepth, reserved: [] })
  .nullish()
  .describe("The `context` of the workflow's templates and filters.");

const oneContact = creation({ contact_id: recordId(), context: enrollmentContext });
const severalContacts = creation({
  contact_ids: z.array(recordId()).min(1).max(limits.workflowRun.enrolled),
  context: enrollmentContext,
});

const contacts = creation({
  contact_id: recordId().optional().describe("The contact; required without `contact_ids`."),
  contact_ids: severalContacts.shape.contact_ids.optional().describe("Several contacts, instead of `contact_id`."),
  context: enrollmentContext,
});

type OneContact = z.output<typeof oneContact> & { readonly contact_ids?: undefined };
type SeveralContacts = z.output<typeof severalContacts>;

/** POST /workflows/{id}/enroll: one contact, or several with `contact_ids`. */
export const enrollInput = z
  .unknown()
  .transform((raw, { issues }): OneContact | SeveralContacts => {
    const given = (typeof raw === "object" ? raw : null) as Readonly<Record<string, unknown>> | null;
    const isSeveral = given?.["contact_ids"] !== undefined && given["contact_ids"] !== null;
    const parsed = (isSeveral ? severalContacts : oneContact).safeParse(raw);
    if (!parsed.success) issues.push(...parsed.error.issues.map((issue) => ({ ...issue, input: undefined })));
    if (isSeveral && given["contact_id"] !== undefined && given["contact_id"] !== null)
      issues.push({
        code: "custom",
        path: ["contact_id"],
        input: undefined,
        message: "must not be given with contact_ids.",
      });
    return parsed.success ? parsed.data : z.NEVER;
  })
  .meta({ ...describeInput(contacts), examples: [{ contact_id: 1, context: { plan: "pro" } }] });

/** A piece of an enrollment of all contacts that match filters. */
export const enrollMatchingInput = z.object({
  filters: z.unknown(),
  context: enrollmentContext,
  after: wholeNumber().optional().describe("Continues behind the contact with this id."),
  dry_run: flag(),
});

/** Retries all runs of a workflow that failed since a time. */
export const retryFailedInput = z.object({ since: requiredTimestamp() });

/** GET /workflows/{id}/runs. All given filters must match. */
export const workflowRunListQuery = z.object({
  status: z.enum(runStatuses).optional().describe("Runs with this status."),
  contact_id: filterId().describe("Runs of this contact."),
  ...pageQuery.shape,
});

export type WorkflowRunListQuery = z.output<typeof workflowRunListQuery>;
