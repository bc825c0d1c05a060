/** The rules of the API over plain lists, without a database: what is there, what a contact shows of its neighbours, what its timeline tells. */
import { expect } from "vitest";
import type { StageKind } from "../../../src/vocabulary/states.ts";

export interface Named {
  readonly id: number;
  readonly name: string;
}

export interface Stage extends Named {
  readonly kind: StageKind;
  readonly color: string | null;
}

export interface ModelledChannel extends Named {
  readonly kind: string;
  readonly address: string;
  readonly isPaused: boolean;
  readonly inbound_url: string;
}

/** What a location has before anything happens, and what lies beside it. */
export interface Ground {
  readonly location_id: number;
  readonly pipeline: Named;
  readonly stages: readonly Stage[];
  readonly channels: readonly ModelledChannel[];
  /** A user with access to the location, and the id of one without. */
  readonly person: Named;
  readonly stranger: number;
  /** Of another location. */
  readonly foreign: { readonly pipeline: number; readonly stage: number; readonly channel: number };
  readonly actor: object;
}

/** No record has it. */
export const absentId = 2_000_000_000;

export interface Changed {
  readonly field: string;
  readonly old: unknown;
  readonly new: unknown;
}

export interface ModelledContact {
  readonly id: number;
  first_name: string;
  last_name: string;
  email: string | null;
  readonly created_at: string;
  updated_at: string;
  last_activity_at: string;
  isDeleted: boolean;
  /** Newest first. */
  readonly notes: object[];
  readonly activities: { id: number; kind: string; actor: object; data: readonly Changed[]; created_at: string }[];
}

export interface ModelledOpportunity {
  readonly id: number;
  readonly contact: ModelledContact;
  stage: Stage;
  name: string | null;
  value_cents: number;
  owner: Named | null;
  lost_reason: string | null;
  stage_entered_at: string;
  closed_at: string | null;
  readonly created_at: string;
  updated_at: string;
}

export interface ModelledTask {
  readonly id: number;
  readonly contact: ModelledContact | null;
  title: string;
  due_at: string | null;
  completed_at: string | null;
  assignee: Named | null;
  readonly created_at: string;
}

export interface ModelledConversation {
  readonly id: number;
  contact: ModelledContact | null;
  readonly channel: ModelledChannel;
  status: string;
  snoozed_until: string | null;
  assignee: Named | null;
  preview: string | null;
  last_message_at: string | null;
  last_inbound_at: string | null;
  unread_count: number;
  readonly subject: string | null;
  /** The address of an unknown sender, with whom it began. */
  readonly sender: string | null;
  possible: ModelledContact | null;
  /** Oldest first. */
  readonly messages: { readonly id: number; readonly external_id: string | null; readonly shown: object }[];
}

export class Model {
  readonly ground: Ground;
  now: string;
  readonly contacts: ModelledContact[] = [];
  readonly opportunities: ModelledOpportunity[] = [];
  readonly tasks: ModelledTask[] = [];
  readonly conversations: ModelledConversation[] = [];

  constructor(ground: Ground, now: string) {
    this.ground = ground;
    this.now = now;
  }

  living(): ModelledContact[] {
    return this.contacts.filter(({ isDeleted }) => !isDeleted);
  }

  /** Records an activity of a contact that is not deleted, and moves it to the front of the list. Without such a contact nothing is recorded. */
  tell(contact: ModelledContact | null, kind: string, data: readonly Changed[], actor = this.ground.actor): void {
    if (contact === null || contact.isDeleted) return;
    contact.last_activity_at = this.now;
    contact.activities.unshift({ id: expect.any(Number), kind, actor, data, created_at: this.now });
  }

  summary(contact: ModelledContact): object {
    const deals = this.opportunities.filter((one) => one.contact === contact).toReversed();
    const deal = deals.find(({ stage }) => stage.kind === "open") ?? deals[0];
    const task = this.tasks.filter((one) => one.contact === contact && one.completed_at === null).toSorted(byDue)[0];
    return {
      id: contact.id,
      name: nameOf(contact),
      first_name: contact.first_name,
      last_name: contact.last_name,
      email: contact.email,
      phone_display: null,
      interest: null,
      source: null,
      owner: null,
      tags: [],
      stage: deal?.stage ?? null,
      value_cents: deal?.value_cents ?? 0,
      last_activity_at: contact.last_activity_at,
      next_task:
        task === undefined
          ? null
          : { id: task.id, title: task.title, due_at: task.due_at, overdue: this.isOverdue(task) },
      dnd: false,
    };
  }

  full(contact: ModelledContact): object {
    return {
      ...this.summary(contact),
      company: null,
      address1: null,
      city: null,
      state: null,
      zip: null,
      timezone: null,
      created_at: contact.created_at,
      updated_at: contact.updated_at,
      external_ref: null,
      opportunities: this.opportunities
        .filter((one) => one.contact === contact)
        .map((one) => this.opportunity(one))
        .toReversed(),
      tasks: this.tasks
        .filter((one) => one.contact === contact)
        .map((one) => this.task(one))
        .toReversed(),
      notes: contact.notes,
      conversations: this.conversations
        .filter((one) => one.contact === contact)
        .toSorted(byLastMessage)
        .map((one) => this.conversation(one)),
      activities: contact.activities,
    };
  }

  opportunity({ contact, stage, ...own }: ModelledOpportunity): object {
    return { ...own, contact: named(contact), pipeline: this.ground.pipeline, stage, status: stage.kind };
  }

  task({ contact, ...own }: ModelledTask): object {
    return { ...own, contact: named(contact), overdue: this.isOverdue(own), created_by: null };
  }

  isOverdue({ due_at, completed_at }: Pick<ModelledTask, "due_at" | "completed_at">): boolean {
    return completed_at === null && due_at !== null && due_at < this.now;
  }

  conversation(one: ModelledConversation): object {
    const { contact, channel, possible } = one;
    const reference = named(contact);
    return {
      id: one.id,
      contact: reference === null ? null : { ...reference, phone_display: null, email: contact!.email },
      kind: channel.kind,
      channel: { id: channel.id, name: channel.name },
      status: one.status,
      snoozed_until: one.snoozed_until,
      assignee: one.assignee,
      preview: one.preview,
      last_message_at: one.last_message_at,
      last_inbound_at: one.last_inbound_at,
      unread: one.unread_count > 0,
      unread_count: one.unread_count,
      subject: one.subject,
      possible_match: named(possible),
    };
  }
}

/** First and last name, else the e-mail address. */
export function nameOf({ first_name, last_name, email }: ModelledContact): string {
  return [first_name, last_name].filter((part) => part !== "").join(" ") || (email ?? "Unnamed contact");
}

/** The contact of a record; null if it is deleted. */
function named(contact: ModelledContact | null): Named | null {
  return contact === null || contact.isDeleted ? null : { id: contact.id, name: nameOf(contact) };
}

export function byLastActivity(one: ModelledContact, other: ModelledContact): number {
  return other.last_activity_at.localeCompare(one.last_activity_at) || other.id - one.id;
}

/** What is due at no time comes last. */
export function byDue(one: ModelledTask, other: ModelledTask): number {
  return (one.due_at ?? "9").localeCompare(other.due_at ?? "9") || one.id - other.id;
}

/** By the latest message; conversations without messages come last. */
export function byLastMessage(one: ModelledConversation, other: ModelledConversation): number {
  return (other.last_message_at ?? "0").localeCompare(one.last_message_at ?? "0") || other.id - one.id;
}
