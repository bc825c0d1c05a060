/** The text index of contacts: exact at every moment between a write and the duty that adds it, on both databases. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { followedContacts } from "../../src/crm/contact-texts.follower.ts";
import { followTexts, rebuildTexts, textIndexDuty } from "../../src/crm/text-index/text-index.follower.ts";
import { findCandidates } from "../../src/crm/contact-candidates.ts";
import { contactNameTexts, contactOtherTexts } from "../../src/crm/contact-texts.ts";
import { mostCandidates, textIndexIds } from "../../src/crm/text-index/text-index.ts";
import type { FollowedTexts } from "../../src/crm/text-index/text-index.ts";
import { textsOfWord } from "../../src/crm/text-index/words.ts";
import { addContactTag } from "../../src/crm/contacts/contact-tags.service.ts";
import { getRecordRow } from "../../src/crm/contacts/contact.queries.ts";
import { createContact, deleteContact, updateContact } from "../../src/crm/contacts/contact.service.ts";
import { contactColumns } from "../../src/crm/contacts/list/contact.filter-fields.ts";
import { parseFilterText } from "../../src/crm/contacts/list/contact.filters.ts";
import { planFilters } from "../../src/crm/contacts/list/contact.list-plan.ts";
import { listContacts } from "../../src/crm/contacts/list/contact.list.ts";
import { findTagged } from "../../src/crm/contacts/list/few/contact.tagged.ts";
import { createTag, updateTag } from "../../src/crm/tags/tag.service.ts";
import { createChannel } from "../../src/crm/channels/channel.service.ts";
import { listConversations } from "../../src/crm/conversations/conversation.list.ts";
import { startConversation } from "../../src/crm/conversations/conversation.service.ts";
import type { Caller, LocationContext } from "../../src/events/caller.ts";
import { stampPositions } from "../../src/events/positions.ts";
import { fold } from "../../src/kit/text.ts";
import type { Database } from "../../src/storage/database.ts";
import { toAlphabet } from "../../src/storage/reading/trigram-alphabets.ts";
import { runsOf } from "../support/chance.ts";
import { copyRows } from "../support/copy-rows.ts";
import { databaseKinds } from "../support/databases.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const byIndex = { atOnce: 0, piece: 1 };
const inNames = (text: string) => [{ texts: [{ column: "first_name_key", text: fold(text) }] }];
const noSearch = { first_name: "", last_name: "" };

async function followAll({ service: { database } }: World): Promise<void> {
  while ((await stampPositions(database)) > 0);
  for (const texts of followedContacts) while (await followTexts(database, texts));
}

/** Until a change that waits for a lock has begun anew: PostgreSQL lets it wait briefly at first. A second change of SQLite begins after the first. */
async function untilRetried({ dialect, rows }: Database): Promise<void> {
  const begun = new Set<number>();
  while (dialect === "postgres" && begun.size < 2) {
    const waiting = await rows<{ at: number }>(
      "select extract(epoch from xact_start) as at from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    for (const { at } of waiting) begun.add(at);
  }
}

/** Of the contacts that have the text in one of these fields, or begin with it, or those that `search` finds by it. */
async function idsOf(
  caller: Caller<LocationContext>,
  value: string,
  fields: readonly string[] | "search",
  op: "contains" | "starts_with" = "contains",
): Promise<number[]> {
  const any = fields === "search" ? [] : fields.map((field) => ({ field, op, value }));
  const query = fields === "search" ? { search: value } : { filters: JSON.stringify([{ any }]) };
  const ids: number[] = [];
  for (let cursor: string | null = null; ;) {
    const { data, next_cursor, total } = await listContacts(caller, { ...query, cursor }, byIndex);
    ids.push(...data.map(({ id }) => id));
    cursor = next_cursor;
    if (cursor !== null) continue;
    expect(total).toBe(ids.length);
    return ids;
  }
}

/** As its migration leaves a database whose role may not install the extension. */
const withoutExtension = ["drop extension pg_trgm cascade", "delete from text_indexes"];

const settings = [
  ...databaseKinds.map((kind) => ({ name: kind, kind, hasIndex: true, statements: [] })),
  { name: "postgres without pg_trgm", kind: "postgres", hasIndex: false, statements: withoutExtension },
] as const;

describe.each(settings)("on $name", ({ name, kind, hasIndex, statements }) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
    for (const statement of statements) await world.service.database.rowsOnce(statement);
  });
  afterAll(() => world?.close());

  /** Texts that share trigrams: capitals, accents, scripts, emoji, wildcards, quotes, line breaks, alphabets of the index, and longer than their keys. */
  const names = [
    "Ada Lovelace",
    "ÀDÀ lovelace-king",
    "Straße 100%_x*",
    "STRASSE 100",
    String.raw`back\slash_100%`,
    "backslash 100",
    "東京大阪神戸",
    "大阪神戸 東京",
    "👍🏽👩‍👩‍👧 emoji",
    '"quoted" AND OR',
    "NEAR(ada lovelace)",
    "ﬁne\nada\u2028LOVE",
    toAlphabet("ada love", 1),
    `${toAlphabet("ada", 3)} ada\uFFFF\u{10FFFF}`,
    "x".repeat(90),
    `${"абв ".repeat(24)}end`,
    `${"абв ".repeat(23)}end`,
  ];
  const parts = [
    "ada",
    "ADA LOVE",
    "ße 1",
    "%_x",
    "sse 100%",
    String.raw`ack\sla`,
    "sh_100",
    "ck_lash",
    "阪神戸",
    "京大阪",
    "👩‍👩‍👧 e",
    '"quo',
    "and",
    "xxxx",
    "в end",
    "абв абв",
    "ada\\",
    "fine ada",
    toAlphabet("ada", 1),
    toAlphabet("ada", 3),
    "a\uFFFF\u{10FFFF}",
    "zzz",
  ];

  /** They are found where a word begins. */
  const short = ["ad", "LO", "st", "tr", "_x", "大阪", "👍🏽", '"q', "or", "аб", "x"];

  const step = fc.oneof(
    {
      arbitrary: fc.record({
        write: fc.constantFrom("create", "update", "delete"),
        pick: fc.nat(99),
        name: fc.constantFrom(...names),
        company: fc.constantFrom(...names),
      }),
      weight: 4,
    },
    { arbitrary: fc.record({ follow: fc.constantFrom("stamp", "batch"), pick: fc.nat(1) }), weight: 2 },
    { arbitrary: fc.record({ search: fc.constantFrom(...parts), pick: fc.nat(1) }), weight: 4 },
    { arbitrary: fc.record({ begins: fc.constantFrom(...short), pick: fc.nat(1) }), weight: 2 },
  );

  test("searches between writes find what plain code finds", { timeout: 240_000 }, async () => {
    const { database } = world.service;
    const places = await Promise.all([
      world.service.inLocation(world.acme, world.north),
      world.service.inLocation(world.other, world.foreign),
    ]);
    const channels = await Promise.all(
      places.map((caller) => caller.change((change) => createChannel(change, { kind: "sms", name: "Texts" }))),
    );
    const model = places.map(() => new Map<number, { name: string; company: string }>());
    let indexed = 0;
    let begun = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
        for (const one of steps) {
          if ("follow" in one) {
            await (one.follow === "stamp"
              ? stampPositions(database)
              : followTexts(database, followedContacts[one.pick]!));
          } else if ("write" in one) {
            const [caller, known] = [places[one.pick % 2]!, model[one.pick % 2]!];
            const id = [...known.keys()][one.pick % Math.max(known.size, 1)];
            if (one.write === "create" || id === undefined) {
              const made = await caller.change((change) =>
                createContact(change, { ...noSearch, first_name: one.name, company: one.company }),
              );
              known.set(made.id, one);
              await caller.change((change) =>
                startConversation(change, { contact_id: made.id, channel_id: channels[one.pick % 2]!.id }),
              );
            } else if (one.write === "update") {
              await caller.change((change) =>
                updateContact(change, id, { first_name: one.name, company: one.company }),
              );
              known.set(id, one);
            } else {
              await caller.change((change) => deleteContact(change, id));
              known.delete(id);
            }
          } else if ("begins" in one) {
            const [caller, known] = [places[one.pick]!, model[one.pick]!];
            const word = fold(one.begins);
            const idsWhere = (holds: (name: string, company: string) => boolean) =>
              [...known].filter(([, texts]) => holds(fold(texts.name), fold(texts.company))).map(([id]) => id);
            const hasWord = idsWhere((name) => name.startsWith(word) || name.includes(` ${word}`));
            const begins = idsWhere((name, company) => name.startsWith(word) || company.startsWith(word));
            const sorted = (ids: readonly number[]) => ids.toSorted((a, b) => a - b);
            expect(sorted(await idsOf(caller, one.begins, "search")), `search: ${word}`).toEqual(hasWord);
            const found = await idsOf(caller, one.begins, ["name", "company"], "starts_with");
            expect(sorted(found), `starts with: ${word}`).toEqual(begins);
            const { data } = await listConversations(caller, { search: one.begins });
            const shown = sorted(data.map(({ contact }) => contact!.id));
            expect(shown, `conversations: ${word}`).toEqual(hasWord.slice(-200));
            const texts = textsOfWord(word).map((text) => ({ column: "name_key", text }));
            if ([...word].length === 2 && (await findCandidates(caller, [{ texts }])) !== undefined) begun += 1;
          } else {
            const [caller, known] = [places[one.pick]!, model[one.pick]!];
            const contains = (text: string) => fold(text).includes(fold(one.search));
            const expected = [...known].filter(([, { name }]) => contains(name)).map(([id]) => id);
            const inCompany = [...known].filter(([, { company }]) => contains(company)).map(([id]) => id);
            const inAny = [...known].filter(([, texts]) => contains(texts.name) || contains(texts.company));
            for (const [fields, ids] of [
              [["name"], expected],
              [["last_name"], []],
              [["company"], inCompany],
              [["source"], []],
              [["name", "company"], inAny.map(([id]) => id)],
            ] as const) {
              const found = await idsOf(caller, one.search, [...fields]);
              expect(
                found.toSorted((a, b) => a - b),
                `${fields.join()}: ${one.search}`,
              ).toEqual(ids);
            }
            const { data } = await listConversations(caller, { search: one.search });
            const shown = data.map(({ contact }) => contact!.id);
            expect(
              shown.toSorted((a, b) => a - b),
              `conversations: ${one.search}`,
            ).toEqual(expected.slice(-200));
            if ((await findCandidates(caller, inNames(one.search))) !== undefined) indexed += 1;
          }
        }
      }),
      { ...runsOf(`text index on ${name}`, 12, 200), endOnFailure: true },
    );
    expect(indexed > 0).toBe(hasIndex);
    expect(begun > 0).toBe(hasIndex);
  });

  test("a deleted contact leaves the index, and so does its previous text", async () => {
    const south = await world.service.inLocation(world.acme, world.south);
    const [gone, renamed] = await south.change(async (change) => [
      await createContact(change, { first_name: "Qwertz" }),
      await createContact(change, { first_name: "Qwertzuiop" }),
    ]);
    await followAll(world);
    expect(await idsOf(south, "qwertz", "search")).toEqual([renamed!.id, gone!.id]);
    await south.change((change) => deleteContact(change, gone!.id));
    await south.change((change) => updateContact(change, renamed!.id, { first_name: "Other" }));
    await followAll(world);
    expect(await idsOf(south, "qwertz", ["name"])).toEqual([]);
    const { database } = world.service;
    for (const { index } of [contactOtherTexts, contactNameTexts]) {
      const lookUp = await index.choose(database, [
        [
          { text: "qwertz", line: 1 },
          { text: "qwertz", line: 2 },
        ],
      ]);
      const left = lookUp && (await database.rowsOnce(index.candidates(lookUp), [lookUp.value]));
      expect(left).toEqual(hasIndex ? [] : undefined);
    }
  });

  test("a name is looked up among names alone, whatever other fields contain", async () => {
    const south = await world.service.inLocation(world.acme, world.south);
    const [named] = await south.change(async (change) => [
      await createContact(change, { ...noSearch, first_name: "Jena" }),
      await createContact(change, { ...noSearch, first_name: "Kim", city: "Jena" }),
    ]);
    await followAll(world);
    expect(await findCandidates(south, inNames("jena"))).toEqual(hasIndex ? [named!.id] : undefined);
    const found = await idsOf(south, "jena", "search");
    expect(found).toEqual([named!.id]);
  });

  test("texts of names and of other fields are looked up each by its index, and united where either will do", async () => {
    const south = await world.service.inLocation(world.acme, world.south);
    const made = await south.change(async (change) => [
      await createContact(change, { ...noSearch, first_name: "Weimar" }),
      await createContact(change, { ...noSearch, first_name: "Lou", city: "Weimar" }),
      await createContact(change, { ...noSearch, first_name: "Lou", last_name: "Weimar", city: "Gotha" }),
    ]);
    const [named, living, both] = made.map(({ id }) => id);
    await followAll(world);
    const [name, city, last] = ["name", "city", "last_name"].map((field) => ({
      field,
      op: "contains",
      value: "weimar",
    }));
    const gotha = { field: "city", op: "contains", value: "gotha" };
    const find = async (filters: readonly object[]) => {
      const text = JSON.stringify(filters);
      const { searched } = planFilters(parseFilterText(text), contactColumns(south.location, "few"));
      const { data } = await listContacts(south, { filters: text }, byIndex);
      const sorted = (ids: readonly number[] | undefined) => ids?.toSorted((a, b) => a - b);
      return { candidates: sorted(await findCandidates(south, searched)), found: sorted(data.map(({ id }) => id)) };
    };
    const whereIndexed = (ids: unknown[]) => (hasIndex ? ids : undefined);
    expect(await find([name!])).toEqual({ candidates: whereIndexed([named, both]), found: [named, both] });
    expect(await find([city!])).toEqual({ candidates: whereIndexed([living]), found: [living] });
    expect(await find([last!])).toEqual({ candidates: whereIndexed([both]), found: [both] });
    expect(await find([{ any: [name, city] }])).toEqual({
      candidates: whereIndexed([named, living, both]),
      found: [named, living, both],
    });
    // By the index with fewer.
    expect(await find([name!, gotha])).toEqual({ candidates: whereIndexed([both]), found: [both] });
    // An index that lacks a change of either kind knows of it.
    await south.change((change) => updateContact(change, living!, { city: "Gotha" }));
    await south.change((change) => updateContact(change, named!, { first_name: "Erfurt", city: "Weimar" }));
    expect((await find([{ any: [name, city] }])).found).toEqual([named, both]);
    expect((await find([gotha])).found).toEqual([living, both]);
  });

  test("contacts are found by their tags, also by those just renamed", async () => {
    const south = await world.service.inLocation(world.acme, world.south);
    const [ada, bob] = await south.change(async (change) => [
      await createContact(change, { ...noSearch, first_name: "Ada" }),
      await createContact(change, { ...noSearch, first_name: "Bob" }),
    ]);
    const tag = await south.change((change) => createTag(change, { name: "Früher Vogel" }));
    const long = await south.change((change) => createTag(change, { name: `${"x_%".repeat(80)}end` }));
    const give = (id: number, tagId: number) =>
      south.change((change) => addContactTag(change, id, { tag_id: tagId, name: null }, getRecordRow));
    await give(ada!.id, tag.id);
    await give(bob!.id, tag.id);
    await give(bob!.id, long.id);
    const both = [ada!.id, bob!.id];
    const findBy = async (...given: { op: string; value: unknown }[]) => {
      const filters = JSON.stringify(given.map((one) => ({ field: "tag", ...one })));
      const { tagged } = planFilters(parseFilterText(filters), contactColumns(south.location, "few"));
      const { data } = await listContacts(south, { filters }, byIndex);
      const sorted = (ids: readonly number[] | undefined) => ids?.toSorted((a, b) => a - b);
      return { candidates: sorted(await findTagged(south, tagged)), found: sorted(data.map(({ id }) => id)) };
    };
    expect(await findBy({ op: "contains", value: "HER VO" })).toEqual({ candidates: both, found: both });
    expect(await findBy({ op: "eq", value: "früher vogel" })).toEqual({ candidates: both, found: both });
    await updateTag(south, tag.id, { name: "Nachteule" });
    expect(await findBy({ op: "contains", value: "HER VO" })).toEqual({ candidates: [], found: [] });
    expect(await findBy({ op: "starts_with", value: "nacht" })).toEqual({ candidates: both, found: both });
    // The shorter list of candidates is used.
    const rare = [bob!.id];
    const either = { op: "in", value: [tag.id, "nothing"] };
    expect(await findBy(either, { op: "contains", value: "%end" })).toEqual({ candidates: rare, found: rare });
    expect((await findBy({ op: "neq", value: "Nachteule" })).candidates).toBeUndefined();
  });

  test("texts of both indexes, each common, are looked up together", { timeout: 120_000 }, async () => {
    const { database } = world.service;
    const south = await world.service.inLocation(world.acme, world.south);
    const [named, employed, both] = await south.change(async (change) => [
      await createContact(change, { ...noSearch, last_name: "Bothmer", company: "Basalt" }),
      await createContact(change, { ...noSearch, last_name: "Other", company: "Granite" }),
      await createContact(change, { ...noSearch, last_name: "Bothmer", company: "Granite" }),
    ]);
    await followAll(world);
    const kept = { external_ref: "null", last_activity_at: "last_activity_at" };
    for (const { id } of [named!, employed!])
      await database.transaction(({ rowsOnce }) =>
        copyRows(rowsOnce, "contacts", `id = ${id}`, kept, mostCandidates + 10),
      );
    // A rebuild would create the extension.
    for (const texts of hasIndex ? followedContacts : [])
      await rebuildTexts(database, texts, { signal: AbortSignal.any([]), progress: () => {} });
    const groups = [
      { texts: [{ column: "last_name_key", text: "bothmer" }] },
      { texts: [{ column: "company_key", text: "granite" }] },
    ];
    for (const group of groups) expect(await findCandidates(south, [group])).toBeUndefined();
    expect(await findCandidates(south, groups)).toEqual(hasIndex ? [both!.id] : undefined);
    const filters = JSON.stringify([
      { field: "last_name", op: "contains", value: "bothmer" },
      { field: "company", op: "contains", value: "granite" },
    ]);
    const { data, total } = await listContacts(south, { filters }, byIndex);
    expect([data.map(({ id }) => id), total]).toEqual([[both!.id], 1]);
  });

  test("the worker says once that the extension is missing", async () => {
    const sentences: string[] = [];
    const duty = textIndexDuty(world.service.database, world.clock, {
      log: { info: (sentence) => sentences.push(sentence) },
      indexes: followedContacts,
    });
    for (let runs = 0; runs < 3; runs++) {
      while ((await duty.run(AbortSignal.any([]))) === "more");
      world.clock.advance({ seconds: 1 });
    }
    expect(sentences).toEqual(hasIndex ? [] : [expect.stringMatching(/pg_trgm is not installed/)]);
  });

  test.each(hasIndex ? followedContacts : [])(
    "a batch of $name that are gone meanwhile writes nothing",
    async (texts) => {
      const { database } = world.service;
      await followAll(world);
      const id = textIndexIds[texts.name];
      const [state] = await database.rows<{ position: number }>("select position from text_indexes where id = ?", [id]);
      const remove = () => database.transaction(({ rows }) => rows("delete from text_indexes where id = ?", [id]));
      const follow = async () => expect.unreachable();
      await followTexts(database, { ...texts, isBehind: () => remove().then(() => true), follow });
      await database.transaction(({ rows }) =>
        rows("insert into text_indexes (id, position) values (?, ?)", [id, state!.position]),
      );
    },
  );

  test.each(hasIndex ? [followedContacts[0]!] : [])(
    "a rebuild that begins while the worker writes a batch waits for it",
    async (ofNames) => {
      const { database } = world.service;
      const south = await world.service.inLocation(world.acme, world.south);
      await followAll(world);
      const { id } = await south.change((change) => createContact(change, { ...noSearch, first_name: "Quedlin" }));
      while ((await stampPositions(database)) > 0);
      let isWritten = false;
      let rebuilding: Promise<unknown> | undefined;
      await followTexts(database, {
        ...ofNames,
        async follow(transaction, position) {
          rebuilding = rebuildTexts(database, ofNames, { signal: AbortSignal.any([]), progress: () => {} });
          await untilRetried(database);
          await ofNames.follow(transaction, position);
          isWritten = (await transaction.rows("select 1")).length === 1;
        },
      });
      expect([await rebuilding, isWritten]).toEqual([expect.any(Number), true]);
      expect(await findCandidates(south, inNames("quedlin"))).toEqual([id]);
    },
  );

  // Creates the extension where it is missing: this role may.
  test("a rebuild that is stopped is resumed; searches are exact meanwhile, and use the index afterwards", async () => {
    const { database } = world.service;
    const west = await world.service.inLocation(world.acme, world.south);
    const ids = await west.change(async (change) => {
      const made: number[] = [];
      for (let count = 0; count < 310; count++) made.push((await createContact(change, { first_name: "Yvonne" })).id);
      return made;
    });
    await followAll(world);
    const [ofNames, ofOthers] = followedContacts;
    const stopRebuild = async (texts: FollowedTexts) => {
      const stop = new AbortController();
      const progress = (reached: number) => reached > 0 && stop.abort();
      await expect(rebuildTexts(database, texts, { signal: stop.signal, progress })).rejects.toThrow(/abort/);
    };
    await stopRebuild(ofNames!);
    await stopRebuild(ofOthers!);
    expect(await findCandidates(west, inNames("yvonne"))).toBeUndefined();
    await west.change((change) => updateContact(change, ids[0]!, { first_name: "Zelda" }));
    const left = ids.slice(1).toReversed();
    expect(await idsOf(west, "yvonne", "search")).toEqual(left);

    const reached: number[] = [];
    for (const texts of followedContacts)
      await rebuildTexts(database, texts, { signal: AbortSignal.any([]), progress: (id) => reached.push(id) });
    expect(reached[0]).toBeGreaterThan(0);
    expect(await findCandidates(west, inNames("yvonne"))).toBeDefined();
    await followAll(world);
    expect(await idsOf(west, "yvonne", "search")).toEqual(left);
    expect(await findCandidates(west, inNames("zelda"))).toEqual([ids[0]]);
  });
});
