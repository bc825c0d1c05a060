/**
 * A migration step: computes the keys of texts stored before keys existed. The columns are listed here, whatever
 * entities have later.
 */
import { emailKey, isCut, textKey } from "../../kit/text-key.ts";
import { fold, foldEmail } from "../../kit/text.ts";
import type { Rows } from "../rows.ts";
import type { Value } from "../value.ts";

interface Text {
  readonly text: string;
  readonly key: string;
  readonly isEmail?: true;
}

interface Table {
  readonly name: string;
  readonly texts: readonly Text[];
  /** The source of the column of long texts; undefined if the table has none. */
  readonly long?: { readonly column: string; readonly of: (long: ReadonlyMap<string, string>) => string };
}

const plain = ["first_name", "last_name", "phone_display", "company", "source", "interest", "address1"];
const further = ["city", "state", "zip", "timezone", "external_ref"];

const tables: readonly Table[] = [
  {
    name: "contacts",
    texts: [
      { text: "email", key: "email_key", isEmail: true },
      ...["name", ...plain, ...further].map((text) => ({ text, key: `${text}_key` })),
    ],
    long: { column: "long_keys", of: (long) => JSON.stringify(Object.fromEntries(long)) },
  },
  {
    name: "tags",
    texts: [{ text: "name", key: "name_key" }],
    long: { column: "long_key", of: (long) => long.get("name_key")! },
  },
  { name: "users", texts: [{ text: "email", key: "email_key", isEmail: true }] },
];

/** Rows per statement, within the parameter limits of both databases. */
const rowsAtOnce = 500;

/** Writes the keys of all texts of contacts, tags and users. */
export async function fillTextKeys(rows: Rows): Promise<void> {
  for (const table of tables) await fillTable(rows, table);
}

type TextKeyRow = Readonly<Record<string, string | null>> & { readonly id: number };

async function fillTable(rows: Rows, { name, texts, long }: Table): Promise<void> {
  const columns = [...texts.map(({ key }) => key), ...(long === undefined ? [] : [long.column])];
  const page = `select id, ${texts.map(({ text }) => text).join(", ")} from ${name} where id > ? order by id limit ${rowsAtOnce}`;
  const update = (count: number): string => {
    const row = `(cast(? as bigint), ${columns.map(() => "cast(? as text)").join(", ")})`;
    return `with given(id, ${columns.join(", ")}) as (values ${Array.from({ length: count }, () => row).join(", ")})
      update ${name} set ${columns.map((column) => `${column} = given.${column}`).join(", ")} from given where ${name}.id = given.id`;
  };
  const whole = update(rowsAtOnce);
  for (let last = 0; ;) {
    const found = await rows.rows<TextKeyRow>(page, [last]);
    if (found.length === 0) return;
    const params = found.flatMap((row) => [row.id, ...keysOf(row, texts, long)]);
    if (found.length === rowsAtOnce) await rows.rows(whole, params);
    else await rows.rowsOnce(update(found.length), params);
    last = found.at(-1)!.id;
  }
}

function keysOf(row: TextKeyRow, texts: readonly Text[], long: Table["long"]): Value[] {
  const wholes = new Map<string, string>();
  const keys = texts.map(({ text, key, isEmail }) => {
    const given = row[text];
    if (given === null || given === undefined) return null;
    const made = isEmail ? emailKey(given) : textKey(given);
    if (isCut(made)) wholes.set(key, isEmail ? foldEmail(given) : fold(given));
    return made;
  });
  return long === undefined ? keys : [...keys, wholes.size === 0 ? null : long.of(wholes)];
}

/** Revert: restores the previous keys. */
export const restoreCutKeys = {
  sqlite: restoring((member) => `"long_keys" ->> '${member}'`),
  postgres: restoring((member) => `cast("long_keys" as json) ->> '${member}'`),
};

function restoring(whole: (member: string) => string): string[] {
  const ofContacts = ["name_key", "email_key"].map(
    (key) => `update "contacts" set "${key}" = ${whole(key)} where ${whole(key)} is not null;`,
  );
  return [...ofContacts, `update "tags" set "name_key" = "long_key" where "long_key" is not null;`];
}
