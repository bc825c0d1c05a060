/** The text indexes of names: exact at every moment between a write and the duty that adds it, on both databases. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createContact } from "../../src/crm/contacts/contact.service.ts";
import {
  createOpportunity,
  deleteOpportunity,
  updateOpportunity,
} from "../../src/crm/opportunities/opportunity.service.ts";
import { findNamed, namedOpportunities, namedTasks } from "../../src/crm/search/named-records.ts";
import { readSearch } from "../../src/crm/search/text-rank.ts";
import { createTask, deleteTask, updateTask } from "../../src/crm/tasks/task.service.ts";
import { followTexts, rebuildTexts } from "../../src/crm/text-index/text-index.follower.ts";
import type { Caller, Change, LocationContext } from "../../src/events/caller.ts";
import { fold } from "../../src/kit/text.ts";
import { runsOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { pipelineOf } from "../support/given.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

/** Texts that share trigrams: capitals, accents, scripts, emoji, wildcards and quotes. */
const names = [
  "Solar panels",
  "SOLAR pánel",
  "Straße 100%_x*",
  "STRASSE 100",
  "東京大阪神戸",
  "大阪神戸 東京",
  "👩‍👩‍👧 emoji",
  '"quoted" AND OR',
  "NEAR(solar panels)",
  `${"абв ".repeat(60)}end`,
];
const parts = [
  "solar",
  "panel",
  "ßE 1",
  "%_x",
  "阪神戸",
  "👩‍👩‍👧 e",
  '"quo',
  "and",
  "абв end",
  "p",
  "solar p",
  "panel 100",
  "100 straße",
  "solar zzz",
  "zzz",
];

/** What the tests do with records of a kind. */
interface Named {
  readonly list: typeof namedTasks;
  create(change: Change<LocationContext>, at: Place, name: string): Promise<{ readonly id: number }>;
  rename(change: Change<LocationContext>, id: number, name: string): Promise<unknown>;
  remove(change: Change<LocationContext>, id: number): Promise<void>;
}

interface Place {
  readonly caller: Caller<LocationContext>;
  readonly contact_id: number;
  readonly pipeline_id: number;
  readonly stage_id: number;
}

const kinds: readonly Named[] = [
  {
    list: namedOpportunities,
    create: (change, { caller: _caller, ...at }, name) => createOpportunity(change, { ...at, name }),
    rename: (change, id, name) => updateOpportunity(change, id, { name }),
    remove: deleteOpportunity,
  },
  {
    list: namedTasks,
    create: (change, _at, title) => createTask(change, { title }),
    rename: (change, id, title) => updateTask(change, id, { title }),
    remove: deleteTask,
  },
];

const step = fc.record({
  act: fc.constantFrom("create", "create", "rename", "remove", "follow", "search", "search"),
  kind: fc.nat(1),
  place: fc.nat(1),
  pick: fc.nat(99),
  name: fc.constantFrom(...names),
  part: fc.constantFrom(...parts),
});

/** As its migrations leave a database whose role may not install the extension. */
const withoutExtension = ["drop extension pg_trgm cascade", "delete from text_indexes"];

const settings = [
  ...databaseKinds.map((kind) => ({ name: kind, kind, hasIndex: true, statements: [] })),
  { name: "postgres without pg_trgm", kind: "postgres", hasIndex: false, statements: withoutExtension },
] as const;

