/** The input of workflow runs: enrollments, and the filters of the list. */
import { z } from "zod";
import { creation } from "../../kit/input/creation.ts";
import { filterId, recordId } from "../../kit/input/fields.ts";
import { jsonObject } from "../../kit/input/json-object.ts";
import { pageQuery } from "../../kit/page-shapes.ts";
import { limits } from "../../vocabulary/limits.ts";
import { runStatuses } from "../../vocabulary/states.ts";

const { contextBytes, contextDepth } = limits.workflowRun;

/** POST /workflows/{id}/enroll. */
export const enrollInput = creation({
  contact_id: recordId(),
  context: jsonObject({ bytes: contextBytes, depth: contextDepth, reserved: [] })
    .nullish()
    .describe("The `context` of the workflow's templates and filters."),
}).meta({ examples: [{ contact_id: 1, context: { plan: "pro" } }] });

/** GET /workflows/{id}/runs. All given filters must match. */
export const workflowRunListQuery = z.object({
  status: z.enum(runStatuses).optional().describe("Runs with this status."),
  contact_id: filterId().describe("Runs of this contact."),
  ...pageQuery.shape,
});

export type WorkflowRunListQuery = z.output<typeof workflowRunListQuery>;
