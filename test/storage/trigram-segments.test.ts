/** On SQLite, a commit adds its segment to a text index and merges none; they are merged in steps afterwards, and stay few. */
import { expect, test } from "vitest";
import { listedPairs } from "../../src/storage/json.ts";
import { defineTrigramIndex } from "../../src/storage/reading/trigram-index.ts";
import { openFresh } from "../support/databases.ts";

const table = "opportunity_texts";
const index = defineTrigramIndex(table, 1000);
const commits = 120;
const rowsOfCommit = 30;
const wordsOfRow = 20;
/** Different terms, of which a few rows fill a page. */
const textOf = (row: number): string =>
  `\n${Array.from({ length: wordsOfRow }, (_, word) => ((row * 7919 + word * 104_729) % 36 ** 5).toString(36)).join(" ")}`;
const rowsOf = (commit: number): string =>
  JSON.stringify(
    Array.from({ length: rowsOfCommit }, (_, n) => [commit * rowsOfCommit + n + 1, textOf(commit * rowsOfCommit + n)]),
  );

test("commits merge nothing, and segments stay few", async () => {
  await using fresh = await openFresh("sqlite");
  const { database } = fresh;
  const countSegments = async () => {
    const [found] = await database.rows<{ count: number }>(`select count(distinct segid) as count from ${table}_idx`);
    return found!.count;
  };
  const added: number[] = [];
  for (let commit = 0; commit < commits; commit += 1) {
    const before = await countSegments();
    await database.transaction(async ({ send }) => send(index.put(listedPairs), [rowsOf(commit)]));
    added.push((await countSegments()) - before);
    await index.segments.mergeAdded(database);
  }
  expect(added).toEqual(added.map(() => 1));
  expect(await countSegments()).toBeLessThan(12);
});
