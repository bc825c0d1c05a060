/**
 * The events that external tools report by POST /events or `crm events emit`: from a website, a form, a review, a payment or a calendar.
 * `data` is any JSON object; the service adds the contact and the time.
 */
import { z } from "zod";
import { addedValue, defineOpenEvent } from "../../events/define-event.ts";
import type { FieldChange } from "../../events/event-record.ts";
import { truncate } from "../../kit/text.ts";
import type { ReportedName } from "../../vocabulary/events.ts";
import { limits } from "../../vocabulary/limits.ts";
import { contactReference, contactReferenceSpecimen } from "../contact-activity.ts";

const added = z.looseObject({
  contact: contactReference.nullable(),
  occurred_at: z.iso.datetime().nullable().describe("When the event happened, if the tool reported a time."),
});

type ReportedData = z.output<typeof added>;

/** Members that a tool cannot send, because the service adds them or gives them a meaning. */
export const reservedMembers = [...added.keyof().options, "location_id", "changes"] as const;

/** `example`: what a tool could send, the most informative members first. */
function reported(event: ReportedName, example: Readonly<Record<string, unknown>>) {
  return defineOpenEvent(
    event,
    added,
    { ...example, contact: contactReferenceSpecimen, occurred_at: null },
    toTimelineMembers,
  );
}

/**
 * What a timeline shows: the first members that are strings, numbers or booleans, in the order in which the tool sent them, and the time of
 * the event.
 */
function toTimelineMembers({ contact: _contact, occurred_at: occurredAt, ...sent }: ReportedData): FieldChange[] {
  const members = Object.entries(sent)
    .filter(([, value]) => (typeof value === "object" ? false : value !== ""))
    .slice(0, limits.activityMembers)
    .map(([name, value]) => addedValue(truncate(name, limits.activityText), value));
  return occurredAt === null ? members : [...members, addedValue("occurred_at", occurredAt)];
}

export const reportedEvents = {
  "page.viewed": reported("page.viewed", { title: "Prices", url: "https://www.example.com/prices" }),
  "form.submitted": reported("form.submitted", {
    form: "Ask for an offer",
    url: "https://www.example.com/offer",
    fields: { first_name: "Ada", email: "ada@example.com", message: "How much is an engine?" },
  }),
  "survey.submitted": reported("survey.submitted", {
    survey: "After the visit",
    score: 9,
    answers: [{ question: "Would you come again?", answer: "Yes" }],
  }),
  "quiz.submitted": reported("quiz.submitted", {
    quiz: "Which engine suits you?",
    result: "Difference engine",
    score: 7,
  }),
  "trigger_link.clicked": reported("trigger_link.clicked", {
    link: "Spring sale",
    url: "https://www.example.com/spring",
  }),
  "review.received": reported("review.received", {
    rating: 5,
    body: "Counts without a fault.",
    source: "Google",
    author: "Ada L.",
  }),
  "review.replied": reported("review.replied", { reply: "Thank you!", source: "Google", rating: 5 }),
  "review_request.sent": reported("review_request.sent", { channel: "sms", source: "Google" }),
  "review_request.clicked": reported("review_request.clicked", {
    source: "Google",
    url: "https://www.example.com/review",
  }),
  "video_testimonial.received": reported("video_testimonial.received", {
    title: "Our first engine",
    url: "https://www.example.com/videos/1",
    duration_seconds: 74,
  }),
  "social_post.published": reported("social_post.published", {
    network: "facebook",
    body: "The shop is open again.",
    url: "https://www.example.com/posts/1",
  }),
  "social_post.failed": reported("social_post.failed", {
    network: "instagram",
    body: "The shop is open again.",
    error: "The picture is too large.",
  }),
  "social_post.approved": reported("social_post.approved", { network: "facebook", body: "The shop is open again." }),
  "invoice.paid": reported("invoice.paid", { number: "2026-0042", amount_cents: 129_900, currency: "USD" }),
  "payment.failed": reported("payment.failed", {
    reason: "The card has expired.",
    amount_cents: 129_900,
    currency: "USD",
  }),
  "appointment.booked": reported("appointment.booked", {
    title: "First meeting",
    starts_at: "2026-03-05T15:00:00Z",
    ends_at: "2026-03-05T15:30:00Z",
    calendar: "Sales",
  }),
  "appointment.cancelled": reported("appointment.cancelled", {
    title: "First meeting",
    starts_at: "2026-03-05T15:00:00Z",
    reason: "The contact asked for another day.",
  }),
} satisfies Record<ReportedName, ReturnType<typeof reported>>;
