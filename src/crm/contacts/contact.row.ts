/** Rows of contacts: the columns selected for lists, single records and changes. Times in milliseconds. */
import type { Change } from "../../events/caller.ts";
import type { EventRecord, FieldChange } from "../../events/event-record.ts";
import { jsonList, readJson } from "../../storage/json.ts";
import { sql } from "../../storage/sql-text.ts";
import { limits } from "../../vocabulary/limits.ts";
import type { StageKind } from "../../vocabulary/states.ts";
import { columnNames } from "./write/contact.columns.ts";
import type { ContactColumns } from "./write/contact.columns.ts";
import { conversationsOfContact } from "../conversations/conversation.queries.ts";
import { notesOfContact } from "../notes/note.queries.ts";
import { opportunitiesOfContact } from "../opportunities/opportunity.queries.ts";
import { tasksOfContact } from "../tasks/task.queries.ts";
import { customFieldsOfContact } from "../custom-fields/custom-values.queries.ts";
import type { MembersColumn } from "../custom-fields/custom-value.ts";
import { byTagName } from "../tags/tag.view.ts";
import type { TagView } from "../tags/tag.view.ts";

/** The denormalized columns of a contact (its stage, its next task), with names. */
export interface ContactProjectionRow {
  readonly stage_id: number | null;
  readonly stage_name: string | null;
  readonly stage_kind: StageKind | null;
  readonly stage_color: string | null;
  readonly value_cents: number;
  readonly next_task_id: number | null;
  readonly next_task_title: string | null;
  readonly next_task_due_at: number | null;
}

/** The values of a contact without opportunities and tasks. */
export const emptyProjection: ContactProjectionRow = {
  stage_id: null,
  stage_name: null,
  stage_kind: null,
  stage_color: null,
  value_cents: 0,
  next_task_id: null,
  next_task_title: null,
  next_task_due_at: null,
};

/** A row of the list, without tags. */
export interface SummaryRow extends ContactProjectionRow {
  readonly id: number;
  readonly name: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string | null;
  readonly phone_display: string | null;
  readonly interest: string | null;
  readonly source: string | null;
  readonly owner_id: number | null;
  readonly owner_name: string | null;
  readonly last_activity_at: number;
  readonly dnd: boolean | number;
}

/** A row of the list, with tag ids: the tags of a page are read once. */
export interface ListedRow extends SummaryRow {
  /** Tag ids, comma-separated. */
  readonly tag_ids: string | null;
}

/** What a search ranks a contact by and shows of it. */
export type RankedRow = Pick<ListedRow, "id" | "name" | "email" | "phone_display" | "last_activity_at">;

/** A contact without its lists. */
export interface RecordRow extends SummaryRow {
  /** A list of {id, name, color}, or its JSON. */
  readonly tags: readonly TagView[] | string;
  readonly company: string | null;
  readonly address1: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly zip: string | null;
  readonly timezone: string | null;
  readonly external_ref: string | null;
  readonly custom_fields: MembersColumn;
  readonly created_at: number;
  readonly updated_at: number;
}

/** The contact with a tag that it did not have. */
export function withTag(row: RecordRow, tag: TagView): RecordRow {
  return { ...row, tags: [...readJson<TagView>(row.tags), tag].toSorted(byTagName) };
}

/** A contact with its opportunities, tasks, conversations, notes and activities. */
export interface FullRow extends RecordRow {
  /** The JSON of lists of EmbeddedOpportunityRow, EmbeddedTaskRow, EmbeddedConversationRow and EmbeddedNoteRow. */
  readonly opportunities: string;
  readonly tasks: string;
  readonly conversations: string;
  readonly notes: string;
  /** A list, or its JSON. */
  readonly activities: readonly ActivityRow[] | string;
}

/** A contact with every writable column, for changes. */
export type StateRow = RecordRow & Readonly<Omit<ContactColumns, keyof RecordRow>>;

/** An event as the timeline of its contact shows it. */
export interface ActivityRow {
  readonly id: number;
  readonly event: string;
  readonly actor_type: string;
  readonly actor_id: number | null;
  readonly actor_name: string | null;
  /** A list of {field, old, new}, or its JSON; empty if it is long and read separately. */
  readonly changes: readonly FieldChange[] | string | null;
  readonly created_at: number;
}

