/** The list of contacts: newest activity first, a page at a time, with how many there are. */
import type { Place, Reader } from "../../events/scope.ts";
import type { Cursors } from "../../kit/cursor.ts";
import { readPhone } from "../../kit/phone.ts";
import { fold } from "../../kit/text.ts";
import type { Rows, Value } from "../../storage/rows.ts";
import { Invalid } from "../../vocabulary/errors.ts";
import { limits } from "../../vocabulary/limits.ts";
import { countContacts } from "./contact-counts.ts";
import { parseFilters } from "./contact.filters.ts";
import type { ContactFilters } from "./contact.filters.ts";
import { compileFilters } from "./contact.filters.sql.ts";
import type { Conditions } from "./contact.filters.sql.ts";
import { contactsWithOwner, selectSummary } from "./contact.row.ts";
import type { SummaryRow } from "./contact.row.ts";
import { toSummary } from "./contact.view.ts";
import type { ContactListView } from "./contact.view.ts";

export interface ContactListQuery {
  readonly email?: string | null | undefined;
  readonly phone?: string | null | undefined;
  readonly filters?: string | null | undefined;
  readonly cursor?: string | null | undefined;
}

/** What narrows the list, read and folded. */
interface Narrowing {
  readonly emailKey: string | null;
  readonly phoneKey: string | null;
  readonly filters: ContactFilters;
}

/** The place after which a page begins: last_activity_at in milliseconds, and the id. */
type Position = readonly [lastActivityAt: number, id: number];

/** One page. Refuses with 422 what is wrong with `filters`, and a cursor that another list gave out. */
export async function listContacts(
  reader: Reader<Place>,
  cursors: Cursors,
  { email = null, phone = null, filters = null, cursor = null }: ContactListQuery,
): Promise<ContactListView> {
  const narrowing: Narrowing = {
    emailKey: email === null ? null : fold(email),
    phoneKey: phone === null ? null : readPhone(phone, reader.location.country).key,
    filters: filters === null ? [] : parseFilters(filters),
  };
  // A cursor goes on with the list that gave it out: the same location, narrowed in the same way.
  const list = `contacts ${JSON.stringify([reader.location.id, narrowing])}`;
  const position = cursor === null ? undefined : toPosition(cursors.decode(list, cursor));
  const [found, total] = await Promise.all([findPage(reader, narrowing, position), count(reader, narrowing)]);
  const page = found.slice(0, limits.pageSize);
  const last = found.length > page.length ? page.at(-1) : undefined;
  return {
    data: page.map(toSummary),
    next_cursor: last === undefined ? null : cursors.encode(list, [last.last_activity_at, last.id]),
    total,
  };
}

function toPosition(decoded: readonly unknown[] | undefined): Position {
  if (decoded === undefined) throw new Invalid({ cursor: ["The cursor is not one that this list gave out."] });
  return decoded as unknown as Position;
}

const alive = "contacts.location_id = ? and contacts.deleted_at is null";

/** How a list is ordered, and what lies after a position in it. */
interface Order {
  readonly by: string;
  // A row value, which the index answers at once wherever the page begins; two comparisons joined by "or" are not.
  readonly after: string;
}

function orderOver(lastActivityAt: string): Order {
  return { by: `${lastActivityAt} desc, contacts.id desc`, after: `(${lastActivityAt}, contacts.id) < (?, ?)` };
}

const feed = orderOver("contacts.last_activity_at");
/** The same in words that no index answers: SQLite, which has no statistics, would walk the feed to its end for one address. */
const byKey = orderOver("coalesce(contacts.last_activity_at, contacts.created_at)");

/** One more than a page, which tells whether there is another. */
const rowsOfPage = limits.pageSize + 1;

async function findPage(
  reader: Reader<Place>,
  narrowing: Narrowing,
  position: Position | undefined,
): Promise<SummaryRow[]> {
  const { dialect } = reader;
  const keys = keyConditions(narrowing);
  const filters = compileFilters(reader, narrowing.filters);
  const order = keys.byKey || filters.byKey ? byKey : feed;
  const own = [alive, ...keys.texts, ...(position === undefined ? [] : [order.after])];
  const params: Value[] = [
    reader.location.id,
    ...keys.params,
    ...(position === undefined ? [] : [new Date(position[0]), position[1]]),
  ];
  if (filters.texts.length === 0) return reader.rows(pageText(dialect, own, order), params);

  const ids = idsText([...own, ...filters.texts], order, rowsOfPage);
  // The ids first, so that a condition on what the index carries never visits the rows that it leaves out.
  return reader.rowsOnce(
    `${selectSummary(dialect)} from (${ids}) as page join contacts on contacts.id = page.id
     left join users on users.id = contacts.owner_id order by ${feed.by}`,
    [...params, ...filters.params],
  );
}

async function count(reader: Reader<Place>, narrowing: Narrowing): Promise<number> {
  const keys = keyConditions(narrowing);
  if (keys.texts.length === 0 && narrowing.filters.length === 0) return countContacts(reader);
  const filters = compileFilters(reader, narrowing.filters);
  // Counting on past the cap would cost the more the less it tells.
  const ids = idsText(
    [alive, ...keys.texts, ...filters.texts],
    keys.byKey || filters.byKey ? byKey : feed,
    limits.filteredTotalCap + 1,
  );
  const [row] = await reader[filters.texts.length === 0 ? "rows" : "rowsOnce"]<{ total: number }>(
    `select count(*) as total from (${ids}) as counted`,
    [reader.location.id, ...keys.params, ...filters.params],
  );
  return Math.min(row?.total ?? 0, limits.filteredTotalCap);
}

function idsText(conditions: readonly string[], order: Order, most: number): string {
  return `select contacts.id from contacts where ${conditions.join(" and ")} order by ${order.by} limit ${most}`;
}

/** `email` and `phone`: few enough forms that each is a text of its own, prepared once. */
function keyConditions({ emailKey, phoneKey }: Narrowing): Conditions {
  const given = Object.entries({ email_key: emailKey, phone_key: phoneKey }).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  return {
    texts: given.map(([column]) => `contacts.${column} = ?`),
    params: given.map(([, key]) => key),
    byKey: given.length > 0,
  };
}

const pageTexts = new Map<string, string>();

/** The text for conditions that are constants of this file; made once, since making it costs as much as a small read. */
function pageText(dialect: Rows["dialect"], conditions: readonly string[], order: Order): string {
  const name = `${dialect} ${conditions.join(" and ")}`;
  let text = pageTexts.get(name);
  if (text === undefined) {
    text = `${selectSummary(dialect)} from ${contactsWithOwner} where ${conditions.join(" and ")} order by ${order.by} limit ${rowsOfPage}`;
    pageTexts.set(name, text);
  }
  return text;
}
