/** Which column of a CSV file holds which field: headers of the usual exports are recognised, others can be mapped. */
import { Invalid } from "../../vocabulary/errors.ts";
import { contactFields } from "./contact.schema.ts";
import type { ContactField } from "./contact.schema.ts";

/**
 * Headers of each field, letters and digits alone, the best first: our own names, then those of HubSpot, Google Contacts,
 * Outlook and GoHighLevel, and of spreadsheets. A further column of a field is read where the better ones are empty.
 */
const headers: Readonly<Record<ContactField, string>> = {
  first_name: "firstname givenname forename fname",
  last_name: "lastname familyname surname lname",
  email:
    "email emailaddress email1 email1value email1address primaryemail workemail email2 email2value email2address email3address",
  phone:
    "phone phonenumber phone1 phone1value primaryphone mobilephone mobilephonenumber mobile cellphone cell telephone " +
    "businessphone workphone homephone phone2 phone2value businessphone2 homephone2 otherphone phone3value",
  company: "company companyname organization organisation organizationname organization1name businessname",
  source: "source leadsource contactsource",
  interest: "interest interests",
  address1:
    "address1 address addressline1 street streetaddress address1street businessstreet mailingstreet homestreet otherstreet",
  city: "city town address1city businesscity mailingcity homecity othercity",
  state:
    "state stateregion stateprovince province region address1region businessstate mailingstate homestate otherstate",
  zip: "zip zipcode postalcode postcode address1postalcode businesspostalcode mailingzip homepostalcode otherpostalcode",
  timezone: "timezone",
  dnd: "dnd donotdisturb",
  owner_user_id: "owneruserid",
  external_ref: "externalref externalid",
};

const recognised = new Map<string, { field: ContactField; rank: number }>();
for (const field of contactFields) {
  headers[field].split(" ").forEach((header, rank) => recognised.set(header, { field, rank }));
}

/** Columns by their place in the file, from 0. */
export interface ColumnMapping {
  readonly columns: readonly string[];
  /** The columns of each field that has one, the best first. */
  readonly places: ReadonlyMap<ContactField, readonly number[]>;
}

/**
 * Finds the columns of a header line. `chosen` names fields for columns (`{ "Record ID": "external_ref" }`) and wins over
 * what is recognised. Refuses, on `map`, a column or field that there is not, and on `file` headers without any field.
 */
export function mapColumns(header: readonly string[], chosen: Readonly<Record<string, string>> = {}): ColumnMapping {
  const columns = header.map((name, place) => name.trim() || `column ${place + 1}`);
  const found = columns.map((column) => recognised.get(toKey(column)));
  for (const [column, name] of Object.entries(chosen)) {
    const place = columns.findIndex((known) => toKey(known) === toKey(column));
    const field = contactFields.find((known) => known === name.trim());
    if (place === -1) {
      throw new Invalid({ map: [`The file has no column "${column}"; it has ${columns.join(", ")}.`] });
    }
    if (field === undefined) {
      throw new Invalid({ map: [`There is no field "${name}"; there are ${contactFields.join(", ")}.`] });
    }
    found[place] = { field, rank: -1 };
  }

  const ranked = found.flatMap((known, place) => (known === undefined ? [] : [{ ...known, place }]));
  if (ranked.length === 0) {
    throw new Invalid({
      file: [`No column of the file is a known field: ${columns.join(", ")}. Name some with --map.`],
    });
  }
  const places = new Map<ContactField, number[]>();
  for (const { field, place } of ranked.toSorted((a, b) => a.rank - b.rank || a.place - b.place)) {
    places.set(field, [...(places.get(field) ?? []), place]);
  }
  return { columns, places };
}

/** `E-mail 1 - Value` → `email1value`. */
function toKey(header: string): string {
  return header
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/** What a row gives, by field, and the places of the values that it had no use for. */
export interface GivenRow {
  readonly fields: Partial<Record<ContactField, unknown>>;
  readonly unused: readonly number[];
}

/** Reads a row: an empty cell gives nothing, so that a file never empties a field. */
export function readRow({ places }: ColumnMapping, cells: readonly string[]): GivenRow {
  const fields: Partial<Record<ContactField, unknown>> = {};
  const used = new Set<number>();
  for (const [field, candidates] of places) {
    const place = candidates.find((candidate) => isFilled(cells[candidate]));
    if (place === undefined) continue;
    used.add(place);
    fields[field] = toValue(field, cells[place]!.trim());
  }
  const unused = cells.flatMap((cell, place) => (isFilled(cell) && !used.has(place) ? [place] : []));
  return { fields, unused };
}

function isFilled(cell: string | undefined): boolean {
  return cell !== undefined && cell.trim() !== "";
}

const words = new Map<string, boolean>([
  ...["true", "yes", "y", "1", "on", "x"].map((word) => [word, true] as const),
  ...["false", "no", "n", "0", "off"].map((word) => [word, false] as const),
]);

/** Cells are text; what the field takes as a number or as true or false becomes one, and what does not is refused later. */
function toValue(field: ContactField, cell: string): unknown {
  if (field === "dnd") return words.get(cell.toLowerCase()) ?? cell;
  if (field === "owner_user_id" && /^\d+$/.test(cell)) return Number(cell);
  return cell;
}
