/** Makes callers over a database, and the units of work that they open. */
import type { Database, Transaction } from "../storage/database.ts";
import type { EventRecord } from "./event-record.ts";
import { insertEvents } from "./record.ts";
import type { Actor, Caller, Change, Grant, Place, Reader, Tools } from "./caller.ts";

/** Whom a caller speaks for. */
export type Identity<Where extends Place | null = Place | null> = Pick<
  Reader<Where>,
  "workspaceId" | "location" | "locationIds" | "actor" | "grant" | "userId"
>;

export type CallAs = <Where extends Place | null>(identity: Identity<Where>) => Caller<Where>;

/** `recorded` is called after each commit that wrote an event. */
export function createCallAs({
  database,
  tools,
  recorded,
}: {
  database: Database;
  tools: Tools;
  recorded: () => void;
}): CallAs {
  return <Where extends Place | null>(identity: Identity<Where>): Caller<Where> => ({
    ...identity,
    tools,
    dialect: database.dialect,
    rows: database.rows,
    rowsOnce: database.rowsOnce,
    async change<Result>(work: (change: Change<Where>) => Promise<Result>): Promise<Result> {
      let events = 0;
      const result = await database.transaction((transaction) =>
        work(toChange(transaction, identity, tools, (count) => (events += count))),
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
  tools: Tools,
  recording: (count: number) => void = () => {},
): Change<Where> {
  return new OpenChange(transaction, identity, tools, recording);
}

// A class: a getter in a literal would give every change a shape of its own, which V8 keeps until a full collection.
class OpenChange<Where extends Place | null> implements Change<Where> {
  readonly workspaceId: number;
  readonly location: Where;
  readonly locationIds: readonly number[] | null;
  readonly actor: Actor;
  readonly grant: Grant;
  readonly userId: number | null;
  readonly tools: Tools;
  readonly now: Date;
  readonly dialect: Transaction["dialect"];
  readonly rows: Transaction["rows"];
  readonly rowsOnce: Transaction["rowsOnce"];
  readonly #transaction: Transaction;
  readonly #recording: (count: number) => void;

  constructor(transaction: Transaction, identity: Identity<Where>, tools: Tools, recording: (count: number) => void) {
    this.workspaceId = identity.workspaceId;
    this.location = identity.location;
    this.locationIds = identity.locationIds;
    this.actor = identity.actor;
    this.grant = identity.grant;
    this.userId = identity.userId;
    this.tools = tools;
    this.now = tools.clock.now();
    this.dialect = transaction.dialect;
    this.rows = transaction.rows;
    this.rowsOnce = transaction.rowsOnce;
    this.#transaction = transaction;
    this.#recording = recording;
  }

  get em(): Transaction["em"] {
    return this.#transaction.em;
  }

  record(...records: EventRecord[]): Promise<number[]> {
    this.#recording(records.length);
    return insertEvents(this, records);
  }
}
