/** The list of contacts: newest activity first, a page at a time, with how many there are. */
import type { Place, Reader } from "../../../events/caller.ts";
import type { Cursors } from "../../../kit/cursor.ts";
import { readPhone } from "../../../kit/phone.ts";
import { fold } from "../../../kit/text.ts";
import type { Value } from "../../../storage/rows.ts";
import { Invalid } from "../../../vocabulary/errors.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { countContacts } from "../contact-counts.ts";
import { parseFilters } from "./contact.filters.ts";
import type { ContactFilters } from "./contact.filters.ts";
import { compileFilters } from "./contact.filters.sql.ts";
import type { Conditions } from "./contact.filters.sql.ts";
import { contactsWithOwner, selectSummary } from "../contact.row.ts";
import type { SummaryRow } from "../contact.row.ts";
import { toSummary } from "../contact.view.ts";
import type { ContactListView } from "../contact.view.ts";

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
  const list = (): string => `contacts ${JSON.stringify([reader.location.id, narrowing])}`;
  const position = cursor === null ? undefined : toPosition(cursors.decode(list(), cursor));
  const { found, total } = await findAndCount(reader, toConditions(reader, narrowing), position);
  const page = found.slice(0, limits.pageSize);
  const last = found.length > page.length ? page.at(-1) : undefined;
  return {
    data: page.map(toSummary),
    next_cursor: last === undefined ? null : cursors.encode(list(), [last.last_activity_at, last.id]),
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
const keyed = orderOver("coalesce(contacts.last_activity_at, contacts.created_at)");

/** One more than a page, which tells whether there is another. */
const rowsOfPage = limits.pageSize + 1;

interface Found {
  /** The page, and one more where there is another. */
  readonly found: readonly SummaryRow[];
  readonly total: number;
}

async function findAndCount(
  reader: Reader<Place>,
  conditions: Conditions,
  position: Position | undefined,
): Promise<Found> {
  if (conditions.texts.length === 0 || position !== undefined) {
    const counting = conditions.texts.length === 0 ? countContacts(reader) : countFound(reader, conditions);
    const [found, total] = await Promise.all([findPage(reader, conditions, position), counting]);
    return { found, total };
  }
  const found = await findPage(reader, conditions, position);
  // Whoever looks for one address gets all that there is on the first page.
  return { found, total: found.length < rowsOfPage ? found.length : await countFound(reader, conditions) };
}

async function findPage(
  reader: Reader<Place>,
  { texts, params, byKey, repeats }: Conditions,
  position: Position | undefined,
): Promise<SummaryRow[]> {
  const order = byKey ? keyed : feed;
  const all = position === undefined ? [alive, ...texts] : [alive, ...texts, order.after];
  const place = position === undefined ? [] : [new Date(position[0]), position[1]];
  return ask<SummaryRow>(
    reader,
    repeats,
    ["page", ...all],
    () =>
      selectSummary(reader.dialect) +
      (texts.length === 0
        ? ` from ${contactsWithOwner} where ${all.join(" and ")} order by ${order.by} limit ${rowsOfPage}`
        : // The ids first, so that a condition on what the index carries never visits the rows that it leaves out.
          ` from (${idsText(all, order, rowsOfPage)}) as page join contacts on contacts.id = page.id
            left join users on users.id = contacts.owner_id order by ${feed.by}`),
    [reader.location.id, ...params, ...place],
  );
}

async function countFound(reader: Reader<Place>, { texts, params, byKey, repeats }: Conditions): Promise<number> {
  const all = [alive, ...texts];
  const [row] = await ask<{ total: number }>(
    reader,
    repeats,
    ["count", ...all],
    // Counting on past the cap would cost the more the less it tells.
    () =>
      `select count(*) as total from (${idsText(all, byKey ? keyed : feed, limits.filteredTotalCap + 1)}) as counted`,
    [reader.location.id, ...params],
  );
  return Math.min(row?.total ?? 0, limits.filteredTotalCap);
}

function idsText(conditions: readonly string[], order: Order, most: number): string {
  return `select contacts.id from contacts where ${conditions.join(" and ")} order by ${order.by} limit ${most}`;
}

/** `email`, `phone` and `filters` together. */
function toConditions(reader: Reader<Place>, { emailKey, phoneKey, filters }: Narrowing): Conditions {
  const compiled = compileFilters(reader, filters);
  const given = Object.entries({ email_key: emailKey, phone_key: phoneKey }).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  return {
    texts: [...given.map(([column]) => `contacts.${column} = ?`), ...compiled.texts],
    params: [...given.map(([, key]) => key), ...compiled.params],
    byKey: given.length > 0 || compiled.byKey,
    repeats: compiled.repeats,
  };
}

const keptTexts = new Map<string, string>();

/** Sends the text that `make` gives. One that repeats is made once, which costs as much as a small read, and prepared once. */
function ask<Row>(
  reader: Reader<Place>,
  repeats: boolean,
  parts: readonly string[],
  make: () => string,
  params: readonly Value[],
): Promise<Row[]> {
  if (!repeats) return reader.rowsOnce(make(), params);
  const key = `${reader.dialect} ${parts.join(" and ")}`;
  let text = keptTexts.get(key);
  if (text === undefined) {
    text = make();
    keptTexts.set(key, text);
  }
  return reader.rows(text, params);
}
