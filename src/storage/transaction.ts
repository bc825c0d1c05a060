/** An open transaction, the same on both databases; entities are discovered when the first one uses its EntityManager. */
import type { EntitySchema, MikroORM, Transaction as TransactionContext } from "@mikro-orm/core";
import type { EntityManager } from "@mikro-orm/sql";
import type { Transaction } from "./database.ts";
import type { Writer } from "./rows.ts";

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
 * `writer` must run inside the transaction of `context`. The EntityManager and the context are created on first use.
 */
export function createTransaction(orm: () => MikroORM, context: () => TransactionContext, writer: Writer): Transaction {
  return new OpenTransaction(orm, context, writer);
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
  #em: EntityManager | undefined;

  constructor(orm: () => MikroORM, context: () => TransactionContext, writer: Writer) {
    this.rows = writer.rows;
    this.rowsOnce = writer.rowsOnce;
    this.send = writer.send;
    this.sendOnce = writer.sendOnce;
    this.roundTrips = writer.roundTrips;
    this.#orm = orm;
    this.#context = context;
  }

  get em(): EntityManager {
    if (this.#em === undefined) {
      this.#em = this.#orm().em.fork() as EntityManager;
      this.#em.setTransactionContext(this.#context());
    }
    return this.#em;
  }
}
