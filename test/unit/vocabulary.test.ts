/** The words of the service: every event name of the specification, the scopes, and what a scope grants. */
import { describe, expect, it, test } from "vitest";
import { eventNames, events } from "../../src/vocabulary/events.ts";
import { appScopeNames, grants, scopeNames, scopes } from "../../src/vocabulary/scopes.ts";
import type { ScopeName } from "../../src/vocabulary/scopes.ts";

// The sentence of the specification, section "Event names".
const specified =
  `ping, location.created, location.updated, user.invited, contact.created, contact.updated, contact.deleted,
  contact.tag_added, contact.tag_removed, opportunity.created, opportunity.stage_changed, task.created, task.completed,
  note.added, conversation.created, conversation.updated, message.received, message.sent, message.failed,
  workflow.run_started, workflow.run_finished, page.viewed, form.submitted, survey.submitted, quiz.submitted,
  trigger_link.clicked, review.received, review.replied, review_request.sent, review_request.clicked,
  video_testimonial.received, social_post.published, social_post.failed, social_post.approved, invoice.paid, payment.failed,
  appointment.booked, appointment.cancelled`.split(/,\s+/);

describe("events", () => {
  it("names what the specification names, in its order", () => {
    expect(eventNames).toEqual(specified);
  });

  it("lets seventeen names in from outside, all under one scope", () => {
    const outside = eventNames.filter((name) => events[name].outside);
    expect(outside).toEqual(specified.slice(specified.indexOf("page.viewed")));
    expect(outside).toHaveLength(17);
    expect(new Set(outside.map((name) => events[name].scope))).toEqual(new Set(["events.readonly"]));
  });

  test.each<[string, (typeof eventNames)[number][]]>([
    ["locations.readonly", ["location.created", "location.updated"]],
    ["users.readonly", ["user.invited"]],
    [
      "contacts.readonly",
      [
        "contact.created",
        "contact.updated",
        "contact.deleted",
        "contact.tag_added",
        "contact.tag_removed",
        "note.added",
      ],
    ],
    ["opportunities.readonly", ["opportunity.created", "opportunity.stage_changed"]],
    ["tasks.readonly", ["task.created", "task.completed"]],
    [
      "conversations.readonly",
      ["conversation.created", "conversation.updated", "message.received", "message.sent", "message.failed"],
    ],
    ["workflows.readonly", ["workflow.run_started", "workflow.run_finished"]],
  ])("%s shows its own events and no other", (scope, names) => {
    expect(eventNames.filter((name) => events[name].scope === scope)).toEqual(names);
  });

  it("asks no scope for ping alone", () => {
    expect(eventNames.filter((name) => events[name].scope === null)).toEqual(["ping"]);
  });
});

describe("scopes", () => {
  it("are those of the API", () => {
    const families = (suffix: string) =>
      scopeNames.filter((name) => name.endsWith(suffix)).map((name) => name.split(".")[0]);
    const both = [
      "contacts",
      "opportunities",
      "conversations",
      "tasks",
      "workflows",
      "webhooks",
      "events",
      "tags",
      "custom_fields",
    ];
    const ofKeys = ["locations", "channels", "users", "workflow_definitions"];
    expect(families(".write")).toEqual([...both, ...ofKeys]);
    expect(families(".readonly").toSorted()).toEqual([...both, "locations", "channels", "users", "audit"].toSorted());
    expect(scopeNames.filter((name) => !appScopeNames.includes(name))).toEqual([
      ...ofKeys.map((name) => `${name}.write`),
      "audit.readonly",
    ]);
  });

  test.each(scopeNames)("%s says in a sentence what it allows", (name) => {
    expect(scopes[name]).toMatch(/^[A-Z][^.]+\.$/);
  });

  test.each<{ held: ScopeName[]; needed: ScopeName; granted: boolean }>([
    { held: ["contacts.readonly"], needed: "contacts.readonly", granted: true },
    { held: ["contacts.write"], needed: "contacts.write", granted: true },
    { held: ["contacts.write"], needed: "contacts.readonly", granted: true },
    { held: ["contacts.readonly"], needed: "contacts.write", granted: false },
    { held: ["tasks.write"], needed: "contacts.readonly", granted: false },
    { held: ["tasks.write", "contacts.write"], needed: "contacts.readonly", granted: true },
    { held: [], needed: "users.readonly", granted: false },
  ])("$held grants $needed: $granted", ({ held, needed, granted }) => {
    expect(grants(held, needed)).toBe(granted);
  });
});
