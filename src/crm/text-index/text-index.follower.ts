/** Updates text indexes with what changed, in bounded batches, and builds them. */
import type { Clock } from "../../kit/time/clock.ts";
import type { Duty } from "../../kit/duty.ts";
import type { Database, Transaction } from "../../storage/database.ts";
import { forUpdate } from "../../storage/locks.ts";
import { extensionIsMissing } from "../../storage/reading/trigram-extension.ts";
import { sql } from "../../storage/sql-text.ts";
import { textIndexIds } from "./text-index.ts";
import type { FollowedTexts } from "./text-index.ts";

/** A batch takes some ten milliseconds, in which an embedded database writes nothing else. */
const recordsAtOnce = 300;

interface IndexState {
  readonly position: number;
  readonly built_to: number | null;
}

const stateText = "select position, built_to from text_indexes where id = ?";
const lockText = sql`${stateText}${forUpdate("text_indexes")}`;
const builtText = "update text_indexes set built_to = ? where id = ?";

/** Does one bounded batch; resolves to whether there was one. */
export async function followTexts(database: Database, texts: FollowedTexts): Promise<boolean> {
  const id = textIndexIds[texts.name];
  const [state] = await database.rows<IndexState>(stateText, [id]);
  if (state === undefined) return texts.skip(database);
  if (state.built_to === null && !(await texts.isBehind(database, state.position))) return false;
  await database.transaction(async (transaction) => {
    const [locked] = await transaction.rows<IndexState>(lockText, [id]);
    // A newer version migrates meanwhile.
    if (locked === undefined) return;
    if (locked.built_to === null) await texts.follow(transaction, locked.position);
    else await build(transaction, texts, locked.built_to);
  });
  await texts.index.segments.mergeAdded(database);
  return true;
}

/** The first batch empties the index. */
async function build(transaction: Transaction, texts: FollowedTexts, after: number): Promise<void> {
  if (after === 0) {
    transaction.send(texts.index.clear);
    texts.beginBuild(transaction);
  }
  const batchText = `select id from ${texts.table} where id > ? order by id limit ${recordsAtOnce}`;
  const records = await transaction.rows<{ id: number }>(batchText, [after]);
  const ids = records.map(({ id }) => id);
  await texts.put(transaction, ids);
  transaction.send(builtText, [ids.length < recordsAtOnce ? null : ids.at(-1)!, textIndexIds[texts.name]]);
}

/** Where the index could not be created before. */
const addStateText = ({ name, index }: FollowedTexts) =>
  sql`insert into text_indexes (id, built_to) select ${textIndexIds[name]}, 0 where ${index.exists} on conflict (id) do nothing`;
const restartText = "update text_indexes set built_to = 0 where id = ? and built_to is null";

export interface RebuildOptions {
  readonly signal: AbortSignal;
  /** Called after each batch: the id reached, and the highest one. */
  progress(reached: number, last: number): void;
}

/**
 * Builds an index anew, or resumes an interrupted build; the worker may take some of its batches. Until it is complete, lists are scanned.
 * Resolves to the number of records with texts, or null if the database has no text index.
 */
export async function rebuildTexts(
  database: Database,
  texts: FollowedTexts,
  { signal, progress }: RebuildOptions,
): Promise<number | null> {
  const id = textIndexIds[texts.name];
  await database.transaction(async (transaction) => {
    // As a batch does: its state is locked before its table.
    await transaction.rows(lockText, [id]);
    transaction.sendOnce(texts.index.create);
    transaction.send(addStateText(texts));
    transaction.send(restartText, [id]);
  });
  const [highest] = await database.rows<{ last: number }>(`select coalesce(max(id), 0) as last from ${texts.table}`);
  for (;;) {
    const [state] = await database.rows<IndexState>(stateText, [id]);
    if (state === undefined) return null;
    if (state.built_to === null) break;
    progress(state.built_to, highest!.last);
    signal.throwIfAborted();
    await followTexts(database, texts);
  }
  const [counted] = await database.rows<{ count: number }>(
    `select count(*) as count from ${texts.table} where ${texts.isIndexed}`,
  );
  return counted!.count;
}

/** Between two runs, in milliseconds: commits are gathered, as batches cost less a row. */
const gathering = 500;

const noIndex = `${extensionIsMissing}: searches for a part of a text scan the records. Install it, then run "crm search rebuild".`;

/** At work twice a second at most. Logs once if the database has no text index. */
export function textIndexDuty(
  database: Database,
  clock: Clock,
  { log, indexes }: { readonly log: { info(sentence: string): void }; readonly indexes: readonly FollowedTexts[] },
): Duty {
  let isLogged = false;
  let restsUntil = 0;
  let isWanted = false;
  return {
    name: "update the text indexes",
    wokenBy: ["unindexed_names", "event_positions"],
    async run() {
      const wait = restsUntil - clock.now().getTime();
      // A longer wait than ever set: the clock was set back.
      isWanted = wait > 0 && wait <= gathering;
      if (isWanted) return "done";
      let isMore = false;
      for (const texts of indexes) isMore = (await followTexts(database, texts)) || isMore;
      if (isMore) return "more";
      if (!isLogged && (await database.rows("select 1 from text_indexes limit 1")).length === 0) log.info(noIndex);
      isLogged = true;
      restsUntil = clock.now().getTime() + gathering;
      return "done";
    },
    nextDue: async () => (isWanted ? new Date(restsUntil) : null),
  };
}
