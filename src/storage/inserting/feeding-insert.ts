/** Updated or deleted rows that feed an insert, in one round trip: a data-modifying CTE on PostgreSQL, an insert and then the update or delete on SQLite. */
import type { SqlText } from "../sql-text.ts";

interface Feed {
  /** The name of the common table expression that the insert selects from. */
  readonly name: string;
  /** The update: its first `?` is the first of the statement. */
  readonly update: { readonly table: string; readonly set: string; readonly where: string };
  /** Columns of the updated rows. */
  readonly returning: string;
  /** A condition that binds what `set` does, so that both databases bind the same; it holds wherever the update may happen. */
  readonly holds: string;
  readonly insert: string;
}

/**
 * `text` updates and inserts; `after` is to be sent behind it, with the parameters of the update. On PostgreSQL a second transaction waits for the
 * first one's update and then updates nothing; SQLite has one writer, so that the read stays true until the update.
 */
export function updateFeedingInsert({ name, update, returning, holds, insert }: Feed): {
  text: SqlText;
  after: SqlText;
} {
  const { table, set, where } = update;
  const updateText = `update ${table} set ${set} where ${where}`;
  return {
    text: {
      sqlite: `with ${name} as (select ${returning} from ${table} where ${holds} and ${where}) ${insert}`,
      postgres: `with ${name} as (${updateText} returning ${returning}) ${insert}`,
    },
    after: { sqlite: updateText, postgres: "" },
  };
}

interface DeleteFeed {
  /** The name of the common table expression that the insert selects from. */
  readonly name: string;
  readonly table: string;
  /** Without parameters. */
  readonly where: string;
  /** Columns of the deleted rows. */
  readonly returning: string;
  readonly insert: string;
}

/** The same for rows that move: those that are deleted feed the insert. `after` has no parameters. */
export function deleteFeedingInsert({ name, table, where, returning, insert }: DeleteFeed): {
  text: SqlText;
  after: SqlText;
} {
  const deleteText = `delete from ${table} where ${where}`;
  return {
    text: {
      sqlite: `with ${name} as (select ${returning} from ${table} where ${where}) ${insert}`,
      postgres: `with ${name} as (${deleteText} returning ${returning}) ${insert}`,
    },
    after: { sqlite: deleteText, postgres: "" },
  };
}
