/** An open transaction, the same on both databases; entities are discovered when the first one uses its EntityManager. */
import type { EntitySchema, MikroORM, Transaction as TransactionContext } from "@mikro-orm/core";
import type { EntityManager } from "@mikro-orm/sql";
import type { Transaction } from "./database.ts";
import type { Writer } from "./rows.ts";
import type { CommitTables } from "./commits/commit-tables.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- the only type that every entity fits
export type Entities = readonly EntitySchema<any>[];

/** The options of an ORM whose entities come later: reads and compiled statements need none, and discovery takes longer than opening a database. */
export const noEntities = { entities: [] as EntitySchema[], discovery: { warnWhenNoEntities: false } };

/** Returns `orm`, opened with `noEntities`; the first call discovers `entities`. */
export function createLazyEntities(orm: MikroORM, entities: Entities): () => MikroORM {
  let isDiscovered = false;
  return () => {
    if (!isDiscovered) orm.discoverEntity([...entities]);
    isDiscovered = true;
    return orm;
  };
}

/**
 * `writer` must run inside the transaction of `context`. The EntityManager and the context are created on first use. `written` gets the tables that
 * it writes.
 */
export function createTransaction(
  orm: () => MikroORM,
  context: () => TransactionContext,
  writer: Writer,
  written: CommitTables,
): Transaction {
  return new OpenTransaction(orm, context, writer, written);
}

// A class: getters of an object literal would give every transaction its own hidden class, which V8 keeps until a major
// GC.
class OpenTransaction implements Transaction {
  readonly rows: Writer["rows"];
  readonly rowsOnce: Writer["rowsOnce"];
  readonly send: Writer["send"];
  readonly sendOnce: Writer["sendOnce"];
  readonly roundTrips: Writer["roundTrips"];
  readonly #orm: () => MikroORM;
  readonly #context: () => TransactionContext;
  readonly #written: CommitTables;
  #em: EntityManager | undefined;

  constructor(orm: () => MikroORM, context: () => TransactionContext, writer: Writer, written: CommitTables) {
    // Arrow functions, because a change passes them on unbound.
    this.rows = (text, params) => {
      written.note(text, true);
      return writer.rows(text, params);
    };
    this.rowsOnce = (text, params) => {
      written.note(text, false);
      return writer.rowsOnce(text, params);
    };
    this.send = (text, params) => {
      written.note(text, true);
      writer.send(text, params);
    };
    this.sendOnce = (text, params) => {
      written.note(text, false);
      writer.sendOnce(text, params);
    };
    this.roundTrips = {
      ...writer.roundTrips,
      rowsLater: (text, params) => {
        written.note(text, true);
        return writer.roundTrips.rowsLater(text, params);
      },
    };
    this.#written = written;
    this.#orm = orm;
    this.#context = context;
  }

  takesFrom(tables: readonly string[]): void {
    this.#written.exclude(tables);
  }

  get em(): EntityManager {
    if (this.#em === undefined) {
      this.#written.noteUnknown();
      this.#em = this.#orm().em.fork() as EntityManager;
      this.#em.setTransactionContext(this.#context());
    }
    return this.#em;
  }
}
