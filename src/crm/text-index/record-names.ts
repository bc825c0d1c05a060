/**
 * Names of records in a text index of their own. Renaming raises no event, so each change of a name notes the record in `unindexed_names`, which
 * the index follows.
 */
import type { Change, LocationContext, Reader } from "../../events/caller.ts";
import { fold } from "../../kit/text.ts";
import { listed, listedAsGiven, listedPairs } from "../../storage/json.ts";
import { defineTrigramIndex } from "../../storage/reading/trigram-index.ts";
import { sql } from "../../storage/sql-text.ts";
import { candidatesText, memoryOf, mostCandidates, mostChanges, readCandidates, textIndexIds } from "./text-index.ts";
import type { FollowedTexts } from "./text-index.ts";
import { beginning } from "./words.ts";

/** A batch takes some ten milliseconds, in which an embedded database writes nothing else. */
const namesAtOnce = 300;

interface NamedTable {
  readonly table: "opportunities" | "tasks";
  readonly column: string;
  readonly indexTable: string;
}

export interface RecordNames extends FollowedTexts {
  /** The column of the name. */
  readonly column: string;
  /** Called by each change that sets, changes or removes a name, a deletion too. */
  note(change: Change<LocationContext>, id: number): void;
  /**
   * Removes the records with these ids (a JSON list) from the index in this transaction, which has removed their names already. They are noted as
   * well, in case a concurrent batch has read their names and adds them again.
   */
  forget(change: Change<LocationContext>, ids: string): void;
  /** The ids of all records of the location whose names may contain one text of each group; undefined if the index does not help. */
  findCandidates(
    reader: Reader<LocationContext>,
    groups: readonly (readonly string[])[],
  ): Promise<number[] | undefined>;
}

/** `column`: the name of a record of `table`; `indexTable`: where the index is. */
export function defineRecordNames({ table, column, indexTable }: NamedTable): RecordNames {
  const indexId = textIndexIds[table];
  const index = defineTrigramIndex(indexTable, mostCandidates);
  const noteText = `insert into unindexed_names (index_id, location_id, record_id) values (${indexId}, ?, ?)`;
  const noteAllText = sql`insert into unindexed_names (index_id, location_id, record_id)
    select ${indexId}, cast(? as bigint), value from ${listedAsGiven}`;
  // In the order of an index: PostgreSQL would else expect a match early in a scan of what waits for other indexes.
  const waitingText = `select id, record_id from unindexed_names where index_id = ${indexId} order by location_id limit ${namesAtOnce}`;
  const isBehindText = `select 1 from unindexed_names where index_id = ${indexId} order by location_id limit 1`;
  const doneText = sql`delete from unindexed_names where id in ${listed}`;
  // Nothing once there is an index: its build is followed by what was noted since it began.
  const skipText = `delete from unindexed_names where id in (select id from unindexed_names where index_id = ${indexId} order by location_id limit 5000)
    and not exists (select 1 from text_indexes where id = ${indexId}) returning id`;
  const namesText = sql`select id, ${column} as name from ${table} where id in ${listed} and ${column} is not null`;
  const putText = index.put(listedPairs);
  const changed = sql`select record_id as id from unindexed_names where index_id = ${indexId} and location_id = ? limit ${mostChanges + 1}`;

  const names: RecordNames = {
    name: table,
    table,
    column,
    index,
    isIndexed: `${column} is not null`,
    isBehind: async (rows) => (await rows.rows(isBehindText)).length > 0,
    async follow(transaction) {
      const waiting = await transaction.rows<{ id: number; record_id: number }>(waitingText);
      await names.put(
        transaction,
        waiting.map((one) => one.record_id),
      );
      transaction.send(doneText, [JSON.stringify(waiting.map(({ id }) => id))]);
    },
    beginBuild() {},
    async put(transaction, ids) {
      const found = await transaction.rows<{ id: number; name: string }>(namesText, [JSON.stringify(ids)]);
      const known = new Set(found.map(({ id }) => id));
      const gone = [...new Set(ids)].filter((id) => !known.has(id));
      if (gone.length > 0) transaction.send(index.remove, [JSON.stringify(gone)]);
      if (found.length > 0)
        transaction.send(putText, [JSON.stringify(found.map(({ id, name }) => [id, beginning(fold(name))]))]);
    },
    skip: async (rows) => (await rows.rows(skipText)).length > 0,
    note: (change, id) => change.send(noteText, [change.location.id, id]),
    forget(change, ids) {
      change.send(noteAllText, [change.location.id, ids]);
      change.send(index.remove, [ids]);
    },
    async findCandidates(reader, groups) {
      const texts = groups.map((group) => group.map((text) => ({ text })));
      const lookUp = await index.choose(reader, texts, { memory: memoryOf(reader) });
      if (lookUp === undefined) return undefined;
      const text = candidatesText([table], [index.candidates(lookUp)], [changed]);
      return readCandidates(reader, { text, values: [lookUp.value, reader.location.id], isLong: lookUp.isLong });
    },
  };
  return names;
}
