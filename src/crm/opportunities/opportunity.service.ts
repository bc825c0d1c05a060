/** Creates, updates and deletes opportunities. */
import type { Change, LocationContext } from "../../events/caller.ts";
import { changesBetween } from "../../events/field-changes.ts";
import { defineInsert, defineUpdate, insertRows, updateRow } from "../../storage/inserting/insert.ts";
import { forUpdate } from "../../storage/locks.ts";
import { sql } from "../../storage/sql-text.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import {
  lockedContactOfLocation,
  lockIfNotDeleted,
  defineContactProjection,
  raiseActivity,
} from "../contact-activity.ts";
import { changedMembers } from "../custom-fields/custom-input.ts";
import { membersOf } from "../custom-fields/custom-value.ts";
import { pipelineOfLocation, stageOfLocation } from "../pipelines/pipeline.queries.ts";
import { personWithAccess, readReferences } from "../references.ts";
import { updateProjection } from "../workflow-goals.ts";
import { applyValues, insertValues, noValues, readGivenValues, replaceValues } from "./opportunity.custom-fields.ts";
import { opportunityNames } from "./opportunity.names.ts";
import { opportunityCreated, opportunityStageChanged } from "./opportunity.events.ts";
import { findOpportunity } from "./opportunity.queries.ts";
import { validatePipeline, validateLostReason, applyPatch, columnsOfStage } from "./opportunity.rules.ts";
import type { OpportunityInput, OpportunityPatch } from "./opportunity.schema.ts";
import { toOpportunity } from "./opportunity.view.ts";
import type { OpportunityRow } from "./opportunity.view.ts";

const opportunityInsert = defineInsert("opportunities", [
  "location_id",
  "contact_id",
  "pipeline_id",
  "stage_id",
  "status",
  "name",
  "value_cents",
  "owner_id",
  "lost_reason",
  "stage_entered_at",
  "closed_at",
  "created_at",
  "updated_at",
]);

const opportunityUpdate = defineUpdate("opportunities", [
  "pipeline_id",
  "stage_id",
  "status",
  "name",
  "value_cents",
  "owner_id",
  "lost_reason",
  "stage_entered_at",
  "closed_at",
  "updated_at",
]);

/** The stage and value of a contact: those of its newest open opportunity, or else of its newest closed one; null and 0 without any. */
export const stageProjection = defineContactProjection(
  ["stage_id", "stage_kind", "value_cents"],
  `select stage_id, status, coalesce(value_cents, 0) from (select 1 as one) as always left join
     (select stage_id, status, value_cents from opportunities where contact_id = contacts.id
      order by case when status = 'open' then 0 else 1 end, id desc limit 1) as shown on true`,
);

/**
 * Creates an opportunity and raises opportunity.created. Refuses with 422 records of another location, a stage of another pipeline, and a
 * lost stage without a reason.
 */
export async function createOpportunity(
  change: Change<LocationContext>,
  input: OpportunityInput,
): Promise<OpportunityRow> {
  let given = noValues;
  const found = await readReferences(
    change,
    input,
    {
      contact_id: lockedContactOfLocation,
      pipeline_id: pipelineOfLocation,
      stage_id: stageOfLocation,
      owner_user_id: personWithAccess,
    },
    async ({ pipeline_id: pipeline, stage_id: stage }) => {
      // After the lock on the contact (lock order).
      given = await readGivenValues(change, input, { creates: true });
      return {
        ...validatePipeline(stage, pipeline?.id),
        ...validateLostReason(stage?.kind, true, input.lost_reason),
        ...given.item?.errors,
      };
    },
  );
  const [contact, stage] = [found.contact_id!, found.stage_id!];
  const members = applyValues([], given);
  const now = change.now.getTime();
  const facts = {
    contact_id: contact.id,
    contact_name: contact.name,
    ...columnsOfStage(stage),
    name: input.name ?? null,
    value_cents: input.value_cents ?? 0,
    owner_id: found.owner_user_id?.id ?? null,
    owner_name: found.owner_user_id?.name ?? null,
    lost_reason: stage.kind === "lost" ? (input.lost_reason ?? null) : null,
    stage_entered_at: now,
    closed_at: stage.kind === "open" ? null : now,
    created_at: now,
    updated_at: now,
    custom_fields: { members },
  };
  const columns = { location_id: change.location.id, ...toColumns(facts), created_at: change.now };
  const [id] = await insertRows(change, opportunityInsert, [{ ...columns, contact_id: contact.id }]);
  const opportunity = { id: id!, ...facts };
  insertValues(change, id!, members);
  if (facts.name !== null) opportunityNames.note(change, id!);
  raiseActivity(change, contact.id, opportunityCreated.of(toOpportunity(opportunity)), stageProjection);
  return opportunity;
}

