/** Reads contacts one by one, and those that a change is about to judge. */
import type { Change, Place, Reader } from "../../events/scope.ts";
import { readJson } from "../../storage/json.ts";
import { untilCommit } from "../../storage/locks.ts";
import { placeholders } from "../../storage/rows.ts";
import type { Rows } from "../../storage/rows.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import type { TagView } from "../tags/tag.view.ts";
import type { HeldContact } from "./contact.index.ts";
import { contactsWithOwner, selectFull, selectState } from "./contact.row.ts";
import type { FullRow, StateRow } from "./contact.row.ts";
import { toContact } from "./contact.view.ts";
import type { ContactView } from "./contact.view.ts";

type Dialect = Rows["dialect"];

function forBoth(build: (dialect: Dialect) => string): Readonly<Record<Dialect, string>> {
  return { sqlite: build("sqlite"), postgres: build("postgres") };
}

const byId = "contacts.id = ? and contacts.location_id = ? and contacts.deleted_at is null";

const fullTexts = forBoth((dialect) => `${selectFull(dialect)} from ${contactsWithOwner} where ${byId}`);

/** The full contact with this id, if it is one of the location and not deleted: one statement. */
export async function findContact(reader: Reader<Place>, id: number): Promise<ContactView | undefined> {
  const [row] = await reader.rows<FullRow>(fullTexts[reader.dialect], [id, reader.location.id]);
  return row === undefined ? undefined : toContact(row);
}

/** The full contact. Refuses `contact.not_found`. */
export async function getContact(reader: Reader<Place>, id: number): Promise<ContactView> {
  const contact = await findContact(reader, id);
  if (contact === undefined) throw new Refusal("contact.not_found");
  return contact;
}

const stateTexts = forBoth(
  (dialect) => `${selectState(dialect)} from ${contactsWithOwner} where ${byId}${untilCommit(dialect, "contacts")}`,
);

/** The contact as it is, which nobody else changes until the commit. Refuses `contact.not_found`. */
export async function holdContactState(change: Change<Place>, id: number): Promise<HeldContact & { id: number }> {
  const [row] = await change.rows<StateRow>(stateTexts[change.dialect], [id, change.location.id]);
  if (row === undefined) throw new Refusal("contact.not_found");
  return toHeld(row);
}

function toHeld({ id, ...row }: StateRow): HeldContact & { id: number } {
  return { id, state: { ...row, dnd: Boolean(row.dnd), tags: readJson<TagView>(row.tags) } };
}

/** By what others find this contact; nothing for one that is not there. */
export async function findKeys(
  reader: Reader<Place>,
  id: number,
): Promise<Partial<Pick<StateRow, "email_key" | "phone_key">>> {
  const [keys] = await reader.rows<Pick<StateRow, "email_key" | "phone_key">>(
    "select email_key, phone_key from contacts where id = ? and location_id = ? and deleted_at is null",
    [id, reader.location.id],
  );
  return keys ?? {};
}

/** Contacts whose ids `ids` selects, in the order in which every change holds them. */
function holdingText(dialect: Dialect, ids: string): string {
  return `${selectState(dialect)} from (${ids}) as matched join contacts on contacts.id = matched.id
    left join users on users.id = contacts.owner_id where contacts.deleted_at is null order by contacts.id${untilCommit(dialect, "contacts")}`;
}

const oneMatchTexts = forBoth((dialect) =>
  holdingText(
    dialect,
    `select id from (select id from contacts where location_id = ? and email_key = ? and deleted_at is null order by id limit 1) as by_email
     union select id from (select id from contacts where location_id = ? and phone_key = ? and deleted_at is null order by id limit 1) as by_phone`,
  ),
);

/**
 * The living contacts of the location that have one of the keys, held until the commit: for each key as many, lowest ids
 * first, as the batch has items, since each item can take at most one contact away from a key.
 */
export async function holdMatches(
  change: Change<Place>,
  { emails, phones, items }: { emails: readonly string[]; phones: readonly string[]; items: number },
): Promise<HeldContact[]> {
  const { dialect, location } = change;
  if (emails.length === 0 && phones.length === 0) return [];
  if (items === 1) {
    const params = [location.id, emails[0] ?? null, location.id, phones[0] ?? null];
    return (await change.rows<StateRow>(oneMatchTexts[dialect], params)).map(toHeld);
  }
  const ranked = (column: string, keys: readonly string[]): string =>
    `select id from (select id, row_number() over (partition by ${column} order by id) as place from contacts
       where location_id = ? and ${column} in (${placeholders(keys.length)}) and deleted_at is null) as by_${column} where place <= ?`;
  const parts = [["email_key", emails] as const, ["phone_key", phones] as const].filter(([, keys]) => keys.length > 0);
  const rows = await change.rowsOnce<StateRow>(
    holdingText(dialect, parts.map(([column, keys]) => ranked(column, keys)).join(" union ")),
    parts.flatMap(([, keys]) => [location.id, ...keys, items]),
  );
  return rows.map(toHeld);
}

/** Who has these external_refs in the whole service, deleted contacts included. */
export async function findReferences(
  reader: Rows,
  references: readonly string[],
): Promise<{ id: number; external_ref: string }[]> {
  if (references.length === 0) return [];
  if (references.length === 1)
    return reader.rows("select id, external_ref from contacts where external_ref = ?", references);
  return reader.rowsOnce(
    `select id, external_ref from contacts where external_ref in (${placeholders(references.length)})`,
    references,
  );
}
