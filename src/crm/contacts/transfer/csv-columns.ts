/** Maps the columns of a CSV file to fields: headers of common exports are recognized, others can be mapped. */
import { Invalid } from "../../../vocabulary/errors.ts";
import { contactFieldNames, contactFields } from "../contact.fields.ts";
import type { ContactField } from "../contact.fields.ts";
import { unescapeFormula } from "../../../kit/csv/csv-formulas.ts";
import type { CustomField } from "../../custom-fields/custom-value.ts";
import { readCustomCell } from "../../custom-fields/custom-cell.ts";
import { plainName } from "../../../kit/input/name.ts";
import { createFieldFinder, customHeader } from "./csv-custom-fields.ts";
import { readList } from "../../../kit/csv/csv-list.ts";
import { splitName, toValue } from "./csv-values.ts";

/** Headers of full names, used if neither a first nor a last name is given. */
const wholeNames: ReadonlySet<string> = new Set(["name", "fullname", "contactname", "displayname"]);

/** The first columns of the file of refused rows. Imports write them and ignore them. */
export const reasonColumns = ["refused_line", "refused_because"] as const;

export function isReasonColumn(column: string): boolean {
  return reasonColumns.some((reason) => toKey(reason) === toKey(column));
}

/** The tags column, which has the same name in our export and in those of other programs. */
const tagsColumn = "tags";

/** A column mapped to this is omitted. */
const omittedField = "";

/** The other columns of our export, which only exact imports read (exact-rows.ts); other imports ignore them. */
const shownColumns = ["id", "created_at", "updated_at"] as const;

interface CsvColumn {
  readonly field: ContactField;
  readonly rank: number;
  /** The address that a part belongs to; undefined for other fields, and for mapped columns. */
  readonly address?: string | undefined;
}

const addressParts: ReadonlySet<ContactField> = new Set(["address1", "city", "state", "zip"]);

/** `businesscity` and `homecity` belong to different addresses, and a plain `city` to an unnamed one. */
function addressOf(header: string): string {
  return /^(business|mailing|home|other|address[12](?=[a-z]))/.exec(header)?.[0] ?? "";
}

const recognized = new Map<string, CsvColumn>();
for (const field of contactFieldNames) {
  contactFields[field].headers.split(" ").forEach((header, rank) => {
    recognized.set(header, { field, rank, address: addressParts.has(field) ? addressOf(header) : undefined });
  });
}

/** Columns by index. */
export interface ColumnMapping {
  readonly columns: readonly string[];
  /** The columns of each field, best first. */
  readonly columnsByField: ReadonlyMap<ContactField, readonly number[]>;
  /** The columns of each address, best first, if there are several: parts of two addresses must not be mixed. */
  readonly addresses: readonly (readonly number[])[];
  /** The columns of full names. */
  readonly names: readonly number[];
  readonly tags: readonly number[];
  /** The columns of custom fields. */
  readonly custom: readonly { readonly index: number; readonly field: CustomField }[];
  /** The columns without a field, whose values are unused. */
  readonly unknown: readonly number[];
  /** Columns that are not reported as unused: the reasons of an earlier import, and the other columns of our export. */
  readonly ignored: readonly number[];
}

/**
 * Maps the columns of a header line. `chosen` maps columns to fields (`{ "Record ID": "external_ref" }`) and takes precedence; mapping a column
 * to "" omits it. Refuses, on `map`, unknown columns and fields, and on `file` headers without any known field.
 */
