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
export async function listContacts(reader: Reader<Place>, cursors: Cursors, query: ContactListQuery): Promise<ContactListView> {
  const narrowing: Narrowing = {
    emailKey: query.email == null ? null : fold(query.email),
    phoneKey: query.phone == null ? null : readPhone(query.phone, reader.location.country).key,
    filters: query.filters == null ? [] : parseFilters(query.filters),
  };
  // A cursor goes on with the list that gave it out: the same location, narrowed in the same way.
  const list = `contacts ${JSON.stringify([reader.location.id, narrowing])}`;
  const position = query.cursor == null ? undefined : toPosition(cursors.decode(list, query.cursor));
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

const order = "contacts.last_activity_at desc, contacts.id desc";
const alive = "contacts.location_id = ? and contacts.deleted_at is null";
// A row value, which the index answers at once wherever the page begins; two comparisons joined by "or" are not.
const after = "(contacts.last_activity_at, contacts.id) < (?, ?)";
/** One more than a page, which tells whether there is another. */
const rowsOfPage = limits.pageSize + 1;

async function findPage(reader: Reader<Place>, narrowing: Narrowing, position: Position | undefined): Promise<SummaryRow[]> {
  const { dialect } = reader;
  const keys = keyConditions(narrowing);
  const next: Value[] = position === undefined ? [] : [new Date(position[0]), position[1]];
  const own = position === undefined ? [alive, ...keys.texts] : [alive, ...keys.texts, after];
  if (narrowing.filters.length === 0) {
    return reader.rows(pageText(dialect, own), [reader.location.id, ...keys.params, ...next]);
  }
  const filters = compileFilters(reader, narrowing.filters);
  // The ids first, so that a condition on what the index carries never visits the rows that it leaves out.
  return reader.rowsOnce(
    `${selectSummary(dialect)} from (select contacts.id from contacts where ${[...own, ...filters.texts].join(" and ")}
       order by ${order} limit ${rowsOfPage}) as page
     join contacts on contacts.id = page.id left join users on users.id = contacts.owner_id order by ${order}`,
    [reader.location.id, ...keys.params, ...next, ...filters.params],
  );
}

async function count(reader: Reader<Place>, narrowing: Narrowing): Promise<number> {
  const keys = keyConditions(narrowing);
  if (keys.texts.length === 0 && narrowing.filters.length === 0) return countContacts(reader);
  const filters = compileFilters(reader, narrowing.filters);
  const conditions = [alive, ...keys.texts, ...filters.texts].join(" and ");
  // Counting on past the cap would cost the more the less it tells.
  const text = `select count(*) as total from (select 1 as one from contacts where ${conditions} limit ${limits.filteredTotalCap + 1}) as counted`;
  const params = [reader.location.id, ...keys.params, ...filters.params];
  const [row] = await (filters.texts.length === 0 ? reader.rows<{ total: number }>(text, params) : reader.rowsOnce<{ total: number }>(text, params));
  return Math.min(row?.total ?? 0, limits.filteredTotalCap);
}

/** `email` and `phone`: few enough forms that each is a text of its own, prepared once. */
function keyConditions({ emailKey, phoneKey }: Narrowing): { texts: string[]; params: string[] } {
  const given = Object.entries({ email_key: emailKey, phone_key: phoneKey }).filter((entry): entry is [string, string] => entry[1] !== null);
  return { texts: given.map(([column]) => `contacts.${column} = ?`), params: given.map(([, key]) => key) };
}

const pageTexts = new Map<string, string>();

/** The text for conditions that are constants of this file; made once, since making it costs as much as a small read. */
function pageText(dialect: Rows["dialect"], conditions: readonly string[]): string {
  const name = `${dialect} ${conditions.join(" and ")}`;
  let text = pageTexts.get(name);
  if (text === undefined) {
    text = `${selectSummary(dialect)} from ${contactsWithOwner} where ${conditions.join(" and ")} order by ${order} limit ${rowsOfPage}`;
    pageTexts.set(name, text);
  }
  return text;
}
