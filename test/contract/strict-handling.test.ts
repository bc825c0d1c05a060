/** Prefer: handling=strict: unknown fields are refused; without it they are ignored. */
import { expect, test } from "vitest";
import { isStrict } from "../../src/http/strict-input.ts";
import type { IncomingRequest } from "../../src/http/request/incoming-request.ts";
import { contract, row } from "../support/contract.ts";
import { givenContact, givenTaggedContact } from "../support/given.ts";
import type { World } from "../support/world.ts";

const strict = { prefer: "handling=strict" };
const applied = { "preference-applied": /^handling=strict$/ };
const person = (world: World, fields: object) => ({
  location_id: world.north,
  first_name: "Ada",
  last_name: "",
  ...fields,
});

const refused: readonly [name: string, sent: (world: World) => [string, string, unknown?], errors: object][] = [
  [
    "a field that is nearly one",
    (world) => ["POST", "/contacts", person(world, { frist_name: "Ida" })],
    { frist_name: ["There is no field frist_name. Did you mean first_name?"] },
  ],
  [
    "a field like none, and one that is wrong",
    (world) => ["POST", "/contacts", person(world, { favourite_colour: "blue", email: 7 })],
    {
      favourite_colour: ["There is no field favourite_colour."],
      email: ["The email field must be a string."],
    },
  ],
  [
    "a field that only the service sets",
    (world) => ["POST", "/contacts", person(world, { id: 7, created_at: "2026-01-01T00:00:00Z" })],
    { id: [expect.stringMatching(/^There is no field id\./)], created_at: ["There is no field created_at."] },
  ],
  [
    "a field of an object's own making",
    (world) => ["POST", "/contacts", JSON.stringify(person(world, {})).replace("{", '{"__proto__":1,')],
    JSON.parse('{"__proto__":["There is no field __proto__."]}') as object,
  ],
  [
    "a field of one of many",
    (world) => [
      "POST",
      "/contacts/bulk",
      { location_id: world.north, contacts: [{ email: "a@example.com" }, { emial: "b@example.com" }] },
    ],
    { "contacts.1.emial": ["There is no field contacts.1.emial. Did you mean email?"] },
  ],
  [
    "a parameter",
    (world) => ["GET", `/contacts?location_id=${world.north}&filter=%5B%5D`],
    { filter: ["There is no parameter filter. Did you mean filters?"] },
  ],
  ["a parameter where there are none", () => ["GET", "/locations?page=2"], { page: ["There is no parameter page."] }],
  [
    "a parameter of a POST",
    (world) => ["POST", `/contacts?location_id=${world.north}`, person(world, {})],
    { location_id: ["There is no parameter location_id."] },
  ],
  [
    "a name without end",
    (world) => ["POST", "/contacts", person(world, { ["x".repeat(100_000)]: 1 })],
    { [`${"x".repeat(59)}…`]: [`There is no field ${"x".repeat(59)}….`] },
  ],
];

contract("handling=strict refuses", [
  ...refused.map(([name, sent, errors]) =>
    row({
      name,
      send: (world) => {
        const [method, path, body] = sent(world);
        return [method, path, body, strict];
      },
      expect: { status: 422, exactly: { message: expect.any(String), errors }, headers: applied },
    }),
  ),
  row({
    name: "a bounded number of very many fields",
    send: (world) => [
      "POST",
      "/contacts",
      person(world, Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`field_${n}`, n]))),
      strict,
    ],
    expect: { status: 422, headers: applied },
    async afterwards(_world, _given, body) {
      expect(Object.keys(body.errors)).toHaveLength(20);
    },
  }),
]);

contract("handling=strict lets pass", [
  row({
    name: "known fields",
    send: (world) => ["POST", "/contacts", person(world, { email: "ada@example.com", owner_user_id: null }), strict],
    expect: { status: 201, headers: applied, events: ["contact.created"] },
  }),
  row({
    name: "many at once",
    send: (world) => [
      "POST",
      "/contacts/bulk",
      { location_id: world.north, contacts: [{ email: "many@example.com", last_name: "M" }] },
      strict,
    ],
    expect: { status: 200, headers: applied, events: ["contact.created"] },
  }),
  row({
    name: "the location of a DELETE, in body or query",
    given: (world) => givenContact(world),
    send: (world, { id }) => [
      "DELETE",
      `/contacts/${id}?location_id=${world.north}`,
      { location_id: world.north },
      strict,
    ],
    expect: { status: 204, headers: applied, events: ["contact.deleted"] },
  }),
  row({
    name: "a list with all its parameters",
    send: (world) => [
      "GET",
      `/contacts?location_id=${world.north}&email=a%40b.example&phone=1&filters=%5B%5D&cursor=`,
      undefined,
      strict,
    ],
    expect: { status: 200, headers: applied },
  }),
]);

