/** The statements of the list: its rows and how many there are, all of it or a piece. */
import type { LocationContext, Reader } from "../../../events/caller.ts";
import type { Value } from "../../../storage/rows.ts";
import { joinSql, sql } from "../../../storage/sql-text.ts";
import type { SqlText } from "../../../storage/sql-text.ts";
import { contactsBy, contactsWithNeighbours, selectListed } from "../contact.row.ts";
import type { ListedRow } from "../contact.row.ts";
import type { Conditions } from "./contact.filters.sql.ts";

/** A place in the list: last_activity_at in milliseconds, and the id. */
export type Position = [lastActivityAt: number, id: number];

/** A piece of the list. */
export interface Range {
  /** It begins behind this; undefined: at the beginning. */
  readonly after?: Position | undefined;
  /** It ends with this; undefined: at the end. */
  readonly until?: Position | undefined;
}

const alive = sql`contacts.location_id = ? and contacts.deleted_at is null`;

/** How a list is ordered, and what lies after a position in it and up to another one. */
interface Order {
  readonly by: string;
  // A row value, which the index answers at once wherever the page begins; two comparisons joined by "or" are not.
  readonly after: SqlText;
  readonly until: SqlText;
  /**
   * What the two of them mean together. PostgreSQL takes each for a guess of its own and would rather read the whole table for every piece; SQLite
   * is to look for neither by it.
   */
  readonly between: SqlText;
}

function orderOver(lastActivityAt: string): Order {
  return {
    by: `${lastActivityAt} desc, contacts.id desc`,
    after: sql`(${lastActivityAt}, contacts.id) < (?, ?)`,
    until: sql`(${lastActivityAt}, contacts.id) >= (?, ?)`,
    between: {
      sqlite: `+${lastActivityAt} between ? and ?`,
      postgres: `${lastActivityAt} between ? and ?`,
    },
  };
}

const feed = orderOver("contacts.last_activity_at");
/** The same in words that no index answers: SQLite, which has no statistics, would walk the feed to its end for one address. */
const keyed = orderOver("coalesce(contacts.last_activity_at, contacts.created_at)");

/** The first contacts of the range that the conditions pick, in the order of the list. `most` is a constant of the program. */
export async function findRows(
  reader: Reader<LocationContext>,
  { texts, params, byKey, repeats }: Conditions,
  range: Range,
  most: number,
): Promise<ListedRow[]> {
  const order = byKey ? keyed : feed;
  const bounds = within(range, order);
  const all = [alive, ...texts, ...bounds.texts];
  return ask<ListedRow>(
    reader,
    repeats,
    "page",
    all,
    () =>
      texts.length === 0
        ? sql`${selectListed} from ${contactsWithNeighbours} where ${joinSql(all, " and ")} order by ${order.by} limit ${most}`
        : // The ids first, so that a condition on what the index carries never visits the rows that it leaves out.
          sql`${selectListed} from (${idsText(all, order, most)}) as page join ${contactsBy("page")} order by ${feed.by}`,
    [reader.location.id, ...params, ...bounds.params],
  );
}

/** How many the conditions pick in the range. Counts no further than `most`, a constant: it would cost the more the less it tells. */
export async function countRows(
  reader: Reader<LocationContext>,
  { texts, params, byKey, repeats }: Conditions,
  range: Range,
  most: number,
): Promise<number> {
  const order = byKey ? keyed : feed;
  const bounds = within(range, order);
  const all = [alive, ...texts, ...bounds.texts];
  const [row] = await ask<{ total: number }>(
    reader,
    repeats,
    "count",
    all,
    () => sql`select count(*) as total from (${idsText(all, order, most)}) as counted`,
    [reader.location.id, ...params, ...bounds.params],
  );
  return row?.total ?? 0;
}

/** The place of the contact that `count` contacts of the list end with, behind `after`; undefined when there are fewer. */
export async function findPlaceBehind(
  reader: Reader<LocationContext>,
  { walked }: Conditions,
  after: Position | undefined,
  count: number,
): Promise<Position | undefined> {
  const bounds = within({ after }, feed);
  const all = [alive, ...walked.texts, ...bounds.texts];
  const [row] = await reader.rowsOnce<{ last_activity_at: number; id: number }>(
    sql`select contacts.last_activity_at, contacts.id from contacts where ${joinSql(all, " and ")}
      order by ${feed.by} limit 1 offset ?`,
    [reader.location.id, ...walked.params, ...bounds.params, count - 1],
  );
  return row && [row.last_activity_at, row.id];
}

/** What holds in a range, and what that binds. */
function within({ after, until }: Range, order: Order): { texts: SqlText[]; params: Value[] } {
  const texts: SqlText[] = [];
  const params: Value[] = [];
  const narrow = (text: SqlText, ...values: readonly Value[]) => {
    texts.push(text);
    params.push(...values);
  };
  if (after !== undefined) narrow(order.after, new Date(after[0]), after[1]);
  if (until !== undefined) narrow(order.until, new Date(until[0]), until[1]);
  if (after !== undefined && until !== undefined) narrow(order.between, new Date(until[0]), new Date(after[0]));
  return { texts, params };
}

function idsText(conditions: readonly SqlText[], order: Order, most: number): SqlText {
  return sql`select contacts.id from contacts where ${joinSql(conditions, " and ")} order by ${order.by} limit ${most}`;
}

const keptTexts = new Map<string, SqlText>();

/** Sends the text that `make` gives. One that repeats is made once, which costs as much as a small read, and prepared once. */
function ask<Row>(
  reader: Reader<LocationContext>,
  repeats: boolean,
  what: string,
  conditions: readonly SqlText[],
  make: () => SqlText,
  params: readonly Value[],
): Promise<Row[]> {
  if (!repeats) return reader.rowsOnce(make(), params);
  const key = [what, ...conditions.map(({ sqlite }) => sqlite)].join(" and ");
  let text = keptTexts.get(key);
  if (text === undefined) {
    text = make();
    keptTexts.set(key, text);
  }
  return reader.rows(text, params);
}
