/** The response shapes of a contact (specification, "Contact"): in lists, in full, and in events. */
import { z } from "zod";
import type { FieldChange } from "../../events/event-record.ts";
import { asLongAs } from "../../kit/json/long-lists.ts";
import { pageOf } from "../../kit/page-shapes.ts";
import { withScope, withScopes } from "../../operation/redaction.ts";
import { toTimestamp } from "../../kit/time/timestamp.ts";
import { readJson } from "../../storage/json.ts";
import { showsEvent } from "../../operation/permission.ts";
import { eventScopes } from "../../vocabulary/events.ts";
import type { EventName } from "../../vocabulary/events.ts";
import { actorTypes } from "../../vocabulary/states.ts";
import { personView, toPerson } from "../../tenancy/users/user.view.ts";
import { stageView } from "../pipelines/stage.view.ts";
import { conversationView, toConversation } from "../conversations/conversation.view.ts";
import type { EmbeddedConversationRow } from "../conversations/conversation.view.ts";
import { embeddedNoteView, toEmbeddedNote } from "../notes/note.view.ts";
import type { EmbeddedNoteRow } from "../notes/note.view.ts";
import { opportunityView, toOpportunity } from "../opportunities/opportunity.view.ts";
import type { EmbeddedOpportunityRow } from "../opportunities/opportunity.view.ts";
import { nextTaskView, taskView, toNextTask, toTask } from "../tasks/task.view.ts";
import type { EmbeddedTaskRow } from "../tasks/task.view.ts";
import { customFieldsView } from "../custom-fields/custom-field.view.ts";
import { membersOf, noMembers, toCustomFields } from "../custom-fields/custom-value.ts";
import { tagView } from "../tags/tag.view.ts";
import type { TagView } from "../tags/tag.view.ts";
import type { ActivityRow, RecordRow, SummaryRow } from "./contact.row.ts";
import { activitySpecimen, contactSummarySpecimen, fullContactSpecimen } from "./contact.specimen.ts";

const summaryFields = {
  id: z.int(),
  name: z.string().describe("First and last name, or else the e-mail address, or else the phone number."),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string().nullable(),
  phone_display: z.string().nullable(),
  interest: z.string().nullable(),
  source: z.string().nullable(),
  owner: personView.nullable(),
  tags: z.array(tagView),
  stage: withScope(
    "opportunities.readonly",
    null,
    stageView.nullable().describe("The stage of the newest open opportunity, or else of the newest closed one."),
  ),
  value_cents: withScope(
    "opportunities.readonly",
    0,
    z.int().min(0).describe("The value of the same opportunity; 0 if there is none."),
  ),
  last_activity_at: z.iso.datetime().nullable(),
  next_task: withScope("tasks.readonly", null, nextTaskView.nullable().describe("The open task that is due first.")),
  dnd: z.boolean().describe("Do not disturb: automated messages are not sent."),
};

export const contactSummaryView = z
  .object(summaryFields)
  .meta({ id: "ContactSummary", examples: [contactSummarySpecimen] });

export type ContactSummaryView = z.output<typeof contactSummaryView>;

const activityView = z
  .object({
    id: z.int(),
    kind: z.string().describe("The name of the event."),
    actor: z.object({ type: z.enum(actorTypes), id: z.int().nullable(), name: z.string().nullable() }).nullable(),
    data: z.array(z.object({ field: z.string(), old: z.unknown(), new: z.unknown() })),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "Activity", examples: [activitySpecimen] });

type ActivityView = z.output<typeof activityView>;

