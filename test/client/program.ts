/**
 * A program over a client generated from the OpenAPI document, as an integrator would write it: no cast, no `any`. The test
 * beside it copies it next to the generated types, compiles it and runs it against a service; alone it does not compile.
 */
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths, webhooks } from "./crm.d.ts";

const { CRM_URL: baseUrl = "", CRM_KEY: key = "", CRM_LOCATION: location = "" } = process.env;
const location_id = Number(location);
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } });

type Contact = components["schemas"]["Contact"];
type ContactSummary = components["schemas"]["ContactSummary"];

async function createContact(): Promise<Contact> {
  const body = { location_id, first_name: "Ada", last_name: "Lovelace", email: "ada@example.com", city: "London" };
  const { data, error, response } = await client.POST("/api/v1/contacts", {
    params: { header: { "Idempotency-Key": "ada-1" } },
    body,
  });
  assert(data, JSON.stringify(error));
  assert.equal(response.status, 201);
  const again = await client.POST("/api/v1/contacts", { params: { header: { "Idempotency-Key": "ada-1" } }, body });
  assert.equal(again.data?.id, data.id);
  assert.equal(again.response.headers.get("idempotency-replayed"), "true");
  return data;
}

/** More than a page of them. */
async function createMany(count: number): Promise<void> {
  for (let from = 0; from < count; from += 200) {
    const contacts = Array.from({ length: Math.min(200, count - from) }, (_, n) => ({
      email: `many.${from + n}@example.com`,
      city: n % 2 === 0 ? "Paris" : null,
    }));
    const { data } = await client.POST("/api/v1/contacts/bulk", { body: { location_id, contacts } });
    for (const result of data?.data ?? []) {
      assert(result.status !== 422);
      assert(result.created && result.id > 0);
    }
  }
}

async function* everyContact(filters?: string): AsyncGenerator<ContactSummary> {
  let cursor: string | null = null;
  do {
    const query: { location_id: number; filters?: string; cursor?: string } = { location_id };
    if (filters !== undefined) query.filters = filters;
    if (cursor !== null) query.cursor = cursor;
    const { data, error } = await client.GET("/api/v1/contacts", { params: { query } });
    assert(data, JSON.stringify(error));
    yield* data.data;
    cursor = data.next_cursor;
  } while (cursor !== null);
}

async function countContacts(filters?: string): Promise<number> {
  let count = 0;
  for await (const { name, owner, value_cents } of everyContact(filters)) {
    assert(name.length > 0 && owner === null && value_cents === 0);
    count += 1;
  }
  return count;
}

/** What is wrong is typed as well. */
async function refused(): Promise<string[]> {
  const { data, error } = await client.POST("/api/v1/contacts", {
    body: { location_id, first_name: "", last_name: "", email: "nobody" },
  });
  assert.equal(data, undefined);
  assert(error !== undefined && "errors" in error);
  return Object.keys(error.errors);
}

const contact = await createContact();
await createMany(250);
const all = await countContacts();
const inParis = await countContacts(JSON.stringify([{ field: "city", op: "eq", value: "Paris" }]));

// Ids are integers in records, and strings in paths.
const path = { id: String(contact.id) };
const updated = await client.PATCH("/api/v1/contacts/{id}", { params: { path }, body: { location_id, dnd: true } });
const tag = await client.POST("/api/v1/tags", { body: { name: "VIP" } });
const tagged = await client.POST("/api/v1/contacts/{id}/tags", {
  params: { path },
  body: { location_id, tag_id: tag.data?.id ?? null },
});
const note = await client.POST("/api/v1/contacts/{id}/notes", {
  params: { path },
  body: { location_id, body: "Hello." },
});
const deleted = await client.DELETE("/api/v1/contacts/{id}", { params: { path, query: { location_id } } });
const gone = await client.GET("/api/v1/contacts/{id}", { params: { path, query: { location_id } } });
assert(gone.error !== undefined && "error" in gone.error);

process.stdout.write(
  JSON.stringify({
    created: contact.name,
    all,
    inParis,
    refused: await refused(),
    dnd: updated.data?.dnd,
    tags: tagged.data?.tags.map(({ name }) => name),
    note: note.data?.body,
    deleted: deleted.response.status,
    gone: gone.error.error,
    detail: gone.response.headers.get("x-error-detail"),
  }),
);

type Body<Event extends keyof webhooks> = webhooks[Event]["post"]["requestBody"]["content"]["application/json"];

/** What a receiver reads of a webhook. */
export function describeReceived(received: Body<"contact.updated"> | Body<"message.received">): string {
  if (received.event === "message.received") return received.data.body ?? "";
  return (received.data.changes ?? []).map(({ field }) => `${received.data.name}: ${field}`).join();
}

/** Never called: what must not compile. */
export function mistakes(): unknown[] {
  const ada = { location_id, first_name: "Ada", last_name: "Lovelace" };
  // @ts-expect-error -- no such field
  const mistyped: components["schemas"]["CreateContactInput"] = { ...ada, emial: "ada@example.com" };
  return [
    mistyped,
    // @ts-expect-error -- no location
    client.GET("/api/v1/contacts", { params: { query: {} } }),
    // @ts-expect-error -- no such address
    client.GET("/api/v1/contact", { params: { query: { location_id } } }),
    // @ts-expect-error -- a filter is a text
    client.GET("/api/v1/contacts", { params: { query: { location_id, filters: [] } } }),
    // @ts-expect-error -- the last name is missing
    client.POST("/api/v1/contacts", { body: { location_id, first_name: "Ada" } }),
    // @ts-expect-error -- an id is a number
    client.POST("/api/v1/contacts/{id}/tags", { params: { path }, body: { location_id, tag_id: true } }),
    // @ts-expect-error -- no such field of a contact
    contact.full_name,
    // @ts-expect-error -- the owner may be null
    contact.owner.name,
  ];
}
