/** Converts CSV cells to field values: booleans, numbers, state names and full names. */
import { toBoolean } from "../../../kit/csv/csv-boolean.ts";
import { contactFields } from "../contact.fields.ts";
import type { ContactField } from "../contact.fields.ts";

/** States are two letters (specification, "Contacts"); most exports write their names. USPS and Canada Post codes. */
const states = new Map<string, string>(
  (
    "Alabama AL,Alaska AK,Arizona AZ,Arkansas AR,California CA,Colorado CO,Connecticut CT,Delaware DE," +
    "District of Columbia DC,Florida FL,Georgia GA,Hawaii HI,Idaho ID,Illinois IL,Indiana IN,Iowa IA,Kansas KS," +
    "Kentucky KY,Louisiana LA,Maine ME,Maryland MD,Massachusetts MA,Michigan MI,Minnesota MN,Mississippi MS,Missouri MO," +
    "Montana MT,Nebraska NE,Nevada NV,New Hampshire NH,New Jersey NJ,New Mexico NM,New York NY,North Carolina NC," +
    "North Dakota ND,Ohio OH,Oklahoma OK,Oregon OR,Pennsylvania PA,Puerto Rico PR,Rhode Island RI,South Carolina SC," +
    "South Dakota SD,Tennessee TN,Texas TX,Utah UT,Vermont VT,Virginia VA,Washington WA,West Virginia WV,Wisconsin WI," +
    "Wyoming WY,Alberta AB,British Columbia BC,Manitoba MB,New Brunswick NB,Newfoundland and Labrador NL,Nova Scotia NS," +
    "Northwest Territories NT,Nunavut NU,Ontario ON,Prince Edward Island PE,Quebec QC,Québec QC,Saskatchewan SK,Yukon YT"
  )
    .split(",")
    .map((entry) => [entry.slice(0, -3).toLowerCase(), entry.slice(-2)]),
);

/** Converts a cell to the type of the field. A value that cannot be converted stays a string, which validation refuses. */
export function toValue(field: ContactField, cell: string): unknown {
  const { kind } = contactFields[field];
  if (kind === "boolean") return toBoolean(cell);
  if (kind === "number" && /^\d+$/.test(cell)) return Number(cell);
  if (field === "state") return states.get(cell.toLowerCase()) ?? cell;
  return cell;
}

/** `Ada King Lovelace` or `Lovelace, Ada King`: the last name is the last word, or the part before the comma. */
export function splitName(name: string): { first_name: string; last_name?: string } {
  const parts = name.trim().split(/\s+/);
  const comma = /^([^,]+),([^,]+)$/.exec(parts.join(" "));
  if (comma !== null) return { first_name: comma[2]!.trim(), last_name: comma[1]!.trim() };
  if (parts.length === 1) return { first_name: parts[0]! };
  return { first_name: parts.slice(0, -1).join(" "), last_name: parts.at(-1)! };
}
