/** Creates callers, which open the transactions of the domain. A caller has an identity; each change commits together with its events. */
import type { ChangeSize, Database, TransactionStatements, Transaction } from "../storage/database.ts";
import type { IdsAhead } from "../storage/inserting/ids-ahead.ts";
import type { Actor } from "./actor.ts";
import type { Caller, Change, Grant, Person, LocationContext, Reader, Tools } from "./caller.ts";
import type { Cause, EventRecord } from "./event-record.ts";
import type { Trace } from "../kit/observing/trace-context.ts";
import { databaseFor } from "./read-queue.ts";
import { stampOwn } from "./positions.ts";
import { createRaisedEvents, insertEvents, sendEvents } from "./record.ts";
import type { RaisedEvents } from "./record.ts";
import { noSurvivors, withSurvivors } from "./attempts/superseded.ts";
import type { Survivors } from "./attempts/superseded.ts";
import { withRollback } from "./with-rollback.ts";

/** The identity that a caller acts for. */
export interface Identity<Where extends LocationContext | null = LocationContext | null> extends Pick<
  Reader<Where>,
  "workspaceId" | "location" | "locationIds" | "actor" | "grant" | "user"
> {
  /** What caused the calls, if not a request. */
  readonly cause?: Cause | null;
  /** The trace that its request is part of. */
  readonly trace?: Trace | undefined;
  /** The client's IP address, of a request. */
  readonly address?: string | null;
  /** Reserved ids for the inserts of its first change. */
  readonly ids?: IdsAhead | undefined;
}

/** The identity of the service's own work in a location, without a request. */
export function systemIn(workspaceId: number, location: LocationContext): Identity<LocationContext> {
  return {
    workspaceId,
    location,
    locationIds: [location.id],
    actor: { type: "system", id: null, name: null },
    grant: { scopes: [], appId: null, role: null },
    user: null,
  };
}

export type CallAs = <Where extends LocationContext | null>(identity: Identity<Where>) => Caller<Where>;

interface CallAsDeps {
  readonly database: Database;
  readonly tools: Tools;
  /** Called after each commit of a caller. */
  readonly committed?: () => void;
}

export function createCallAs({ database, tools, committed }: CallAsDeps): CallAs {
  /** Changes that are open in this process. Beside others, the worker stamps the events of many in one transaction. */
  let openChanges = 0;

  async function carryOut<Where extends LocationContext | null, Result>(
    change: OpenChange<Where>,
    work: (change: Change<Where>) => Promise<Result>,
  ): Promise<Result> {
    const result = await work(change);
    if (change.hasEvents && openChanges === 1) stampOwn(change);
    return result;
  }

  return <Where extends LocationContext | null>(identity: Identity<Where>): Caller<Where> => {
    const { rows, rowsOnce, transaction } = databaseFor(database, identity);
    return {
      ...identity,
      cause: identity.cause ?? null,
      address: identity.address ?? null,
      tools,
      rows,
      rowsOnce,
      async change<Result>(work: (change: Change<Where>) => Promise<Result>, size?: ChangeSize): Promise<Result> {
        openChanges += 1;
        try {
          const result = await withSurvivors((survivors) =>
            transaction(
              (open) => carryOut(new OpenChange(open, identity, tools, survivors, null), work),
              identity.ids,
              size,
            ),
          );
          committed?.();
          return result;
        } finally {
          openChanges -= 1;
        }
      },
      purge: () => database.purge(),
      dryRun: (clock, work) =>
        withRollback<Transaction>(transaction, (open) => work(() => toChange(open, identity, { ...tools, clock }))),
    };
  };
}

/** Opens a change for an identity, in the shared transaction. */
type Across = <Where extends LocationContext | null>(identity: Identity<Where>) => Change<Where>;

/** `transaction` is for queries over all locations. */
export type ChangeAcross = <Result>(work: (as: Across, transaction: Transaction) => Promise<Result>) => Promise<Result>;

/**
 * One transaction over several locations, and few inserts for all events that it raises: for the service's own
 * batch work. Requests never use it: they are limited to the location of their caller.
 */
export function createChangeAcross({ database, tools }: Omit<CallAsDeps, "committed">): ChangeAcross {
  return (work) =>
    withSurvivors((survivors) =>
      database.transaction(async (transaction) => {
        const raised = createRaisedEvents(transaction);
        const as: Across = (identity) => new OpenChange(transaction, identity, tools, survivors, raised);
        const worked = await work(as, transaction);
        raised.send();
        return worked;
      }),
    );
}

/** A change in a transaction that is already open. */
export function toChange<Where extends LocationContext | null>(
  transaction: TransactionStatements,
  identity: Identity<Where>,
  tools: Tools,
  survivors: Survivors = noSurvivors,
): Change<Where> {
  return new OpenChange(transaction, identity, tools, survivors, null);
}

// A class: a getter in an object literal would give every change its own hidden class, which V8 keeps until a full garbage collection.
class OpenChange<Where extends LocationContext | null> implements Change<Where> {
  readonly workspaceId: number;
  readonly location: Where;
  readonly locationIds: readonly number[] | null;
  readonly actor: Actor;
  readonly grant: Grant;
  readonly cause: Cause | null;
  readonly trace: Trace | null;
  readonly user: Person | null;
  readonly address: string | null;
  readonly tools: Tools;
  readonly now: Date;
  readonly survivors: Survivors;
  readonly rows: Transaction["rows"];
  readonly rowsOnce: Transaction["rowsOnce"];
  readonly send: Transaction["send"];
  readonly sendOnce: Transaction["sendOnce"];
  readonly roundTrips: Transaction["roundTrips"];
  readonly #transaction: TransactionStatements;
  /** Where the changes of a transaction insert their events together. */
  readonly #raised: RaisedEvents | null;
  /** Whether it has recorded or raised any. */
  hasEvents = false;

  constructor(
    transaction: TransactionStatements,
    identity: Identity<Where>,
    tools: Tools,
    survivors: Survivors,
    raised: RaisedEvents | null,
  ) {
    this.workspaceId = identity.workspaceId;
    this.location = identity.location;
    this.locationIds = identity.locationIds;
    this.actor = identity.actor;
    this.grant = identity.grant;
    this.cause = identity.cause ?? null;
    this.trace = identity.trace ?? null;
    this.user = identity.user;
    this.address = identity.address ?? null;
    this.tools = tools;
    this.now = tools.clock.now();
    this.survivors = survivors;
    this.rows = transaction.rows;
    this.rowsOnce = transaction.rowsOnce;
    this.send = transaction.send;
    this.sendOnce = transaction.sendOnce;
    this.roundTrips = (raised ?? transaction).roundTrips;
    this.#transaction = transaction;
    this.#raised = raised;
  }

  get em(): Transaction["em"] {
    return this.#transaction.em;
  }

  record(...records: EventRecord[]): Promise<number[]> {
    if (records.length > 0) this.hasEvents = true;
    // Ids are in the order in which events happen.
    this.#raised?.send();
    return insertEvents(this, records);
  }

  raise(...records: EventRecord[]): void {
    if (records.length > 0) this.hasEvents = true;
    if (this.#raised === null) sendEvents(this, records);
    else this.#raised.add(this, records);
  }
}