const recordFields = {
  ...summaryFields,
  company: z.string().nullable(),
  address1: z.string().nullable(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  zip: z.string().nullable(),
  timezone: z.string().nullable(),
  created_at: z.iso.datetime().nullable(),
  updated_at: z.iso.datetime().nullable(),
  external_ref: z.string().nullable(),
  ...customFieldsView,
};

/** The contact as events contain it: the full shape without the lists, but with tags. */
export const contactRecordView = z.object(recordFields);

export type ContactRecordView = z.output<typeof contactRecordView>;

export const contactView = z
  .object({
    ...recordFields,
    opportunities: withScope("opportunities.readonly", [], z.array(opportunityView).describe("The newest hundred.")),
    tasks: withScope("tasks.readonly", [], z.array(taskView).describe("The newest hundred.")),
    notes: z.array(embeddedNoteView).describe("The newest hundred."),
    conversations: withScope(
      "conversations.readonly",
      [],
      z.array(conversationView).describe("The hundred with the newest messages."),
    ),
    activities: withScopes(
      eventScopes,
      z.array(activityView).describe("The newest hundred, without those whose event the credential may not read."),
      (granted, activities) =>
        asLongAs(
          activities,
          activities.filter(({ kind }) => showsEvent(granted, kind as EventName)),
        ),
    ),
  })
  .meta({
    id: "Contact",
    description: "A contact with its opportunities, tasks, notes, conversations and activities.",
    examples: [fullContactSpecimen],
  });

export type ContactView = z.output<typeof contactView>;

/** `now` in milliseconds, for `overdue`. */
export function toSummary(row: SummaryRow, tags: TagView[], now: number): ContactSummaryView {
  return {
    id: row.id,
    name: row.name,
    first_name: row.first_name,
    last_name: row.last_name,
    email: row.email,
    phone_display: row.phone_display,
    interest: row.interest,
    source: row.source,
    owner: toPerson(row.owner_id, row.owner_name),
    tags,
    stage: toStage(row),
    value_cents: row.value_cents,
    last_activity_at: toTimestamp(row.last_activity_at),
    next_task:
      row.next_task_id === null ? null : toNextTask(row.next_task_id, row.next_task_title!, row.next_task_due_at!, now),
    dnd: Boolean(row.dnd),
  };
}

function toStage({ stage_id, stage_name, stage_kind, stage_color }: SummaryRow): ContactSummaryView["stage"] {
  return stage_id === null ? null : { id: stage_id, name: stage_name!, kind: stage_kind!, color: stage_color };
}

export function toRecord(row: RecordRow, now: number): ContactRecordView {
  const members = membersOf(row.custom_fields);
  return {
    ...toSummary(row, readJson<TagView>(row.tags), now),
    company: row.company,
    address1: row.address1,
    city: row.city,
    state: row.state,
    zip: row.zip,
    timezone: row.timezone,
    created_at: toTimestamp(row.created_at),
    updated_at: toTimestamp(row.updated_at),
    external_ref: row.external_ref,
    ...(members.length === 0 ? {} : { custom_fields: toCustomFields(members) }),
  };
}

/** The lists of a contact, newest first. */
export interface ContactLists {
  readonly opportunities: readonly EmbeddedOpportunityRow[];
  readonly tasks: readonly EmbeddedTaskRow[];
  readonly notes: readonly EmbeddedNoteRow[];
  readonly conversations: readonly EmbeddedConversationRow[];
  readonly activities: readonly ActivityRow[];
}

export function toContact(
  row: RecordRow,
  { opportunities, tasks, notes, conversations, activities }: ContactLists,
  now: number,
): ContactView {
  const contact = { contact_id: row.id, contact_name: row.name };
  const addresses = { contact_phone_display: row.phone_display, contact_email: row.email };
  return {
    ...toRecord(row, now),
    opportunities: opportunities.map((opportunity) =>
      toOpportunity({ ...opportunity, ...contact, custom_fields: noMembers }),
    ),
    tasks: tasks.map((task) => toTask({ ...task, ...contact }, now)),
    notes: notes.map(toEmbeddedNote),
    conversations: conversations.map((conversation) => toConversation({ ...conversation, ...contact, ...addresses })),
    activities: activities.map(toActivity),
  };
}

export function toActivity(row: ActivityRow): ActivityView {
  return {
    id: row.id,
    kind: row.event,
    actor: { type: row.actor_type as (typeof actorTypes)[number], id: row.actor_id, name: row.actor_name },
    data: row.changes === null ? [] : readJson<FieldChange>(row.changes),
    created_at: toTimestamp(row.created_at),
  };
}

export const contactListView = pageOf(contactSummaryView)
  .extend({
    total: z
      .int()
      .min(0)
      .meta({ description: "Informational: exact without filters, and up to 10,000 with them.", examples: [1] }),
  })
  .meta({ id: "ContactList", description: "A page of contacts, newest activity first." });

export type ContactListView = z.output<typeof contactListView>;

export const upsertContactView = z
  .object({
    contact: contactView,
    created: z.boolean().meta({ examples: [true] }),
    possible_duplicates: z
      .array(z.object({ id: z.int(), name: z.string(), matched_on: z.enum(["email", "phone"]) }))
      .optional()
      .describe("Another contact with the same phone number, if this one was matched by e-mail address."),
  })
  .meta({ id: "UpsertedContact", description: "The contact after the upsert, and whether it was created." });

export type UpsertContactView = z.output<typeof upsertContactView>;

export const bulkContactsView = z
  .object({
    data: z.array(
      z.union([
        z.object({ status: z.union([z.literal(200), z.literal(201)]), created: z.boolean(), id: z.int() }),
        z.object({ status: z.literal(422), message: z.string(), errors: z.record(z.string(), z.array(z.string())) }),
      ]),
    ),
  })
  .meta({
    id: "BulkContacts",
    description: "The result for each contact, in the order sent.",
    examples: [
      {
        data: [
          { status: 201, created: true, id: 1 },
          {
            status: 422,
            message: "The email field must be a valid email address.",
            errors: { email: ["The email field must be a valid email address."] },
          },
        ],
      },
    ],
  });

export type BulkContactsView = z.output<typeof bulkContactsView>;
