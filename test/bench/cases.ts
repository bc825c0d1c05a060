/** The requests that are measured: what is asked for, of which rows, and what share of the raw limit is wanted. */
import { seedEmail, seedTags } from "./seed.ts";
import { keyedTexts } from "./raw-statements.ts";
import type { Filled } from "./filled.ts";
import type { Kind } from "./ground.ts";

interface Least {
  readonly least: number;
}

export interface Case {
  /** For `--only`. */
  readonly name: string;
  readonly title: string;
  /** The least share of the raw limit; null where none is set. */
  readonly target: Least | null;
  /** The same where it is another on one database. */
  readonly targetOn?: Readonly<Partial<Record<Kind, Least>>>;
  /** The least share of the bare limit. */
  readonly targetOfBare?: Least;
  readonly status: number;
  readonly changes: boolean;
  /** Whole HTTP requests; `{serial}` in them becomes a number of their own. `port` is that of a service on these rows. */
  requests(filled: Filled, port: number): Promise<string[]>;
}

/** Different requests in one slice: enough that no cache holds the answer to all. */
const variety = 10_000;

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
      for (const id of locationsOf(filled)) texts.push(get(filled, listPath(id, await middleCursor(filled, port, id))));
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
    name: "create",
    title: "create a contact, 32 writers",
    target: { least: 0.7 },
    // The raw limit commits each by itself; there the service need not.
    targetOn: { sqlite: { least: 1.5 } },
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

function locationsOf({ firstLocation, locations }: Filled): number[] {
  return Array.from({ length: locations }, (_, index) => firstLocation + index);
}

/** The same for every run: spread over all contacts, and never one that lies beside the last. */
function someContacts({ contacts, firstLocation, locations }: Filled): { id: number; location: number }[] {
  return Array.from({ length: Math.min(variety, contacts) }, (_, index) => {
    const number = (index * 7_368_787) % contacts;
    return { id: number + 1, location: firstLocation + (number % locations) };
  });
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

/** The cursor of the page in the middle, found as any client finds it: a page after the other. */
async function middleCursor(filled: Filled, port: number, location: number): Promise<{ cursor: string }> {
  const pages = Math.floor(filled.contacts / filled.locations / 200 / 2);
  let cursor = "";
  for (let page = 0; page < pages; page++) {
    const path = listPath(location, cursor === "" ? {} : { cursor });
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: authorization(filled) });
    const { next_cursor: next } = (await response.json()) as { next_cursor: string | null };
    if (next === null) throw new Error("the list ended before its middle");
    cursor = next;
  }
  return { cursor };
}

export function get(filled: Filled, path: string): string {
  return `GET ${path} HTTP/1.1\r\n${head(filled)}\r\n`;
}

/** The places of `{serial}` are filled with seven digits: as many characters shorter. */
function send(method: "POST" | "PATCH", filled: Filled, path: string, body: object): string {
  const text = JSON.stringify(body);
  const length = text.replaceAll("{serial}", "0000000").length;
  return `${method} ${path} HTTP/1.1\r\n${head(filled)}content-type: application/json\r\ncontent-length: ${length}\r\n\r\n${text}`;
}

function head(filled: Filled): string {
  const headers = { host: "127.0.0.1", accept: "application/json", ...authorization(filled) };
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
}

function authorization({ apiKey }: Filled): { authorization: string } {
  return { authorization: `Bearer ${apiKey}` };
}
