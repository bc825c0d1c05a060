/** Which column of a CSV file holds which field: headers of the usual exports are recognised, others can be mapped. */
import { Invalid } from "../../../vocabulary/errors.ts";
import { contactFieldNames, contactFields } from "../contact.fields.ts";
import type { ContactField } from "../contact.fields.ts";
import { withoutMark } from "./csv-formulas.ts";
import { readTags } from "./csv-tags.ts";
import { splitName, toValue } from "./csv-values.ts";

/** Headers of whole names: read where neither a first nor a last name is given. */
const wholeNames: ReadonlySet<string> = new Set(["name", "fullname", "contactname", "displayname"]);

/** Columns that the file of refused rows has in front of the others: written by an import, and read by none. */
export const reasonColumns = ["refused_line", "refused_because"] as const;

export function isReasonColumn(column: string): boolean {
  return reasonColumns.some((reason) => toKey(reason) === toKey(column));
}

/** The column of tags, as our export names it; other programs write it alike. */
const tagsColumn = "tags";

/** What a column is mapped to that is left out. */
const nothing = "";

/** What else our export says of a contact: read by an exact import alone (exact-rows.ts), and missed by no other. */
const shownColumns = ["id", "created_at", "updated_at"] as const;

interface CsvColumn {
  readonly field: ContactField;
  readonly rank: number;
  /** Which address a part of one belongs to; undefined for what is no part of an address, and for a column that was chosen. */
  readonly address?: string | undefined;
}

const addressParts: ReadonlySet<ContactField> = new Set(["address1", "city", "state", "zip"]);

/** `businesscity` is of another address than `homecity`, and a plain `city` of one without a name. */
function addressOf(header: string): string {
  return /^(business|mailing|home|other|address[12](?=[a-z]))/.exec(header)?.[0] ?? "";
}

const recognised = new Map<string, CsvColumn>();
for (const field of contactFieldNames) {
  contactFields[field].headers.split(" ").forEach((header, rank) => {
    recognised.set(header, { field, rank, address: addressParts.has(field) ? addressOf(header) : undefined });
  });
}

/** Columns by their place in the file, from 0. */
export interface ColumnMapping {
  readonly columns: readonly string[];
  /** The columns of each field that has one, the best first. */
  readonly places: ReadonlyMap<ContactField, readonly number[]>;
  /** The columns of each address where there are several, the best first: parts of two would make one that is nowhere. */
  readonly addresses: readonly (readonly number[])[];
  /** The columns of whole names. */
  readonly names: readonly number[];
  readonly tags: readonly number[];
  /** Columns that nobody misses: the reasons why an earlier import refused a row, and what our export shows beside the fields. */
  readonly ignored: readonly number[];
}

/**
 * Finds the columns of a header line. `chosen` names fields for columns (`{ "Record ID": "external_ref" }`) and wins over
 * what is recognised; a column for which it names nothing is left out. Refuses, on `map`, a column or field that there is not, and on `file` headers without any field.
 */
