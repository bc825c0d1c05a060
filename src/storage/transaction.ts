/** One open transaction as the rest of the service sees it, the same on both databases. */
import type { MikroORM, Transaction as TransactionContext } from "@mikro-orm/core";
import type { EntityManager } from "@mikro-orm/sql";
import type { Transaction } from "./database.ts";
import type { Rows } from "./rows.ts";

/** `rows` must run inside the transaction that `context` names. The EntityManager is made when it is first asked for. */
export function createTransaction(
  orm: MikroORM,
  context: TransactionContext,
  { dialect, rows, rowsOnce }: Rows,
): Transaction {
  let em: EntityManager | undefined;
  return {
    dialect,
    rows,
    rowsOnce,
    get em() {
      if (em === undefined) {
        em = orm.em.fork() as EntityManager;
        em.setTransactionContext(context);
      }
      return em;
    },
  };
}
