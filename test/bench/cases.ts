/** The requests that are measured. */
import type { Case } from "./case.ts";
import { billingCases } from "./billing.ts";
import { conversationCases } from "./conversation-cases.ts";
import { fullContacts } from "./seed-full.ts";
import { seedEmail, seedTags } from "./seed.ts";
import { keyedTexts } from "./raw-statements.ts";
import type { Filled } from "./filled.ts";
import { get, locationsOf, middlePath, send, someContacts } from "./requests.ts";

export const cases: readonly Case[] = [
  {
    name: "first-page",
    title: "list 200 contacts, first page",
    target: { least: 0.9 },
    targetOfBare: { least: 0.95 },
    status: 200,
    changes: false,
    requests: async (filled) => locationsOf(filled).map((id) => get(filled, listPath(id))),
  },
  {
    name: "middle-page",
    title: "list 200 contacts, a page in the middle",
    target: { least: 0.9 },
    targetOfBare: { least: 0.95 },
    status: 200,
    changes: false,
    async requests(filled, port) {
      const texts: string[] = [];
      for (const id of locationsOf(filled)) texts.push(get(filled, await middlePath(filled, port, listPath(id))));
      return texts;
    },
  },
  filterOwner("list the contacts of one owner (`filters`)", ({ owners }) => owners[0]!),
  {
    name: "filter-email",
    title: "list the contacts with one e-mail address (`filters`)",
    target: null,
    status: 200,
    changes: false,
    requests: async (filled) =>
      someContacts(filled).map(({ id, location }) => get(filled, listPath(location, filter("email", seedEmail(id))))),
  },
  filterParts("common", "list the contacts whose last name contains a common text (`filters`)", ["last_name"], "opper"),
  filterParts(
    "rare",
    `list the contacts of which a text contains a rare one, each of the ${keyedTexts.length} in turn (\`filters\`)`,
    keyedTexts,
    "no such text",
  ),
  {
    name: "get",
    title: "get one full contact",
    target: { least: 0.8 },
    targetOfBare: { least: 0.75 },
    status: 200,
    changes: false,
    requests: async (filled) =>
      someContacts(filled).map(({ id, location }) => get(filled, `/api/v1/contacts/${id}?location_id=${location}`)),
  },
  {
    name: "get-full",
    title: "get one contact with a hundred notes, opportunities, tasks, conversations and activities",
    target: { least: 0.8 },
    status: 200,
    changes: false,
    requests: async (filled) =>
      Array.from({ length: fullContacts }, (_, index) => {
        const number = filled.contacts + index;
        const location = filled.firstLocation + (number % filled.locations);
        return get(filled, `/api/v1/contacts/${number + 1}?location_id=${location}`);
      }),
  },
  {
    name: "create",
    title: "create a contact, 32 writers",
    target: { least: 0.7 },
    // The raw limit commits each by itself, or asks one after the other; the service need not.
    targetOn: { sqlite: { least: 1.5 }, postgres: { least: 1.2 } },
    status: 201,
    changes: true,
    requests: async (filled) =>
      locationsOf(filled).map((id) =>
        send("POST", filled, "/api/v1/contacts", {
          location_id: id,
          first_name: "Grace",
          last_name: "Number {serial}",
          email: "grace.{serial}@example.com",
          phone: "+1646{serial}",
          company: "Company {serial}",
          source: "website",
          interest: "Solar panels",
          address1: "1 Main Street",
          city: "New York",
          state: "NY",
          zip: "10001",
        }),
      ),
  },
  {
    name: "upsert",
    title: "upsert that updates, 32 writers",
    target: { least: 0.7 },
    status: 200,
    changes: true,
    requests: async (filled) =>
      someContacts(filled).map(({ id, location }) =>
        send("POST", filled, "/api/v1/contacts/upsert", {
          location_id: location,
          email: seedEmail(id),
          company: "Company {serial}",
          interest: "Interest {serial}",
        }),
      ),
  },
  {
    name: "update",
    title: "change two fields of a contact (PATCH), 32 writers",
    target: { least: 0.7 },
    status: 200,
    changes: true,
    requests: async (filled) =>
      someContacts(filled).map(({ id, location }) =>
        send("PATCH", filled, `/api/v1/contacts/${id}`, {
          location_id: location,
          company: "Firm {serial}",
          interest: "Wish {serial}",
        }),
      ),
  },
  {
    name: "add-tag",
    title: "put a tag on a contact, 32 writers",
    target: { least: 0.7 },
    status: 200,
    changes: true,
    requests: async (filled) =>
      freeTags.flatMap((place) =>
        someContacts(filled).map(({ id, location }) =>
          send("POST", filled, `/api/v1/contacts/${id}/tags`, {
            location_id: location,
            tag_id: 1 + ((id + place) % seedTags),
            // The id wins: only there so that each request is sent once.
            name: "{serial}",
          }),
        ),
      ),
  },
  {
    name: "opportunities",
    title: "list 200 opportunities, first page",
    target: { least: 0.9 },
    status: 200,
    changes: false,
    requests: async (filled) => locationsOf(filled).map((id) => get(filled, `/api/v1/opportunities?location_id=${id}`)),
  },
  {
    name: "create-opportunity",
    title: "create an opportunity, 32 writers",
    target: { least: 0.7 },
    status: 201,
    changes: true,
    requests: async (filled) =>
      someContacts(filled).map(({ id, location }) =>
        send("POST", filled, "/api/v1/opportunities", {
          location_id: location,
          contact_id: id,
          // Each location has one pipeline of five stages.
          pipeline_id: location - filled.firstLocation + 1,
          stage_id: (location - filled.firstLocation) * 5 + 1 + (id % 3),
          name: "Deal {serial}",
          value_cents: 1_250_000,
        }),
      ),
  },
  {
    name: "create-task",
    title: "create a task, 32 writers",
    target: { least: 0.7 },
    status: 201,
    changes: true,
    requests: async (filled) =>
      someContacts(filled).map(({ id, location }) =>
        send("POST", filled, "/api/v1/tasks", {
          location_id: location,
          contact_id: id,
          title: "Task {serial}",
          due_at: "2040-03-02T17:00:00Z",
        }),
      ),
  },
  ...conversationCases,
  ...billingCases,
];

/** Contact n has the tags 1 + n and 1 + (n + 7), counted round; these places are free. */
const freeTags = [1, 2, 3, 4, 5, 6];

/** Not all of these are in `cases`: growth asks for another owner. */
export function filterOwner(title: string, ownerOf: (filled: Filled) => number): Case {
  return {
    name: "filter-owner",
    title,
    target: null,
    status: 200,
    changes: false,
    requests: async (filled) =>
      locationsOf(filled).map((id) => get(filled, listPath(id, filter("owner_user_id", ownerOf(filled))))),
  };
}

export function listPath(location: number, more: Readonly<Record<string, string>> = {}): string {
  return `/api/v1/contacts?${new URLSearchParams({ location_id: String(location), ...more })}`;
}

/** Texts that no index orders: the list is walked over the keys in its index. */
function filterParts(which: string, title: string, fields: readonly string[], part: string): Case {
  return {
    name: `contains-${which}`,
    title,
    target: { least: 0.8 },
    status: 200,
    changes: false,
    requests: async (filled) =>
      locationsOf(filled).flatMap((id) =>
        fields.map((field) => get(filled, listPath(id, filter(field, part, "contains")))),
      ),
  };
}

function filter(field: string, value: string | number, op = "eq"): { filters: string } {
  return { filters: JSON.stringify([{ field, op, value }]) };
}
