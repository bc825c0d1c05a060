/** One open transaction as the rest of the service sees it, the same on both databases. */
import type { MikroORM, Transaction as TransactionContext } from "@mikro-orm/core";
import type { EntityManager } from "@mikro-orm/sql";
import type { Transaction } from "./database.ts";
import type { Writer } from "./rows.ts";

/** `writer` must run inside the transaction that `context` gives. The EntityManager is made when it is first asked for, and so is the context. */
export function createTransaction(orm: MikroORM, context: () => TransactionContext, writer: Writer): Transaction {
  return new OpenTransaction(orm, context, writer);
}

// A class: a getter in a literal would give every transaction a shape of its own, which V8 keeps until a full collection.
class OpenTransaction implements Transaction {
  readonly rows: Writer["rows"];
  readonly rowsOnce: Writer["rowsOnce"];
  readonly send: Writer["send"];
  readonly sendOnce: Writer["sendOnce"];
  readonly rowsLater: Writer["rowsLater"];
  readonly reserveIds: Writer["reserveIds"];
  readonly takeIds: Writer["takeIds"];
  readonly #orm: MikroORM;
  readonly #context: () => TransactionContext;
  #em: EntityManager | undefined;

  constructor(orm: MikroORM, context: () => TransactionContext, writer: Writer) {
    this.rows = writer.rows;
    this.rowsOnce = writer.rowsOnce;
    this.send = writer.send;
    this.sendOnce = writer.sendOnce;
    this.rowsLater = writer.rowsLater;
    this.reserveIds = writer.reserveIds;
    this.takeIds = writer.takeIds;
    this.#orm = orm;
    this.#context = context;
  }

  get em(): EntityManager {
    if (this.#em === undefined) {
      this.#em = this.#orm.em.fork() as EntityManager;
      this.#em.setTransactionContext(this.#context());
    }
    return this.#em;
  }
}
