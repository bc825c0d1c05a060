/** The statements that a piece of work sends to the database, but those of an EntityManager. */
import type { World } from "./world.ts";

const kinds = ["rows", "rowsOnce", "send", "sendOnce"] as const;

export async function statementsDuring({ service, kind }: World, work: () => Promise<unknown>): Promise<string[]> {
  const { database } = service;
  const sent: string[] = [];
  const noting =
    <Sent>(inner: (text: never, params?: never) => Sent) =>
    (text: string | { readonly sqlite: string; readonly postgres: string }, params: never): Sent => {
      const written = typeof text === "string" ? text : text[kind];
      // A lock that SQLite needs none for is no statement there.
      if (written !== "") sent.push(written);
      return inner(text as never, params);
    };
  function listen<Heard extends object>(rows: Heard): Heard {
    const heard = kinds.filter((name) => name in rows).map((name) => [name, noting(rows[name as never])]);
    return Object.assign(rows, Object.fromEntries(heard));
  }
  const { rows, rowsOnce, transaction } = database;
  listen(database);
  Object.assign(database, {
    transaction: (change: Parameters<typeof transaction>[0], ...more: []) =>
      transaction((open) => change(listen(open)), ...more),
  });
  try {
    await work();
  } finally {
    Object.assign(database, { rows, rowsOnce, transaction });
  }
  return sent;
}
