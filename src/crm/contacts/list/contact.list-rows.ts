/** The statements of the list: its rows and how many there are, all of it or a piece. */
import type { LocationContext, Reader } from "../../../events/caller.ts";
import { createKeptTexts } from "../../../storage/keyset/kept-texts.ts";
import { defineKeyset } from "../../../storage/keyset/keyset.ts";
import type { Keyset, Position, Range } from "../../../storage/keyset/keyset.ts";
import type { Value } from "../../../storage/rows.ts";
import { joinSql, sql } from "../../../storage/sql-text.ts";
import type { SqlText } from "../../../storage/sql-text.ts";
import { contactsBy, contactsWithNeighbours, selectListed } from "../contact.row.ts";
import type { ListedRow } from "../contact.row.ts";
import type { Conditions } from "./contact.filters.sql.ts";

const alive = sql`contacts.location_id = ? and contacts.deleted_at is null`;

const feed = defineKeyset({ time: "contacts.last_activity_at", id: "contacts.id", estimates: true });
/** The same in words that no index answers: SQLite, which has no statistics, would walk the feed to its end for one address. */
const keyed = defineKeyset({
  time: "coalesce(contacts.last_activity_at, contacts.created_at)",
  id: "contacts.id",
  estimates: true,
});

/** The first contacts of the range that the conditions pick, in the order of the list. `most` is a constant of the program. */
export async function findRows(
  reader: Reader<LocationContext>,
  { texts, params, byKey, repeats }: Conditions,
  range: Range,
  most: number,
): Promise<ListedRow[]> {
  const keyset = byKey ? keyed : feed;
  const bounds = keyset.within(range);
  const all = [alive, ...texts, ...bounds.texts];
  return ask<ListedRow>(
    reader,
    repeats,
    "page",
    all,
    () =>
      texts.length === 0
        ? sql`${selectListed} from ${contactsWithNeighbours} where ${joinSql(all, " and ")} order by ${keyset.order} limit ${most}`
        : // The ids first, so that a condition on what the index carries never visits the rows that it leaves out.
          sql`${selectListed} from (${idsText(all, keyset, most)}) as page join ${contactsBy("page")} order by ${feed.order}`,
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
  const keyset = byKey ? keyed : feed;
  const bounds = keyset.within(range);
  const all = [alive, ...texts, ...bounds.texts];
  const [row] = await ask<{ total: number }>(
    reader,
    repeats,
    "count",
    all,
    () => sql`select count(*) as total from (${idsText(all, keyset, most)}) as counted`,
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
  const bounds = feed.within({ after });
  const [row] = await reader.rowsOnce<{ last_activity_at: number; id: number }>(
    feed.positionText("contacts", [alive, ...walked.texts, ...bounds.texts]),
    [reader.location.id, ...walked.params, ...bounds.params, count - 1],
  );
  return row && [row.last_activity_at, row.id];
}

function idsText(conditions: readonly SqlText[], { order }: Keyset, most: number): SqlText {
  return sql`select contacts.id from contacts where ${joinSql(conditions, " and ")} order by ${order} limit ${most}`;
}

const keptText = createKeptTexts();

/** Sends the text that `make` gives. One that repeats is made once, which costs as much as a small read, and prepared once. */
function ask<Row>(
  reader: Reader<LocationContext>,
  repeats: boolean,
  what: string,
  conditions: readonly SqlText[],
  make: () => SqlText,
  params: readonly Value[],
): Promise<Row[]> {
  return repeats ? reader.rows(keptText(what, conditions, make), params) : reader.rowsOnce(make(), params);
}
