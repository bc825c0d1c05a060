/** GET /search: what is found, what the scopes cover, and a comparison with plain code over all records. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startConversation } from "../../src/crm/conversations/conversation.service.ts";
import { createContact } from "../../src/crm/contacts/contact.service.ts";
import { listContacts } from "../../src/crm/contacts/list/contact.list.ts";
import { createOpportunity } from "../../src/crm/opportunities/opportunity.service.ts";
import { search } from "../../src/crm/search/search.queries.ts";
import { createTask, updateTask } from "../../src/crm/tasks/task.service.ts";
import type { Caller, LocationContext } from "../../src/events/caller.ts";
import { fold, foldEmail } from "../../src/kit/text.ts";
import type { ScopeName } from "../../src/vocabulary/scopes.ts";
import { runsOf } from "../support/chance.ts";
import { contract, row } from "../support/contract.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenChannel, givenContact, givenOpportunity, givenTask, made, pipelineOf, unique } from "../support/given.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const find = (world: World, q: string) =>
  ["GET", `/search?location_id=${world.north}&q=${encodeURIComponent(q)}`] as const;

const nothing = { contacts: [], conversations: [], opportunities: [], tasks: [] };

/** A contact with a record of each kind, whose last name no other contact has. */
async function givenLovelace(world: World) {
  const last_name = `Lovelace${unique()}`;
  const contact = await givenContact(world, { last_name });
  const channel = await givenChannel(world);
  const body = { location_id: world.north, contact_id: contact.id, channel_id: channel.id };
  const { conversation } = await made(world.send("owner", "POST", "/conversations", body));
  const opportunity = await givenOpportunity(world, { contact_id: contact.id });
  const task = await givenTask(world, { contact_id: contact.id, title: `Call ${last_name.toUpperCase()}` });
  return { last_name, contact, conversation, opportunity, task };
}

contract("search", [
  row({
    name: "finds a contact, what belongs to it, and what is named like it; says what matched",
    given: givenLovelace,
    send: (world, { last_name }) => find(world, `${last_name} ada`.toLowerCase()),
    expect: {
      status: 200,
      body: (_world, { contact, conversation, opportunity }) => {
        const matched = { field: "contact.name", text: contact.name };
        return {
          contacts: [
            {
              id: contact.id,
              email: contact.email,
              last_activity_at: expect.any(String),
              matched: { field: "name", text: contact.name },
            },
          ],
          conversations: [{ id: conversation.id, contact: { id: contact.id }, status: "open", matched }],
          opportunities: [{ id: opportunity.id, contact: { id: contact.id, name: contact.name }, matched }],
          tasks: [{ contact: { id: contact.id }, completed_at: null, matched }],
        };
      },
    },
  }),
  row({
    name: "a task by its own title before its contact's name",
    given: givenLovelace,
    send: (world, { last_name }) => find(world, last_name),
    expect: {
      status: 200,
      body: (_world, { task }) => ({ tasks: [{ id: task.id, matched: { field: "title", text: task.title } }] }),
    },
  }),
  row({
    name: "by a phone number in any notation, and by an e-mail address",
    given: (world) => givenContact(world, { phone: "+49 30 7654321" }),
    send: (world) => find(world, "0049 (30) 765-4321"),
    expect: {
      status: 200,
      body: (_world, { id, phone_display: text }) => ({ contacts: [{ id, matched: { field: "phone", text } }] }),
    },
    async afterwards(world, { id, email }) {
      const { body } = await world.send("owner", ...find(world, email.toUpperCase()));
      expect(body.contacts).toMatchObject([{ id, matched: { field: "email", text: email } }]);
    },
  }),
  row({
    name: "at most 20 of each, and long texts are cut",
    async given(world) {
      const [contact, word] = [await givenContact(world), `Serial${unique()}`];
      const title = `${word} ${"x".repeat(230)}`;
      for (let number = 0; number < 22; number++) await givenTask(world, { contact_id: contact.id, title });
      return { word, title };
    },
    send: (world, { word }) => find(world, word),
    expect: { status: 200, body: { contacts: [], opportunities: [] } },
    async afterwards(_world, { title }, { tasks }) {
      expect(tasks).toHaveLength(20);
      expect(tasks[0]).toMatchObject({ title, matched: { text: `${title.slice(0, 199)}…` } });
    },
  }),
  row({
    name: "nothing for a key without scopes",
    as: "noScopes",
    given: givenLovelace,
    send: (world, { last_name }) => find(world, last_name),
    expect: { status: 200, exactly: nothing },
  }),
  row({
    name: "nothing of another location",
    given: givenLovelace,
    send: (world, { last_name }) => ["GET", `/search?location_id=${world.south}&q=${last_name}`],
    expect: { status: 200, exactly: nothing },
  }),
  ...["", " ", "%20"].map((q) =>
    row({
      name: `refuses ${JSON.stringify(q)}`,
      send: (world) => ["GET", `/search?location_id=${world.north}&q=${q.trim()}`],
      expect: { status: 422, body: { errors: { q: ["The q field is required."] } } },
    }),
  ),
  row({
    name: "refuses a text that is too long",
    send: (world) => find(world, "x".repeat(256)),
    expect: { status: 422, body: { errors: { q: [expect.stringMatching(/255/)] } } },
  }),
]);