export function mapColumns(header: readonly string[], chosen: Readonly<Record<string, string>> = {}): ColumnMapping {
  const columns = header.map((name, place) => name.trim() || `column ${place + 1}`);
  const found: (CsvColumn | undefined)[] = columns.map((column) => recognised.get(toKey(column)));
  const tags = new Set(columns.flatMap((column, place) => (toKey(column) === tagsColumn ? place : [])));
  const omitted = new Set<number>();
  for (const [column, name] of Object.entries(chosen)) {
    const place = columns.findIndex((known) => toKey(known) === toKey(column));
    const field = [...contactFieldNames, tagsColumn, nothing].find((known) => known === name.trim());
    if (place === -1) {
      throw new Invalid({ map: [`The file has no column "${column}"; it has ${columns.join(", ")}.`] });
    }
    if (field === undefined) {
      throw new Invalid({
        map: [`There is no field "${name}"; there are ${contactFieldNames.join(", ")}, ${tagsColumn}.`],
      });
    }
    tags.delete(place);
    found[place] = undefined;
    if (field === nothing) omitted.add(place);
    else if (field === tagsColumn) tags.add(place);
    else found[place] = { field: field as ContactField, rank: -1 };
  }

  const ranked = found.flatMap((known, place) => (known === undefined ? [] : [{ ...known, place }]));
  if (ranked.length === 0) {
    throw new Invalid({
      file: [`No column of the file is a known field: ${columns.join(", ")}. Name some with --map.`],
    });
  }
  const places = new Map<ContactField, number[]>();
  const addresses = new Map<string, number[]>();
  for (const { field, address, place } of ranked.toSorted((a, b) => a.rank - b.rank || a.place - b.place)) {
    places.set(field, [...(places.get(field) ?? []), place]);
    if (address !== undefined) addresses.set(address, [...(addresses.get(address) ?? []), place]);
  }
  const isFree = (place: number): boolean => found[place] === undefined && !tags.has(place) && !omitted.has(place);
  const free = columns.flatMap((column, place) => (isFree(place) ? [{ column, place }] : []));
  const placesWhere = (holds: (column: string) => boolean): number[] =>
    free.flatMap(({ column, place }) => (holds(column) ? place : []));
  // Of one address that is named in two ways ("Home Street", "City") every part is read.
  const several = [...addressParts].some((field) => (places.get(field)?.length ?? 0) > 1);
  return {
    columns,
    places,
    addresses: several ? [...addresses.values()] : [],
    names: placesWhere((column) => wholeNames.has(toKey(column))),
    tags: [...tags].toSorted((a, b) => a - b),
    ignored: placesWhere((column) => isReasonColumn(column) || shownColumns.some((shown) => shown === column)),
  };
}

/** `E-mail 1 - Value` → `email1value`. */
function toKey(header: string): string {
  return header
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

type GivenFields = Partial<Record<ContactField, unknown>>;

/** What a row gives, by field, and the places of the values that it had no use for. */
export interface GivenRow {
  readonly fields: GivenFields;
  /** The names of tags. */
  readonly tags: readonly string[];
  readonly unused: readonly number[];
}

/** Google Contacts puts several values into one cell, the best first. */
const betweenValues = " ::: ";

/**
 * Reads a row: an empty cell gives nothing, so that a file never empties a field. Of several values in a cell the first is
 * read, and of several addresses the first that says anything. A column that is named as our export names it holds one value,
 * whatever stands in it.
 */
export function readRow(mapping: ColumnMapping, row: readonly string[]): GivenRow {
  const cells = row.map(withoutMark);
  const fields: GivenFields = {};
  const used = new Set<number>([...mapping.ignored, ...mapping.tags]);
  const filled = mapping.addresses.findIndex((parts) => parts.some((place) => isFilled(cells[place])));
  const ignored = new Set(mapping.addresses.filter((_, rank) => rank !== filled).flat());
  for (const [field, candidates] of mapping.places) {
    const place = candidates.find((candidate) => isFilled(cells[candidate]) && !ignored.has(candidate));
    if (place === undefined) continue;
    const isOwn = mapping.columns[place] === field;
    const [value = "", ...further] = isOwn ? [cells[place]!] : cells[place]!.split(betweenValues);
    if (!further.some(isFilled)) used.add(place);
    fields[field] = toValue(field, value.trim());
  }
  const name = mapping.names.find((place) => isFilled(cells[place]));
  if (name !== undefined && readName(fields, cells[name]!)) used.add(name);
  const tags = mapping.tags.flatMap((place) =>
    readTags(cells[place] ?? "", mapping.columns[place] === tagsColumn ? ";" : ",;"),
  );
  const unused = cells.flatMap((cell, place) => (isFilled(cell) && !used.has(place) ? [place] : []));
  return { fields, tags, unused };
}

/** Takes a whole name apart where no part of it is given; whether everything that it says is in the fields now. */
function readName(fields: GivenFields, name: string): boolean {
  const parts = splitName(name);
  if (fields.first_name === undefined && fields.last_name === undefined) Object.assign(fields, parts);
  return fields.first_name === parts.first_name && fields.last_name === parts.last_name;
}

function isFilled(cell: string | undefined): boolean {
  return cell !== undefined && cell.trim() !== "";
}
