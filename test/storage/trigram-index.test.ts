/** A trigram index finds the few rows that have a text whose parts many rows have, or several texts together. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listedPairs } from "../../src/storage/json.ts";
import { defineTrigramIndex } from "../../src/storage/reading/trigram-index.ts";
import { createEstimates } from "../../src/storage/reading/trigram-estimates.ts";
import { databaseKinds, openFresh } from "../support/databases.ts";
import type { OpenedDatabase } from "../support/databases.ts";

const mostCandidates = 40;
const table = "opportunity_texts";
const index = defineTrigramIndex(table, mostCandidates);
const groupsOf = (groups: readonly (readonly string[])[]) => groups.map((group) => group.map((text) => ({ text })));
const names = ["ada lovelace", "grace hopper", "alan turing", "karen jones"];
/** As many rows one after the other have a text that others lack. */
const together = 150;
const rows = Array.from({ length: 4000 }, (_, n) => {
  const town = n < together ? "first quay" : n >= 2000 && n < 2000 + together ? "middle zoo" : "other";
  const number = String(n % 1000).padStart(3, "0");
  return { id: n + 1, text: `\n${names[n % names.length]} ${number}\nstreet ${String(n * 7919).slice(-3)}\n${town}\n` };
});

describe.each(databaseKinds)("a trigram index on %s", (kind) => {
  let fresh: OpenedDatabase;
  beforeAll(async () => {
    fresh = await openFresh(kind);
    await fresh.database.transaction(async (transaction) => {
      transaction.send(index.create);
      transaction.send(index.put(listedPairs), [JSON.stringify(rows.map(({ id, text }) => [id, text]))]);
    });
  });
  afterAll(() => fresh[Symbol.asyncDispose]());

  test.each([
    { what: "a text of two words", groups: [["turing 362"]] },
    { what: "two texts that many rows have each", groups: [["turing"], ["362"]] },
    {
      what: "several texts, of which one has alternatives",
      groups: [["alan"], ["turing"], ["442", "street 44", "no such"]],
    },
    { what: "more texts than are looked up together", groups: [["a"], ["alan"], ["turing"], ["street"], ["362"]] },
    { what: "the end of a word and the beginning of another", groups: [["ng 36", "er 76"], ["street"]] },
    { what: "characters that LIKE and JSON know", groups: [["362"], [String.raw`100%_"\'`, "turing"]] },
  ])("finds $what", async ({ groups }) => {
    const { database } = fresh;
    const matching = rows.filter(({ text }) => groups.every((group) => group.some((part) => text.includes(part))));
    expect(matching.length).toBeGreaterThan(0);
    const lookUp = await index.choose(database, groupsOf(groups));
    const found = await database.rowsOnce<{ id: number }>(index.candidates, [lookUp!.value]);
    expect(found.length).toBeLessThanOrEqual(mostCandidates);
    expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining(matching.map(({ id }) => id)));
  });

  test.each([
    { what: "a text that many rows have", groups: [["turing"]] },
    { what: "texts that many rows have together", groups: [["alan"], ["turing"]] },
    { what: "a text without trigrams", groups: [["ng"]] },
  ])("does not look up $what", async ({ groups }) => {
    const lookUp = await index.choose(fresh.database, groupsOf(groups));
    const found = lookUp && (await fresh.database.rowsOnce<{ id: number }>(index.candidates, [lookUp.value]));
    expect(found?.length ?? mostCandidates + 1).toBe(mostCandidates + 1);
  });

  test.each(["qua", "zoo"])("estimates %s as rare, though its rows lie together", async (part) => {
    const [estimate] = await createEstimates(table)(fresh.database).of([part]);
    expect(estimate!.expected).toBeLessThan(together * 4);
  });

  test("estimates a text of all rows as common", async () => {
    const [estimate] = await createEstimates(table)(fresh.database).of(["str"]);
    expect(estimate!.expected).toBe(rows.length);
  });

  test("looks up alternatives of several texts in few scans, and each text once", async () => {
    const numbers = ["362", "366", "370", "374", "378", "382", "386"];
    const turings = numbers.map((number) => `g ${number}`);
    const lookUp = await index.choose(fresh.database, groupsOf([turings, turings, numbers, numbers]));
    const { likes } = JSON.parse(lookUp!.value) as { likes: string[] };
    const counts = likes.map((texts) => texts.split(",").length);
    expect(counts.reduce((product, count) => product * count, 1)).toBeLessThanOrEqual(16);
    expect(new Set(likes).size).toBe(kind === "sqlite" ? 0 : 1);
  });
});
