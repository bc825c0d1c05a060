/** Texts of maximum length, of letters that expand when folded: stored, found, and without effects on other fields. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contactFields } from "../../src/crm/contacts/contact.fields.ts";
import { limits } from "../../src/vocabulary/limits.ts";
import { databaseKinds } from "../support/databases.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

/** One letter of Arabic, and eighteen once it is folded. */
const growing = "\uFDFA";

/** Letters without repeated three-byte sequences: PostgreSQL stops compressing a text that starts like this. */
function unpackable(count: number): string {
  const seen = new Set<string>();
  let text = "";
  for (let letter = 0x20000; [...text].length < count; letter += 67) {
    const more = Buffer.from(text.slice(-2) + String.fromCodePoint(letter)).toString("latin1");
    const triples = Array.from({ length: more.length - 2 }, (_, place) => more.slice(place, place + 3)).slice(
      text === "" ? 0 : 2,
    );
    if (new Set(triples).size < triples.length || triples.some((triple) => seen.has(triple))) continue;
    for (const triple of triples) seen.add(triple);
    text += String.fromCodePoint(letter);
  }
  return text;
}

/** A Hebrew letter that expands to three, in addresses as well. */
const address = `${"\uFB2C".repeat(200)}@${"\uFB2C".repeat(40)}.example`;

const texts = Object.entries(contactFields)
  .filter(([field, { kind }]) => kind === "text" && !["email", "phone", "timezone"].includes(field))
  .map(([field]) => field);

/** A contact with texts of maximum length that end in `end`. */
function widest(end: string): Record<string, string> {
  const longest = (field: string) => limits.contact[field as "city"];
  const fill = (field: string) => growing.repeat(Math.max(0, longest(field) - end.length)) + end.slice(-longest(field));
  const filled = Object.fromEntries(texts.map((field) => [field, fill(field)]));
  return { ...filled, first_name: unpackable(253) + end, email: address, phone: growing.repeat(32) };
}

describe.each(databaseKinds)("on %s", (kind) => {
  let world: World;
  let id: number;
  const send = (method: string, path: string, body: object) =>
    world.send("owner", method, path, { location_id: world.north, ...body });
  const found = async (filters: object): Promise<number[]> => {
    const query = new URLSearchParams({ location_id: String(world.north), filters: JSON.stringify(filters) });
    const { status, body } = await world.send("owner", "GET", `/contacts?${query}`);
    expect({ status, body }).toMatchObject({ status: 200 });
    return (body as { data: { id: number }[] }).data.map((contact) => contact.id);
  };

  beforeAll(async () => {
    world = await createWorld(kind);
    const { status, body } = await send("POST", "/contacts", widest("Aa"));
    const { phone, ...shown } = widest("Aa");
    expect({ status, body }).toMatchObject({ status: 201, body: { ...shown, phone_display: phone } });
    ({ id } = body as { id: number });
  });
  afterAll(() => world?.close());

  test.each([...texts, "email"])("%s is found as a whole, by its beginning and by its end", async (field) => {
    const value = field === "email" ? address : widest("Aa")[field]!;
    expect(await found({ [field]: value.toUpperCase() })).toEqual([id]);
    for (const op of ["contains", "starts_with"]) expect(await found([{ field, op, value }])).toEqual([id]);
    const end = value.slice(-2).toUpperCase();
    expect(await found([{ field, op: "contains", value: end }])).toEqual([id]);
    // Texts that differ only beyond the key are different.
    expect(await found({ [field]: `${value.slice(0, -1)}b` })).toEqual([]);
    expect(await found([{ field, op: "starts_with", value: `${value.slice(0, -1)}b` }])).toEqual([]);
    expect(await found([{ field, op: "neq", value }])).toEqual([]);
  });

  test("a substring is found after a change adds it, and no longer after a change removes it", async () => {
    const { body } = await send("POST", "/contacts", {
      first_name: "N",
      last_name: "N",
      company: `${growing.repeat(200)} first`,
    });
    const changed = (body as { id: number }).id;
    const ending = (value: string) => found([{ field: "company", op: "contains", value }]);
    expect(await ending("first")).toEqual([changed]);
    await send("PATCH", `/contacts/${changed}`, { company: `${growing.repeat(200)} second` });
    expect([await ending("first"), await ending("second")]).toEqual([[], [changed]]);
    await send("PATCH", `/contacts/${changed}`, { city: "Rome", company: "short" });
    expect([await ending("second"), await ending("short")]).toEqual([[], [changed]]);
  });

  test("two of them in a bulk do not affect other items", async () => {
    const contacts = [{ email: "one@x.example" }, widest("Bb"), { email: "two@x.example" }].map((contact, n) => ({
      ...contact,
      external_ref: `bulk ${n}`,
    }));
    const { status, body } = await send("POST", "/contacts/bulk", { contacts });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { data: [{ status: 201 }, { status: 200, id }, { status: 201 }] },
    });
    expect(await found([{ field: "company", op: "contains", value: "BB" }])).toEqual([id]);
  });

  test("a tag can have such a name, and its contact is found by a substring of it", async () => {
    const name = `${growing.repeat(250)} tail`;
    const made = await world.send("owner", "POST", "/tags", { name });
    expect(made.status).toBe(201);
    expect((await world.send("owner", "POST", "/tags", { name: name.toUpperCase() })).status).toBe(422);
    expect((await world.send("owner", "POST", "/tags", { name: `${growing.repeat(250)} tale` })).status).toBe(201);
    expect((await send("POST", `/contacts/${id}/tags`, { name: name.toUpperCase() })).status).toBe(200);
    expect(await found([{ field: "tag", op: "contains", value: "TAIL" }])).toEqual([id]);
    expect(await found([{ field: "tag", op: "contains", value: "tale" }])).toEqual([]);
    expect(await found({ tag: name })).toEqual([id]);
  });
});
