/** Every event name of the specification ("Event names"), with its cause and the scope that reads it. */
import type { ScopeName } from "./scopes.ts";

type EventOrigin = {
  /** The action that raises the event. */
  raisedBy: string;
  /** The scope an app needs to receive it; null: no scope grants it or none is needed. */
  scope: ScopeName | null;
  /** True for events of external tools, reported by `POST /api/v1/events`. */
  outside: boolean;
};

/** Events that the service raises. */
function own(raisedBy: string, scope: ScopeName | null): EventOrigin & { outside: false } {
  return { raisedBy, scope, outside: false };
}

/** Events reported by external tools. */
function reported(what: string): EventOrigin & { outside: true } {
  return { raisedBy: `POST /api/v1/events or crm events emit: ${what}`, scope: "events.readonly", outside: true };
}

const origins = {
  ping: own("Send test of a webhook endpoint, nothing else", null),

  "location.created": own("creating a location", "locations.readonly"),
  "location.updated": own("changing a location", "locations.readonly"),
  "user.invited": own("inviting a user", "users.readonly"),

  "contact.created": own("creating a contact: create, upsert, import", "contacts.readonly"),
  "contact.updated": own("changing a contact's own fields: PATCH, upsert, import, workflows", "contacts.readonly"),
  "contact.deleted": own("deleting a contact", "contacts.readonly"),
  "contact.tag_added": own(
    "adding a tag that the contact did not have: the tag endpoint, import, workflows",
    "contacts.readonly",
  ),
  "contact.tag_removed": own("removing a tag that the contact had: the tag endpoint, workflows", "contacts.readonly"),

  "opportunity.created": own("creating an opportunity", "opportunities.readonly"),
  "opportunity.stage_changed": own(
    "moving an opportunity to another stage: PATCH, workflows",
    "opportunities.readonly",
  ),

  "task.created": own("creating a task: its endpoint, workflows", "tasks.readonly"),
  "task.completed": own("completing an open task", "tasks.readonly"),
  "note.added": own("adding a note to a contact: its endpoint, workflows", "contacts.readonly"),

  "conversation.created": own("the first message of a conversation, or starting one", "conversations.readonly"),
  "conversation.updated": own(
    "changing a conversation: PATCH, reopening, the end of a snooze",
    "conversations.readonly",
  ),
  "message.received": own("an inbound message", "conversations.readonly"),
  "message.sent": own("a transport accepted an outbound text", "conversations.readonly"),
  "message.failed": own("a transport gave up on an outbound text", "conversations.readonly"),

  "workflow.run_started": own("enrolling a contact in a workflow", "workflows.readonly"),
  "workflow.run_finished": own("any end of a workflow run", "workflows.readonly"),

  "page.viewed": reported("a contact viewed a page"),
  "form.submitted": reported("a contact submitted a form"),
  "survey.submitted": reported("a contact submitted a survey"),
  "quiz.submitted": reported("a contact submitted a quiz"),
  "trigger_link.clicked": reported("a contact clicked a trigger link"),
  "review.received": reported("a review came in"),
  "review.replied": reported("a review was replied to"),
  "review_request.sent": reported("a contact was asked for a review"),
  "review_request.clicked": reported("a contact followed a request for a review"),
  "video_testimonial.received": reported("a video testimonial came in"),
  "social_post.published": reported("a social post was published"),
  "social_post.failed": reported("a social post could not be published"),
  "social_post.approved": reported("a social post was approved"),
  "invoice.paid": reported("an invoice was paid"),
  "payment.failed": reported("a payment failed"),
  "appointment.booked": reported("an appointment was booked"),
  "appointment.cancelled": reported("an appointment was cancelled"),
} satisfies Record<string, EventOrigin>;

export type EventName = keyof typeof origins;

/**
 * What an app's own webhook is told. None of them is an event of a workspace: no log has them, no other webhook receives
 * them, and the list of the specification is without them.
 */
export const appEventNames = ["app.installed", "app.uninstalled", "app.subscription_changed"] as const;

export type AppEventName = (typeof appEventNames)[number];

/** The names that deliveries carry. */
export type DeliveredName = EventName | AppEventName;

export function isAppEvent(name: DeliveredName): name is AppEventName {
  return (appEventNames as readonly string[]).includes(name);
}

/** The names of reported events. */
export type ReportedName = {
  [Name in EventName]: (typeof origins)[Name]["outside"] extends true ? Name : never;
}[EventName];

export const events: Readonly<Record<EventName, EventOrigin>> = origins;

export const eventNames = Object.keys(origins) as readonly EventName[];

export const reportedNames = eventNames.filter((name): name is ReportedName => events[name].outside);

/** The scopes that read events, each once. */
export const eventScopes = [...new Set(eventNames.map((name) => events[name].scope))].filter((scope) => scope !== null);
