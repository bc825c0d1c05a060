/** One open transaction as the rest of the service sees it, the same on both databases. */
import type { MikroORM, Transaction as TransactionContext } from "@mikro-orm/core";
import type { EntityManager } from "@mikro-orm/sql";
import type { Transaction } from "./database.ts";
import type { Rows } from "./rows.ts";

/** `rows` must run inside the transaction that `context` names. The EntityManager is made when it is first asked for. */
export function createTransaction(orm: MikroORM, context: TransactionContext, rows: Rows): Transaction {
  return new OpenTransaction(orm, context, rows);
}

// A class: a getter in a literal would give every transaction a shape of its own, which V8 keeps until a full collection.
class OpenTransaction implements Transaction {
  readonly rows: Rows["rows"];
  readonly rowsOnce: Rows["rowsOnce"];
  readonly #orm: MikroORM;
  readonly #context: TransactionContext;
  #em: EntityManager | undefined;

  constructor(orm: MikroORM, context: TransactionContext, { rows, rowsOnce }: Rows) {
    this.rows = rows;
    this.rowsOnce = rowsOnce;
    this.#orm = orm;
    this.#context = context;
  }

  get em(): EntityManager {
    if (this.#em === undefined) {
      this.#em = this.#orm.em.fork() as EntityManager;
      this.#em.setTransactionContext(this.#context);
    }
    return this.#em;
  }
}
