/** A trigram index finds the few rows that have a text whose parts many rows have, or several texts together. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listedPairs } from "../../src/storage/json.ts";
import { defineTrigramIndex } from "../../src/storage/reading/trigram-index.ts";
import { indexedLines } from "../../src/storage/reading/trigram-alphabets.ts";
import { linesOf } from "../../src/storage/reading/trigram-lines.ts";
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
    const found = await database.rowsOnce<{ id: number }>(index.candidates(lookUp!), [lookUp!.value]);
    expect(found.length).toBeLessThanOrEqual(mostCandidates);
    expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining(matching.map(({ id }) => id)));
  });

  test.each([
    { what: "a text that many rows have", groups: [["turing"]] },
    { what: "texts that many rows have together", groups: [["alan"], ["turing"]] },
    { what: "a text without trigrams", groups: [["ng"]] },
  ])("does not look up $what", async ({ groups }) => {
    const lookUp = await index.choose(fresh.database, groupsOf(groups));
    const found = lookUp && (await fresh.database.rowsOnce<{ id: number }>(index.candidates(lookUp), [lookUp.value]));
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
    const [postgres] = [lookUp!.select(["id"]).postgres];
    expect(likes.length).toBe(kind === "sqlite" ? 0 : numbers.length);
    expect(new Set(likes).size).toBe(likes.length);
    expect(postgres.split(" or ").length).toBeLessThanOrEqual(16);
  });

  test.each([
    { what: "in another line", asked: [{ text: "turing", line: 2 }], found: [] },
    {
      what: "in one of two lines",
      asked: [
        { text: "turing", line: 1 },
        { text: "quay 9", line: 2 },
      ],
      found: [1, 3, 4],
    },
    { what: "at the beginning of a line", asked: [{ text: "\ntu", line: 1, beginsLine: true }], found: [3] },
    { what: "beside, whatever the line", asked: [{ text: "lovelace", line: 2 }], found: [4] },
  ])("finds a text $what by that line alone", async ({ asked, found }) => {
    const texts = [
      ["alan turing", "quay 9", ""],
      ["grace", "west street", ""],
      ["turing turing", "", ""],
      ["ada", "quay 9", "lovelace"],
    ] as const;
    const indexed = texts.map(([first, second, beside], n) => [
      n + 1,
      kind === "sqlite"
        ? indexedLines(1, first, beside) + indexedLines(2, second, beside)
        : `\n${first}\n${second}\n${beside}`,
    ]);
    const lines = defineTrigramIndex(
      "task_texts",
      mostCandidates,
      linesOf(2).map((expression, place) => ({ expression, alphabet: place + 1 })),
    );
    const { database } = fresh;
    await database.transaction(async (transaction) => {
      if (kind === "postgres") await transaction.rows("drop index if exists task_texts_by_trigram");
      transaction.send(lines.create);
      transaction.send(lines.put(listedPairs), [JSON.stringify(indexed)]);
    });
    const lookUp = (await lines.choose(database, [asked]))!;
    const rowsFound = await database.rowsOnce<{ id: number }>(lines.rows(lookUp), [lookUp.value]);
    expect(rowsFound.map(({ id }) => id).toSorted()).toEqual(found);
  });
});