describe.each(settings)("on $name", ({ name: setting, kind, hasIndex, statements }) => {
  let world: World;
  const places: Place[] = [];
  beforeAll(async () => {
    world = await createWorld(kind);
    for (const statement of statements) await world.service.database.rowsOnce(statement);
    for (const location of [world.north, world.south]) {
      const caller = await world.service.inLocation(world.acme, location);
      const pipeline = await pipelineOf(world, location);
      const { id } = await caller.change((change) => createContact(change, { first_name: "Ada" }));
      places.push({ caller, contact_id: id, pipeline_id: pipeline.id, stage_id: pipeline.stages[0]!.id });
    }
  });
  afterAll(() => world?.close());

  const foundIds = async ({ caller }: Place, { list }: Named, q: string) =>
    (await findNamed(caller, list, readSearch(q))).map(({ id }) => id).toSorted((a, b) => a - b);

  const followAll = async () => {
    for (const { list } of kinds) while (await followTexts(world.service.database, list.names));
  };

  const waiting = () => world.service.database.rows("select id from unindexed_names");

  test("searches between writes find what plain code finds", { timeout: 240_000 }, async () => {
    const model = kinds.map(() => places.map(() => new Map<number, string>()));
    let indexed = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
        for (const { act, kind: which, place, pick, name, part } of steps) {
          const [named, at, known] = [kinds[which]!, places[place]!, model[which]![place]!];
          const id = [...known.keys()][pick % Math.max(known.size, 1)];
          if (act === "follow") {
            await followTexts(world.service.database, named.list.names);
          } else if (act === "search") {
            const has = (text: string) => readSearch(part).words.every((word) => fitsWord(fold(text), word));
            const expected = [...known].flatMap(([one, text]) => (has(text) ? one : []));
            expect(await foundIds(at, named, part), part).toEqual(expected.toSorted((a, b) => a - b));
            const groups = readSearch(part).words.map((word) => [word]);
            if ((await named.list.names.findCandidates(at.caller, groups)) !== undefined) indexed += 1;
          } else if (act === "create" || id === undefined) {
            const made = await at.caller.change((change) => named.create(change, at, name));
            known.set(made.id, name);
          } else if (act === "rename") {
            await at.caller.change((change) => named.rename(change, id, name));
            known.set(id, name);
          } else {
            await at.caller.change((change) => named.remove(change, id));
            known.delete(id);
          }
        }
      }),
      { ...runsOf(`name index on ${setting}`, 8, 150), endOnFailure: true },
    );
    expect(indexed > 0).toBe(hasIndex);
    await followAll();
    expect(await waiting()).toEqual([]);
  });

  test("an opportunity that lost its name is not found, before the index knows of it and afterwards", async () => {
    const at = places[0]!;
    const [deals] = kinds as [Named, Named];
    const [unnamed, named] = await at.caller.change(async (change) => [
      await deals.create(change, at, "Balcony plant"),
      await deals.create(change, at, "Balcony power"),
    ]);
    await followAll();
    await at.caller.change((change) => updateOpportunity(change, unnamed!.id, { name: null }));
    expect(await foundIds(at, deals, "balcony")).toEqual([named!.id]);
    await followAll();
    expect(await foundIds(at, deals, "balcony")).toEqual([named!.id]);
  });

  test("a removed record and a previous name leave the index; a rebuild finds all", async () => {
    const { database } = world.service;
    const at = places[0]!;
    for (const named of kinds) {
      const { names: texts } = named.list;
      const [gone, renamed] = await at.caller.change(async (change) => [
        await named.create(change, at, "Qwertz"),
        await named.create(change, at, "Qwertzuiop"),
      ]);
      await followAll();
      expect(await foundIds(at, named, "qwertz")).toEqual([gone!.id, renamed!.id]);
      await at.caller.change((change) => named.remove(change, gone!.id));
      await at.caller.change((change) => named.rename(change, renamed!.id, "Yxcvbn"));
      await followAll();
      const look = await texts.index.choose(database, [[{ text: "qwertz" }]]);
      expect(look && (await database.rowsOnce(texts.index.candidates(look), [look.value]))).toEqual(
        hasIndex ? [] : undefined,
      );
      const count = await rebuildTexts(database, texts, { signal: AbortSignal.any([]), progress: () => {} });
      expect(count).toBeGreaterThan(0);
      expect(await foundIds(at, named, "yxcvbn")).toEqual([renamed!.id]);
      expect(await texts.findCandidates(at.caller, [["yxcvbn"]])).toEqual([renamed!.id]);
    }
  });
});

/** By the definition: three or more characters anywhere, fewer at the beginning of a word. */
function fitsWord(text: string, word: string): boolean {
  return [...word].length < 3 ? ` ${text}`.includes(` ${word}`) : text.includes(word);
}
