/** Makes scopes over a database, and the units of work that they open. */
import type { Clock } from "../kit/clock.ts";
import type { Database, Transaction } from "../storage/database.ts";
import { insertEvents } from "./record.ts";
import type { Change, Place, Reader, Scope } from "./scope.ts";

/** Whom a scope speaks for. */
export type Identity<Where extends Place | null = Place | null> = Pick<
  Reader<Where>,
  "workspaceId" | "location" | "locationIds" | "actor" | "userId"
>;

export type OpenScope = <Where extends Place | null>(identity: Identity<Where>) => Scope<Where>;

/** `recorded` is called after each commit that wrote an event. */
export function createScopes({
  database,
  clock,
  recorded,
}: {
  database: Database;
  clock: Clock;
  recorded: () => void;
}): OpenScope {
  return <Where extends Place | null>(identity: Identity<Where>): Scope<Where> => ({
    ...identity,
    clock,
    dialect: database.dialect,
    rows: database.rows,
    rowsOnce: database.rowsOnce,
    async change<Result>(work: (change: Change<Where>) => Promise<Result>): Promise<Result> {
      let events = 0;
      const result = await database.transaction((transaction) =>
        work(toChange(transaction, identity, clock, (count) => (events += count))),
      );
      if (events > 0) recorded();
      return result;
    },
  });
}

/** A change over a transaction that is open already; `recording` hears how many events are written. */
export function toChange<Where extends Place | null>(
  transaction: Transaction,
  identity: Identity<Where>,
  clock: Clock,
  recording: (count: number) => void = () => {},
): Change<Where> {
  const change: Change<Where> = {
    ...identity,
    clock,
    now: clock.now(),
    dialect: transaction.dialect,
    rows: transaction.rows,
    rowsOnce: transaction.rowsOnce,
    get em() {
      return transaction.em;
    },
    record(...records) {
      recording(records.length);
      return insertEvents(change, records);
    },
  };
  return change;
}
