/** The list of contacts: newest activity first, a page at a time, with how many there are. */
import type { Place, Reader } from "../../../events/caller.ts";
import { page } from "../../../kit/page.ts";
import { readPhone } from "../../../kit/phone.ts";
import { emailKey } from "../../../kit/text-key.ts";
import type { Value } from "../../../storage/rows.ts";
import { joinSql, sql } from "../../../storage/sql-text.ts";
import type { SqlText } from "../../../storage/sql-text.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { countContacts } from "../contact-counts.ts";
import { contactColumns } from "./contact.filter-fields.ts";
import { parseFilterText } from "./contact.filters.ts";
import type { ContactFilters } from "./contact.filters.ts";
import { withTags } from "./contact.list-tags.ts";
import { compileFilters } from "./contact.filters.sql.ts";
import type { Conditions } from "./contact.filters.sql.ts";
import { searchConditions } from "./contact.search.ts";
import { contactsWithOwner, selectListed } from "../contact.row.ts";
import type { ListedRow } from "../contact.row.ts";
import { toSummary } from "../contact.view.ts";
import type { ContactListView } from "../contact.view.ts";

export interface ContactListQuery {
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  readonly filters?: string | null | undefined;
  /** What somebody types who looks for a person (contact.search.ts); for the terminal. */
  readonly search?: string | null | undefined;
  readonly cursor?: string | null | undefined;
}

/** What narrows the list, read and folded. */
interface Narrowing {
  readonly emailKey: string | null;
  readonly phoneKey: string | null;
  readonly filters: ContactFilters;
  readonly search?: string;
}

/** The place after which a page begins: last_activity_at in milliseconds, and the id. */
type Position = [lastActivityAt: number, id: number];

/** One page. Refuses with 422 what is wrong with `filters`, and a cursor that another list gave out. */
export async function listContacts(
  reader: Reader<Place>,
  { email, phone, filters = null, search = null, cursor = null }: ContactListQuery,
): Promise<ContactListView> {
  const narrowing: Narrowing = {
    emailKey: email === undefined ? null : emailKey(email),
    phoneKey: phone === undefined ? null : readPhone(phone, reader.location.country).key,
    filters: filters === null ? [] : parseFilterText(filters),
    ...(search === null ? {} : { search }),
  };
  const conditions = toConditions(reader, narrowing);
  let total = 0;
  const { data, next_cursor } = await page(
    reader.tools.cursors,
    { cursor },
    {
      // A cursor goes on with the list that gave it out: the same location, narrowed in the same way.
      list: `contacts ${JSON.stringify([reader.location.id, narrowing])}`,
      async find(after: Position | undefined, most) {
        const isNarrowed = conditions.texts.length > 0;
        // Both at once, unless the page itself may tell how many there are.
        const counting = isNarrowed && after === undefined ? undefined : count(reader, conditions);
        const [found, counted] = await Promise.all([findPage(reader, conditions, after, most), counting]);
        // Whoever looks for one address gets all that there is on the first page.
        total = counted ?? (found.length < most ? found.length : await count(reader, conditions));
        return withTags(reader, found);
      },
      placeOf: ({ row: { last_activity_at, id } }): Position => [last_activity_at, id],
      endsBefore: ({ tags }) => tags === undefined,
      show: ({ row, tags = [] }) => toSummary(row, tags),
    },
  );
  return { data, next_cursor, total };
}

function count(reader: Reader<Place>, conditions: Conditions): Promise<number> {
  return conditions.texts.length === 0 ? countContacts(reader) : countFound(reader, conditions);
}

const alive = sql`contacts.location_id = ? and contacts.deleted_at is null`;

/** How a list is ordered, and what lies after a position in it. */
interface Order {
  readonly by: string;
  // A row value, which the index answers at once wherever the page begins; two comparisons joined by "or" are not.
  readonly after: SqlText;
}

function orderOver(lastActivityAt: string): Order {
  return { by: `${lastActivityAt} desc, contacts.id desc`, after: sql`(${lastActivityAt}, contacts.id) < (?, ?)` };
}

const feed = orderOver("contacts.last_activity_at");
/** The same in words that no index answers: SQLite, which has no statistics, would walk the feed to its end for one address. */
const keyed = orderOver("coalesce(contacts.last_activity_at, contacts.created_at)");

async function findPage(
  reader: Reader<Place>,
  { texts, params, byKey, repeats }: Conditions,
  position: Position | undefined,
  most: number,
): Promise<ListedRow[]> {
  const order = byKey ? keyed : feed;
  const all = position === undefined ? [alive, ...texts] : [alive, ...texts, order.after];
  const place = position === undefined ? [] : [new Date(position[0]), position[1]];
  return ask<ListedRow>(
    reader,
    repeats,
    "page",
    all,
    () =>
      texts.length === 0
        ? sql`${selectListed} from ${contactsWithOwner} where ${joinSql(all, " and ")} order by ${order.by} limit ${most}`
        : // The ids first, so that a condition on what the index carries never visits the rows that it leaves out.
          sql`${selectListed} from (${idsText(all, order, most)}) as page join contacts on contacts.id = page.id
            left join users on users.id = contacts.owner_id order by ${feed.by}`,
    [reader.location.id, ...params, ...place],
  );
}

async function countFound(reader: Reader<Place>, { texts, params, byKey, repeats }: Conditions): Promise<number> {
  const all = [alive, ...texts];
  const [row] = await ask<{ total: number }>(
    reader,
    repeats,
    "count",
    all,
    // Counting on past the cap would cost the more the less it tells.
    () =>
      sql`select count(*) as total from (${idsText(all, byKey ? keyed : feed, limits.filteredTotalCap + 1)}) as counted`,
    [reader.location.id, ...params],
  );
  return Math.min(row?.total ?? 0, limits.filteredTotalCap);
}

function idsText(conditions: readonly SqlText[], order: Order, most: number): SqlText {
  return sql`select contacts.id from contacts where ${joinSql(conditions, " and ")} order by ${order.by} limit ${most}`;
}

/** `email`, `phone`, `search` and `filters` together. */
function toConditions({ location }: Reader<Place>, { emailKey, phoneKey, filters, search }: Narrowing): Conditions {
  const compiled = compileFilters(filters, contactColumns(location));
  const sought = search === undefined ? { texts: [], params: [] } : searchConditions(search, location);
  const given = Object.entries({ email_key: emailKey, phone_key: phoneKey }).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  return {
    texts: [...given.map(([column]) => sql`contacts.${column} = ?`), ...compiled.texts, ...sought.texts],
    params: [...given.map(([, key]) => key), ...compiled.params, ...sought.params],
    byKey: given.length > 0 || compiled.byKey,
    repeats: compiled.repeats && search === undefined,
  };
}

const keptTexts = new Map<string, SqlText>();

/** Sends the text that `make` gives. One that repeats is made once, which costs as much as a small read, and prepared once. */
function ask<Row>(
  reader: Reader<Place>,
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