export function mapColumns(
  header: readonly string[],
  chosen: Readonly<Record<string, string>> = {},
  defined: readonly CustomField[] = [],
): ColumnMapping {
  const columns = header.map((name, index) => (plainName(name) === "" ? `column ${index + 1}` : name.trim()));
  // Once for each column: a file can have as many as a spreadsheet, and `chosen` thousands.
  const keys = columns.map(toKey);
  const places = new Map(keys.map((key, index) => [key, index] as const).toReversed());
  const customFieldOf = createFieldFinder(defined);
  const found: (CsvColumn | undefined)[] = keys.map((key) => recognized.get(key));
  const tags = new Set(keys.flatMap((key, index) => (key === tagsColumn ? index : [])));
  const omitted = new Set<number>();
  const custom = new Map<number, CustomField>();
  for (const [column, name] of Object.entries(chosen)) {
    const index = places.get(toKey(column));
    const field = [...contactFieldNames, tagsColumn, omittedField].find((known) => known === name.trim());
    if (index === undefined) {
      throw new Invalid({ map: [`The file has no column "${column}"; it has ${columns.join(", ")}.`] });
    }
    const customField = field === undefined ? customFieldOf(name) : undefined;
    if (customField !== undefined) {
      custom.set(index, customField);
      tags.delete(index);
      found[index] = undefined;
      continue;
    }
    if (field === undefined) {
      throw new Invalid({
        map: [
          `There is no field "${name}"; there are ${[...contactFieldNames, tagsColumn, ...defined.map(({ key }) => customHeader(key))].join(", ")}.`,
        ],
      });
    }
    tags.delete(index);
    found[index] = undefined;
    if (field === omittedField) omitted.add(index);
    else if (field === tagsColumn) tags.add(index);
    else found[index] = { field: field as ContactField, rank: -1 };
  }

  for (const [index, column] of columns.entries()) {
    if (found[index] !== undefined || tags.has(index) || omitted.has(index) || custom.has(index)) continue;
    const isOther =
      wholeNames.has(keys[index]!) || isReasonColumn(column) || shownColumns.some((own) => own === column);
    const field = isOther ? undefined : customFieldOf(column);
    // The first column of a field counts.
    if (field !== undefined && ![...custom.values()].includes(field)) custom.set(index, field);
  }
  const ranked = found.flatMap((known, index) => (known === undefined ? [] : [{ ...known, index }]));
  if (ranked.length === 0) {
    throw new Invalid({
      file: [
        `No column of the file is a known field: ${columns.join(", ")}. Map them with map (--map in the terminal).`,
      ],
    });
  }
  const columnsByField = new Map<ContactField, number[]>();
  const addresses = new Map<string, number[]>();
  for (const { field, address, index } of ranked.toSorted((a, b) => a.rank - b.rank || a.index - b.index)) {
    add(columnsByField, field, index);
    if (address !== undefined) add(addresses, address, index);
  }
  const isFree = (index: number): boolean =>
    found[index] === undefined && !tags.has(index) && !omitted.has(index) && !custom.has(index);
  const free = columns.flatMap((column, index) => (isFree(index) ? [{ column, key: keys[index]!, index }] : []));
  const indexesWhere = (holds: (column: string, key: string) => boolean): number[] =>
    free.flatMap(({ column, key, index }) => (holds(column, key) ? index : []));
  // If the parts of one address are named in two ways ("Home Street", "City"), all are read.
  const hasSeveralAddresses = [...addressParts].some((field) => (columnsByField.get(field)?.length ?? 0) > 1);
  return {
    columns,
    columnsByField,
    addresses: hasSeveralAddresses ? [...addresses.values()] : [],
    names: indexesWhere((_column, key) => wholeNames.has(key)),
    tags: [...tags].toSorted((a, b) => a - b),
    custom: [...custom].map(([index, field]) => ({ index, field })),
    unknown: indexesWhere(
      (column, key) =>
        !wholeNames.has(key) && !isReasonColumn(column) && !shownColumns.some((shown) => shown === column),
    ),
    ignored: indexesWhere((column) => isReasonColumn(column) || shownColumns.some((shown) => shown === column)),
  };
}

function add<Key>(lists: Map<Key, number[]>, key: Key, index: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [index]);
  else list.push(index);
}

/** `E-mail 1 - Value` → `email1value`. */
function toKey(header: string): string {
  return header
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

type ParsedFields = Partial<Record<ContactField | "custom_fields", unknown>>;

/** The values of a row by field, and the columns of unused values. */
export interface ParsedRow {
  readonly fields: ParsedFields;
  /** The names of tags. */
  readonly tags: readonly string[];
  readonly unused: readonly number[];
}

/** Google Contacts' separator of several values in a cell, the best of which comes first. */
const betweenValues = " ::: ";

/**
 * Reads a row. An empty cell is ignored, so that a file never clears a field. Of several values in a cell the first is used, and of several
 * addresses the first that is not empty. A column named as in our export always holds a single value.
 */
export function readRow(mapping: ColumnMapping, row: readonly string[]): ParsedRow {
  const cells = row.map(unescapeFormula);
  const fields: ParsedFields = {};
  const used = new Set<number>([...mapping.ignored, ...mapping.tags]);
  const filled = mapping.addresses.findIndex((parts) => parts.some((index) => isFilled(cells[index])));
  const ignored = new Set(mapping.addresses.filter((_, rank) => rank !== filled).flat());
  for (const [field, candidates] of mapping.columnsByField) {
    const index = candidates.find((candidate) => isFilled(cells[candidate]) && !ignored.has(candidate));
    if (index === undefined) continue;
    const isOwn = mapping.columns[index] === field;
    const [value = "", ...further] = isOwn ? [cells[index]!] : cells[index]!.split(betweenValues);
    if (!further.some(isFilled)) used.add(index);
    fields[field] = toValue(field, value.trim());
  }
  const custom = mapping.custom.flatMap(({ index, field }): [string, unknown][] => {
    used.add(index);
    return isFilled(cells[index]) ? [[field.key, readCustomCell(field, cells[index]!.trim())]] : [];
  });
  if (custom.length > 0) fields.custom_fields = Object.fromEntries(custom);
  const name = mapping.names.find((index) => isFilled(cells[index]));
  if (name !== undefined && readName(fields, cells[name]!)) used.add(name);
  const tags = mapping.tags.flatMap((index) =>
    readList(cells[index] ?? "", mapping.columns[index] === tagsColumn ? ";" : ",;"),
  );
  const unused = cells.flatMap((cell, index) => (isFilled(cell) && !used.has(index) ? [index] : []));
  return { fields, tags, unused };
}

/** Splits a full name if no part of it is given; returns whether the fields now contain all of it. */
function readName(fields: ParsedFields, name: string): boolean {
  const parts = splitName(name);
  if (fields.first_name === undefined && fields.last_name === undefined) Object.assign(fields, parts);
  return fields.first_name === parts.first_name && fields.last_name === parts.last_name;
}

function isFilled(cell: string | undefined): boolean {
  return cell !== undefined && cell.trim() !== "";
}