const words = [
  "ada",
  "ADA",
  "Lovelace",
  "É",
  "é",
  "straße",
  "STRASSE",
  "x",
  "Xa",
  "100%_",
  "price",
  "pricelist",
  "東京都",
  "ﬁx",
];
const phrase = (least: number, most: number) =>
  fc
    .array(fc.constantFrom(...words), { minLength: least, maxLength: most })
    .chain((chosen) => fc.constantFrom(" ", "  ", "\t", "").map((gap) => chosen.join(gap)));
const person = fc.record({ first_name: phrase(1, 2), last_name: phrase(0, 1) });
const records = fc.record({
  people: fc.array(person, { minLength: 3, maxLength: 25 }),
  named: fc.array(fc.record({ name: fc.option(phrase(1, 3)), owner: fc.nat(), isDone: fc.boolean() }), {
    maxLength: 30,
  }),
  searches: fc.array(phrase(1, 2), { minLength: 3, maxLength: 6 }),
});

interface Known {
  readonly id: number;
  readonly text: string;
  readonly isOpen: boolean;
  readonly contact: number | null;
}

/** By the definition: no indexes, slices or statements. */
function rankByPlainCode(text: string, q: string, folded: (text: string) => string): number | undefined {
  const [whole, parts] = [folded(q.trim()), q.trim().split(/\s+/).map(folded)];
  const has = (word: string) => ([...word].length < 3 ? ` ${text}`.includes(` ${word}`) : text.includes(word));
  if (!parts.every(has)) return undefined;
  return text === whole ? 0 : text.startsWith(whole) ? 1 : text.includes(` ${whole}`) ? 2 : 3;
}

function ranked(known: readonly Known[], q: string): number[] {
  const matches = known.flatMap((one) => {
    const rank = rankByPlainCode(fold(one.text), q, fold);
    return rank === undefined ? [] : [{ ...one, rank }];
  });
  return matches
    .toSorted((one, other) => one.rank - other.rank || Number(other.isOpen) - Number(one.isOpen))
    .map(({ id }) => id);
}