const long = "x".repeat(100_000);

const created = { status: 201, events: ["contact.created"] };

const ignored: readonly [
  name: string,
  sent: (world: World) => [string, string, unknown?],
  header: RegExp,
  answer: object,
][] = [
  ["nothing of a known request", (world) => ["POST", "/contacts", person(world, {})], /^$/, created],
  ["a parameter", (world) => ["GET", `/contacts?location_id=${world.north}&serch=ada`], /^serch$/, {}],
  ["a parameter where there are none", () => ["GET", "/locations?page=2"], /^page$/, {}],
  [
    "a field of one of many",
    (world) => [
      "POST",
      "/contacts/bulk",
      { location_id: world.north, contacts: [{ email: "one@example.com", emial: "b@example.com" }] },
    ],
    /^contacts\.0\.emial$/,
    { events: ["contact.created"] },
  ],
  [
    "names that no header may hold, percent-encoded, and a long one cut",
    (world) => ["POST", "/contacts", person(world, { "é\r\nSet-Cookie: a": 1, "\uD800": 1, [long]: 1 })],
    /^%C3%A9%0D%0ASet-Cookie%3A%20a, %EF%BF%BD, x{59}%E2%80%A6$/,
    created,
  ],
  [
    "twenty of very many",
    (world) => [
      "POST",
      "/contacts",
      person(world, Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`x${n}`, n]))),
    ],
    /^(?:x\d+, ){19}x19$/,
    created,
  ],
];

contract("X-Unknown-Fields names what was ignored:", [
  ...ignored.map(([name, send, header, answer]) =>
    row({ name, send, expect: { status: 200, headers: { "x-unknown-fields": header }, ...answer } }),
  ),
  row({
    name: "nothing of a refused request",
    send: (world) => ["POST", "/contacts", person(world, { email: 7, emial: 7 })],
    expect: { status: 422, headers: { "x-unknown-fields": /^$/ } },
  }),
]);

contract(
  "without it",
  ["", "handling=lenient", "return=minimal"].map((prefer) =>
    row({
      name: `unknown preferences are ignored: ${JSON.stringify(prefer)}`,
      send: (world) => ["POST", "/contacts?page=2", person(world, { frist_name: "Ida" }), { prefer }],
      expect: {
        status: 201,
        body: { first_name: "Ada" },
        headers: { "x-unknown-fields": /^page, frist_name$/ },
        events: ["contact.created"],
      },
    }),
  ),
);

contract("handling=strict comes last", [
  row({
    name: "a missing record is reported first",
    given: givenTaggedContact,
    send: (world) => ["PATCH", "/contacts/987654", { location_id: world.north, frist_name: 1 }, strict],
    expect: { status: 404, exactly: { error: "contact.not_found" } },
  }),
]);

test.each<[prefer: string | undefined, expected: boolean]>([
  [undefined, false],
  ["", false],
  ["handling=strict", true],
  ["Handling = STRICT", true],
  ['handling="strict"', true],
  ["respond-async, wait=10; x=y, handling=strict; foo", true],
  ["handling=lenient, handling=strict", false],
  ["handling=strict, handling=lenient", true],
  ['x="a, handling=strict"', false],
  ['x="a\\", handling=strict"', false],
  ["handling", false],
  ["nothandling=strict", false],
])("Prefer: %j is strict: %s", (prefer, expected) => {
  expect(isStrict({ header: () => prefer } as unknown as IncomingRequest)).toBe(expected);
});

test("an unclosed quote is parsed quickly", () => {
  const prefer = `x="${'\\"'.repeat(40_000)}`;
  const begun = process.cpuUsage();
  expect(isStrict({ header: () => prefer } as unknown as IncomingRequest)).toBe(false);
  const { user, system } = process.cpuUsage(begun);
  expect((user + system) / 1e6).toBeLessThan(1);
});