/** The timeline entry of the event `id` that `change` has just recorded. */
export function toActivityRow(
  { actor, now }: Pick<Change, "actor" | "now">,
  id: number,
  { event, timeline }: Pick<EventRecord, "event" | "timeline">,
): ActivityRow {
  return {
    id,
    event,
    actor_type: actor.type,
    actor_id: actor.id,
    actor_name: actor.name,
    changes: timeline.length === 0 ? null : JSON.stringify(timeline),
    created_at: now.getTime(),
  };
}

/** Adds an entry to the top of the timeline. */
export function withActivity(row: FullRow, activity: ActivityRow): FullRow {
  return {
    ...row,
    activities: [activity, ...readJson<ActivityRow>(row.activities)].slice(0, limits.embeddedLimit),
  };
}

/** The columns of ContactProjectionRow. */
const projectionColumns = `contacts.stage_id, stages.name as stage_name, contacts.stage_kind, stages.color as stage_color, contacts.value_cents,
  contacts.next_task_id, tasks.title as next_task_title, tasks.due_at as next_task_due_at`;

const summaryColumns = `contacts.id, contacts.name, contacts.first_name, contacts.last_name, contacts.email,
  contacts.phone_display, contacts.interest, contacts.source, contacts.owner_id, users.name as owner_name,
  contacts.last_activity_at, contacts.dnd, ${projectionColumns}`;

const recordColumns = `${summaryColumns}, contacts.company, contacts.address1, contacts.city, contacts.state, contacts.zip,
  contacts.timezone, contacts.external_ref, contacts.created_at, contacts.updated_at`;

const joins = `left join users on users.id = contacts.owner_id left join stages on stages.id = contacts.stage_id
  left join tasks on tasks.id = contacts.next_task_id`;

/** The tables of every select below. */
export const contactsWithJoins = `contacts ${joins}`;

/** The same, for a join on the ids of `table`. */
export function contactsBy(table: string): string {
  return `contacts on contacts.id = ${table}.id ${joins}`;
}

const tagsOfContact = jsonList({
  members: { id: "tags.id", name: "tags.name", color: "tags.color" },
  from: "contact_tags join tags on tags.id = contact_tags.tag_id where contact_tags.contact_id = contacts.id",
  order: "tags.name_key, tags.id",
});

const hasLongChanges = `octet_length(events.changes) > ${limits.shortText}`;

const activitiesOfContact = jsonList({
  members: {
    id: "events.id",
    event: "events.event",
    actor_type: "events.actor_type",
    actor_id: "events.actor_id",
    actor_name: "events.actor_name",
    changes: `case when ${hasLongChanges} then '' else events.changes end`,
    created_at: "events.created_at",
  },
  times: ["created_at"],
  from: "events where events.contact_id = contacts.id",
  order: "id desc",
  limit: limits.embeddedLimit,
});

/** The changes that activitiesOfContact omits, for the events of a contact between two ids. */
export const longChangesText = `select id, changes from events where contact_id = ? and id between ? and ? and ${hasLongChanges}`;

/** The columns of ListedRow. */
export const selectListed = `select ${summaryColumns}, (select string_agg(cast(tag_id as text), ',') from contact_tags
  where contact_tags.contact_id = contacts.id) as tag_ids`;

/** The columns of RankedRow, without joins. */
export const selectRanked =
  "select contacts.id, contacts.name, contacts.email, contacts.phone_display, contacts.last_activity_at";

/** The columns of FullRow. */
export const selectFull = sql`select ${recordColumns}, ${tagsOfContact} as tags, ${customFieldsOfContact} as custom_fields, ${opportunitiesOfContact} as opportunities,
  ${tasksOfContact} as tasks, ${conversationsOfContact} as conversations, ${notesOfContact} as notes, ${activitiesOfContact} as activities`;

/** The columns of RecordRow. */
export const selectRecord = sql`select ${recordColumns}, ${tagsOfContact} as tags, ${customFieldsOfContact} as custom_fields`;

/** The columns of StateRow. */
export const selectState = sql`select contacts.id, ${columnNames.map((column) => `contacts.${column}`).join(", ")},
  users.name as owner_name, contacts.last_activity_at, contacts.created_at, contacts.updated_at, ${projectionColumns}, ${tagsOfContact} as tags,
  ${customFieldsOfContact} as custom_fields`;