describe.each(databaseKinds)("on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  async function newLocation(): Promise<Caller<LocationContext>> {
    const body = { name: `Location ${unique()}`, timezone: "UTC", country: "US" };
    const { id } = await made(world.send("owner", "POST", "/locations", body));
    return world.service.inLocation(world.acme, id);
  }

  test("finds what plain code finds, in the same order, at once and in small slices", async () => {
    await fc.assert(
      fc.asyncProperty(records, async ({ people, named, searches }) => {
        const caller = await newLocation();
        const pipeline = await pipelineOf(world, caller.location.id);
        const contacts: { id: number; name: string; email: string }[] = [];
        for (const input of people) {
          const email = `${unique()}.price@example.com`;
          const { id, name } = await caller.change((change) => createContact(change, { ...input, email }));
          contacts.push({ id, name, email });
        }
        const [deals, toDos]: [Known[], Known[]] = [[], []];
        for (const { name, owner, isDone } of named) {
          const contact = contacts[owner % contacts.length]!.id;
          const stage_id = pipeline.stages[isDone ? 2 : 0]!.id;
          const deal = await caller.change((change) =>
            createOpportunity(change, {
              contact_id: contact,
              pipeline_id: pipeline.id,
              stage_id,
              name: name ?? undefined,
            }),
          );
          deals.unshift({ id: deal.id, text: name ?? "", isOpen: deal.status === "open", contact });
          const task = await caller.change((change) =>
            createTask(change, { title: name ?? "Other", contact_id: isDone ? contact : undefined }),
          );
          if (isDone) await caller.change((change) => updateTask(change, task.id, { completed: true }));
          toDos.unshift({ id: task.id, text: name ?? "Other", isOpen: !isDone, contact: isDone ? contact : null });
        }
        const listed = (await listContacts(caller, {})).data.map(({ id }) => contacts.find((one) => one.id === id)!);
        for (const q of searches) {
          const best = listed
            .flatMap(({ id, name, email }) => {
              const ranks = [
                rankByPlainCode(fold(name), q, fold),
                rankByPlainCode(foldEmail(email), q, foldEmail),
              ].filter((rank) => rank !== undefined);
              const isSpread = q
                .trim()
                .split(/\s+/)
                .every((word) =>
                  [rankByPlainCode(fold(name), word, fold), rankByPlainCode(foldEmail(email), word, foldEmail)].some(
                    (rank) => rank !== undefined,
                  ),
                );
              return isSpread ? [{ id, rank: Math.min(4, ...ranks) }] : [];
            })
            .toSorted((one, other) => one.rank - other.rank)
            .map(({ id }) => id);
          const withOwn = (known: readonly Known[]) => {
            const own = ranked(known, q);
            const theirs = best.flatMap((contact) =>
              known.filter((one) => one.contact === contact).map(({ id }) => id),
            );
            return [...new Set([...own.slice(0, 20), ...theirs.slice(0, 20)])].slice(0, 20);
          };
          for (const bounds of [undefined, { contacts: { atOnce: 0, piece: 1 }, slice: 3 }]) {
            const found = await search(caller, q, bounds);
            const ids = (list: readonly { readonly id: number }[]) => list.map(({ id }) => id);
            expect([q, ids(found.contacts), ids(found.opportunities), ids(found.tasks)]).toEqual([
              q,
              best.slice(0, 20),
              withOwn(deals),
              withOwn(toDos),
            ]);
          }
        }
      }),
      runsOf("GET /search", 4, 40),
    );
  });

  test.each<[scopes: ScopeName[], kinds: string[]]>([
    [["contacts.readonly"], ["contacts"]],
    [["tasks.readonly"], ["tasks"]],
    [["conversations.readonly"], []],
    [
      ["contacts.readonly", "conversations.readonly"],
      ["contacts", "conversations"],
    ],
    [
      ["contacts.write", "opportunities.write"],
      ["contacts", "opportunities"],
    ],
    [["contacts.write", "conversations.write", "opportunities.write", "tasks.write"], Object.keys(nothing)],
  ])(
    "with %j it finds %j; records are found by their contact only where contacts may be read",
    async (scopes, kinds) => {
      const caller = await newLocation();
      const contact = await caller.change((change) =>
        createContact(change, { first_name: "Ada", last_name: "Lovelace" }),
      );
      const pipeline = await pipelineOf(world, caller.location.id);
      const channel = await givenChannel(world, {}, caller.location.id);
      const contact_id = contact.id;
      await caller.change((change) =>
        createOpportunity(change, { contact_id, pipeline_id: pipeline.id, stage_id: pipeline.stages[0]!.id }),
      );
      await caller.change((change) => createTask(change, { contact_id, title: "Ask Ada" }));
      await caller.change((change) => createTask(change, { contact_id, title: "Ask" }));
      await caller.change((change) => startConversation(change, { contact_id, channel_id: channel.id }));
      const narrowed = { ...caller, grant: { ...caller.grant, role: null, scopes } } as Caller<LocationContext>;
      const found = await search(narrowed, "ada");
      expect(Object.entries(found).flatMap(([name, list]) => (list.length > 0 ? [name] : []))).toEqual(kinds);
      if (found.tasks.length > 0) expect(found.tasks).toHaveLength(scopes.includes("tasks.readonly") ? 1 : 2);
    },
  );
});
