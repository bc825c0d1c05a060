/** The response shape of a search. */
import { z } from "zod";
import { withScope, withScopes } from "../../operation/redaction.ts";
import { contactReferenceSpecimen } from "../contact-activity.ts";
import { contactSummaryView } from "../contacts/contact.view.ts";
import { conversationView } from "../conversations/conversation.view.ts";
import { opportunitySpecimen, opportunityView } from "../opportunities/opportunity.view.ts";
import { taskSpecimen, taskView } from "../tasks/task.view.ts";

const person = contactReferenceSpecimen;

const matchedFields = ["name", "email", "phone", "title", "contact.name", "contact.email", "contact.phone"] as const;

const matched = z
  .object({ field: z.enum(matchedFields), text: z.string().describe("Cut after 200 characters.") })
  .describe("The text that matches best.");

const foundContact = contactSummaryView
  .pick({ id: true, name: true, email: true, phone_display: true, last_activity_at: true })
  .extend({ matched })
  .meta({ id: "FoundContact" });

const foundConversation = conversationView
  .pick({ id: true, contact: true, kind: true, status: true, preview: true, last_message_at: true })
  .extend({ matched })
  .meta({ id: "FoundConversation" });

const foundOpportunity = opportunityView
  .pick({ id: true, contact: true, pipeline: true, stage: true, name: true, value_cents: true, status: true })
  .extend({ matched })
  .meta({ id: "FoundOpportunity" });

const foundTask = taskView
  .pick({ id: true, contact: true, title: true, due_at: true, overdue: true, completed_at: true })
  .extend({ matched })
  .meta({ id: "FoundTask" });

const ofContacts = ["conversations.readonly", "contacts.readonly"] as const;

export const searchView = z
  .object({
    contacts: withScope("contacts.readonly", [], z.array(foundContact)),
    conversations: withScopes(
      ofContacts,
      z.array(foundConversation).describe(`Those of matching contacts. Needs ${ofContacts.join(" and ")}; [] without.`),
      () => [],
    ),
    opportunities: withScope(
      "opportunities.readonly",
      [],
      z.array(foundOpportunity).describe("By their own name; with contacts.readonly also those of matching contacts."),
    ),
    tasks: withScope(
      "tasks.readonly",
      [],
      z.array(foundTask).describe("By their own title; with contacts.readonly also those of matching contacts."),
    ),
  })
  .meta({
    id: "SearchResults",
    description: "At most 20 records of each kind, best first.",
    examples: [
      {
        contacts: [
          {
            ...person,
            last_activity_at: opportunitySpecimen.updated_at,
            matched: { field: "name", text: person.name },
          },
        ],
        conversations: [],
        opportunities: [],
        tasks: [
          {
            id: taskSpecimen.id,
            contact: taskSpecimen.contact,
            title: taskSpecimen.title,
            due_at: taskSpecimen.due_at,
            overdue: taskSpecimen.overdue,
            completed_at: taskSpecimen.completed_at,
            matched: { field: "contact.name", text: person.name },
          },
        ],
      },
    ],
  });

export type SearchView = z.output<typeof searchView>;
export type Matched = z.output<typeof matched>;
