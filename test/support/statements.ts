/** The statements that a piece of work sends to the database, but those of an EntityManager. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Database } from "../../src/storage/database.ts";
import type { DatabaseKind } from "./databases.ts";
import type { World } from "./world.ts";

const kinds = ["rows", "rowsOnce", "send", "sendOnce"] as const;

export async function statementsDuring({ service, kind }: World, work: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = [];
  const stop = hearStatements(service.database, kind, (text) => sent.push(text));
  try {
    await work();
  } finally {
    stop();
  }
  return sent;
}

/** Calls `hear` with each statement, in the asynchronous context of what sends it. Gives the function that stops it. */
export function hearStatements(database: Database, kind: DatabaseKind, hear: (text: string) => void): () => void {
  const hearing =
    <Sent>(inner: (text: never, params?: never) => Sent) =>
    (text: string | { readonly sqlite: string; readonly postgres: string }, params: never): Sent => {
      const written = typeof text === "string" ? text : text[kind];
      // A lock that SQLite needs none for is no statement there.
      if (written !== "") hear(written);
      return inner(text as never, params);
    };
  function listen<Heard extends object>(rows: Heard): Heard {
    const heard = kinds.filter((name) => name in rows).map((name) => [name, hearing(rows[name as never])]);
    return Object.assign(rows, Object.fromEntries(heard));
  }
  function listenToAll<Heard extends ReturnType<Database["forHolder"]>>(given: Heard): Heard {
    const { transaction } = given;
    return Object.assign(listen(given), {
      transaction: (change: Parameters<typeof transaction>[0], ...more: []) => {
        // Changes that share a commit run one after the other, in the context of the first.
        const inContext = AsyncLocalStorage.snapshot();
        return transaction((open) => inContext(change, listen(open)), ...more);
      },
    });
  }
  const { rows, rowsOnce, transaction, forHolder } = database;
  listenToAll(database);
  Object.assign(database, { forHolder: (holder: string) => listenToAll({ ...forHolder(holder) }) });
  return () => void Object.assign(database, { rows, rowsOnce, transaction, forHolder });
}
