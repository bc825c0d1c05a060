/** Creates workflows and writes their drafts. It emits no events. */
import type { Change, LocationContext } from "../../events/caller.ts";
import { laterOf } from "../../kit/time/clock.ts";
import { lockKeys, forUpdate } from "../../storage/locks.ts";
import { sql } from "../../storage/sql-text.ts";
import { Invalid, Refusal } from "../../vocabulary/errors.ts";
import { limits } from "../../vocabulary/limits.ts";
import { keepAttachments } from "./workflow-attachments.ts";
import { Workflow } from "../workflow.entity.ts";
import { attachmentsIn } from "./definition/named-attachments.ts";
import { clearSecretsIn } from "./definition/post-headers.ts";
import { openQueue } from "./posting/post-queue.ts";
import { findWorkflow } from "./workflow.queries.ts";
import type { WorkflowInput, WorkflowPatch } from "./workflow.schema.ts";
import type { WorkflowRow } from "./workflow.view.ts";

/** Creates a workflow, as a draft. Refuses, with 422, one above the limit of a location, and secrets in clear. */
export async function createWorkflow(
  change: Change<LocationContext>,
  { name, definition, allow_reentry = false }: WorkflowInput,
): Promise<WorkflowRow> {
  refuseClearSecrets(definition);
  lockKeys(change, [`workflows of ${change.location.id}`]);
  await refuseTooMany(change);
  const workflow = change.em.create(Workflow, {
    location: change.location.id,
    name,
    status: "draft",
    allowReentry: allow_reentry,
    draft: JSON.stringify(definition),
    createdAt: change.now,
    updatedAt: change.now,
  });
  await change.em.flush();
  openQueue(change, workflow.id);
  keepAttachments(change, workflow.id, attachmentsIn(definition));
  return (await findWorkflow(change, workflow.id))!;
}

/**
 * Changes the given fields. The name and re-entry take effect at once; a definition is written as the draft, which takes effect when it is
 * published. Refuses `workflow.not_found`, and with 422 secrets in clear.
 */
export async function updateWorkflow(
  change: Change<LocationContext>,
  id: number,
  { name, definition, allow_reentry: allowReentry }: WorkflowPatch,
): Promise<WorkflowRow> {
  if (definition !== undefined) refuseClearSecrets(definition);
  const workflow = await lockWorkflow(change, id);
  const draft = definition === undefined ? workflow.draft : JSON.stringify(definition);
  const fields = { name: name ?? workflow.name, draft, allowReentry: allowReentry ?? Boolean(workflow.allowReentry) };
  const isChanged = Object.entries(fields).some(([field, value]) => workflow[field as keyof typeof fields] !== value);
  if (isChanged) Object.assign(workflow, fields, { updatedAt: laterOf(workflow.updatedAt, change.now) });
  await change.em.flush();
  if (definition !== undefined) keepAttachments(change, id, attachmentsIn(definition));
  return (await findWorkflow(change, id))!;
}

const lockText = sql`select id from workflows where id = ? and location_id = ?${forUpdate("workflows")}`;

/** Locks the workflow against changes and enrollments until the commit. Refuses `workflow.not_found`. */
export async function lockWorkflow(change: Change<LocationContext>, id: number) {
  const [held] = await change.rows(lockText, [id, change.location.id]);
  if (held === undefined) throw new Refusal("workflow.not_found");
  return change.em.findOneOrFail(Workflow, id);
}

/** A draft is stored as it is, before publishing checks it. */
function refuseClearSecrets(definition: Readonly<Record<string, unknown>>): void {
  const [name] = clearSecretsIn(definition);
  if (name === undefined) return;
  throw new Invalid({
    definition: [
      `The definition has a value of the header ${name.slice(0, 64)}; take it from a secret of the workflow, as {{secret.KEY}}: a definition is not encrypted.`,
    ],
  });
}

async function refuseTooMany(change: Change<LocationContext>): Promise<void> {
  const [workflows] = await change.rows<{ count: number }>(
    "select count(*) as count from workflows where location_id = ?",
    [change.location.id],
  );
  if (Number(workflows!.count) >= limits.workflows) {
    throw new Invalid({ name: [`The location has ${limits.workflows} workflows, the most that it can have.`] });
  }
}
