/** An example contact, for the OpenAPI document and event samples. */
import { conversationSpecimen } from "../conversations/conversation.view.ts";
import { noteSpecimen } from "../notes/note.view.ts";
import { opportunitySpecimen } from "../opportunities/opportunity.view.ts";
import { stageSpecimen } from "../pipelines/stage.view.ts";
import { nextTaskSpecimen, taskSpecimen } from "../tasks/task.view.ts";
import { tagSpecimen } from "../tags/tag.view.ts";

/** As in lists. */
export const contactSummarySpecimen = {
  id: 1,
  name: "Ada Lovelace",
  first_name: "Ada",
  last_name: "Lovelace",
  email: "ada@example.com",
  phone_display: "(415) 555-2671",
  interest: "Analytical engines",
  source: "Website",
  owner: { id: 1, name: "Grace Hopper" },
  tags: [tagSpecimen],
  stage: stageSpecimen,
  value_cents: opportunitySpecimen.value_cents,
  last_activity_at: "2026-03-01T12:00:00.000Z",
  next_task: nextTaskSpecimen,
  dnd: false,
};

/** As in events. */
export const contactSpecimen = {
  ...contactSummarySpecimen,
  company: "Analytical Engines",
  address1: "1 Main Street",
  city: "Springfield",
  state: "NY",
  zip: "10001",
  timezone: "America/New_York",
  created_at: "2026-03-01T12:00:00.000Z",
  updated_at: "2026-03-01T12:00:00.000Z",
  external_ref: "crm-4711",
};

export const activitySpecimen = {
  id: 1,
  kind: "contact.created",
  actor: { type: "api_key", id: 1, name: "Website forms" },
  data: [],
  created_at: "2026-03-01T12:00:00.000Z",
};

/** With all of its lists. */
export const fullContactSpecimen = {
  ...contactSpecimen,
  opportunities: [opportunitySpecimen],
  tasks: [taskSpecimen],
  notes: [noteSpecimen],
  conversations: [conversationSpecimen],
  activities: [activitySpecimen],
};