/**
 * Updates the given fields. Moving to another stage also sets its pipeline and raises opportunity.stage_changed; a patch that changes nothing
 * writes nothing. Refuses `opportunity.not_found`, and with 422 like createOpportunity.
 */
export async function updateOpportunity(
  change: Change<LocationContext>,
  id: number,
  patch: OpportunityPatch,
): Promise<OpportunityRow> {
  const { contact, before } = await lockOpportunity(change, id);
  const given = await readGivenValues(change, patch, { creates: false });
  const found = await readReferences(
    change,
    { stage_id: patch.stage_id, owner_user_id: patch.owner_user_id },
    { stage_id: stageOfLocation, owner_user_id: personWithAccess },
    ({ stage_id: stage }) => ({
      ...validateLostReason(
        stage?.kind ?? before.status,
        (stage?.id ?? before.stage_id) !== before.stage_id,
        patch.lost_reason,
      ),
      ...given.item?.errors,
    }),
  );
  const [old, members] = [membersOf(before.custom_fields), applyValues(membersOf(before.custom_fields), given)];
  const records = { stage: found.stage_id, owner: found.owner_user_id };
  const after = { ...applyPatch(before, patch, records, change.now.getTime()), custom_fields: { members } };
  const changes = [...changesBetween(before, after, shownFields), ...changedMembers(old, members)];
  if (changes.length === 0) return before;
  replaceValues(change, id, given, members);
  updateRow(change, opportunityUpdate, id, toColumns(after));
  if (after.name !== before.name) opportunityNames.note(change, id);
  if (after.stage_id === before.stage_id) {
    if (contact !== undefined) updateProjection(change, contact.id, stageProjection);
    return after;
  }
  const event = opportunityStageChanged.of(toOpportunity(after), {
    changes,
    timeline: [{ field: "stage", old: before.stage_name, new: after.stage_name }],
  });
  if (contact === undefined) change.raise(event);
  else raiseActivity(change, contact.id, event, stageProjection);
  return after;
}

/** Deletes an opportunity; raises no event, and those about it stay on the timeline. Refuses `opportunity.not_found`. */
export async function deleteOpportunity(change: Change<LocationContext>, id: number): Promise<void> {
  const { contact } = await lockOpportunity(change, id);
  change.send("delete from opportunities where id = ?", [id]);
  opportunityNames.note(change, id);
  if (contact !== undefined) updateProjection(change, contact.id, stageProjection);
}

const contactText = "select contact_id from opportunities where id = ? and location_id = ?";
const lockText = sql`select id from opportunities where id = ?${forUpdate("opportunities")}`;

/** Locks the opportunity until the commit: by its contact's lock, or by its own if the contact is deleted. Refuses `opportunity.not_found`. */
export async function lockOpportunity(change: Change<LocationContext>, id: number) {
  const [found] = await change.rows<{ contact_id: number }>(contactText, [id, change.location.id]);
  if (found === undefined) throw new Refusal("opportunity.not_found");
  const contact = await lockIfNotDeleted(change, found.contact_id);
  if (contact === undefined) await change.rows(lockText, [id]);
  const before = await findOpportunity(change, id);
  // Another change may have deleted it in the meantime.
  if (before === undefined) throw new Refusal("opportunity.not_found");
  return { contact, before };
}

/** The fields that `changes` reports: API name and column. */
const shownFields = [
  ["pipeline_id", "pipeline_id"],
  ["stage_id", "stage_id"],
  ["status", "status"],
  ["lost_reason", "lost_reason"],
  ["name", "name"],
  ["value_cents", "value_cents"],
  ["owner_user_id", "owner_id"],
] as const;

/** Converts the milliseconds of rows to the Date values of columns. */
function toColumns(facts: Omit<OpportunityRow, "id" | "custom_fields">) {
  return {
    pipeline_id: facts.pipeline_id,
    stage_id: facts.stage_id,
    status: facts.status,
    name: facts.name,
    value_cents: facts.value_cents,
    owner_id: facts.owner_id,
    lost_reason: facts.lost_reason,
    stage_entered_at: new Date(facts.stage_entered_at),
    closed_at: facts.closed_at === null ? null : new Date(facts.closed_at),
    updated_at: new Date(facts.updated_at),
  };
}
