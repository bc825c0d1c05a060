/** The writable fields of contacts: validation, columns, and how filters and CSV imports read each. */
import type { z } from "zod";
import {
  emptyableText,
  flag,
  nullableEmail,
  nullableId,
  nullableText,
  text,
  timeZone,
} from "../../kit/input/fields.ts";
import { readPhone } from "../../kit/phone.ts";
import { emailKey, textKey } from "../../kit/text-key.ts";
import { fold, foldEmail } from "../../kit/text.ts";
import { limits } from "../../vocabulary/limits.ts";

/** A column: the SQL type for casts, and its default. */
interface Column {
  readonly cast: "text" | "boolean" | "bigint";
  readonly blank: unknown;
}

const emptyText = { cast: "text", blank: "" as string } as const;
const noText = { cast: "text", blank: null as string | null } as const;
const isFalse = { cast: "boolean", blank: false as boolean } as const;
const noId = { cast: "bigint", blank: null as number | null } as const;

/** The columns for comparing and searching a text. */
export interface KeyedText {
  /** The normalized column for equality, and the normalization. */
  readonly key: { readonly column: string; readonly of: (text: string, country: string) => string };
  /** The column for substring search, and the folding of both sides. */
  readonly part: { readonly column: string; readonly fold: (text: string) => string };
}

interface Field extends Partial<KeyedText> {
  /** The input of POST /contacts. Other inputs of contacts are derived from it (contact.schema.ts). */
  readonly input: z.ZodType;
  /** The type for filters and CSV cells. */
  readonly kind: "text" | "number" | "boolean";
  /** The columns that the field sets; the first is the one that responses show. */
  readonly columns: Readonly<Record<string, Column>>;
  /**
   * Recognized CSV headers, reduced to letters and digits, in order of preference: our own name, then those of HubSpot, Google Contacts,
   * Outlook and GoHighLevel, and common ones. A later header is used where the columns of earlier ones are empty
   * (transfer/csv-columns.ts).
   */
  readonly headers: string;
  /** Computes the columns, if there is more than the value itself. `country` is the default country of phone numbers. */
  readonly store?: (value: never, country: string) => Readonly<Record<string, unknown>>;
}

/** A text field, stored as given, with a key column. */
function line<const Name extends string, Input extends z.ZodType, Own extends Column>(
  name: Name,
  own: Own,
  input: Input,
  headers: string,
) {
  const key: `${Name}_key` = `${name}_key`;
  return {
    input,
    kind: "text",
    columns: { [name]: own, [key]: own } as { readonly [Each in Name | typeof key]: Own },
    store: (value: string | null) => ({ [name]: value, [key]: value === null ? null : textKey(value) }),
    key: { column: key, of: textKey },
    part: { column: key, fold },
    headers,
  } as const;
}

const { contact: longest } = limits;

export const contactFields = {
  first_name: line("first_name", emptyText, text(longest.first_name), "firstname givenname forename fname"),
  last_name: line("last_name", emptyText, emptyableText(longest.last_name), "lastname familyname surname lname"),
  email: {
    input: nullableEmail(longest.email),
    kind: "text",
    columns: { email: noText, email_key: noText },
    store: (email: string | null) => ({ email, email_key: email === null ? null : emailKey(email) }),
    key: { column: "email_key", of: emailKey },
    part: { column: "email_key", fold: foldEmail },
    headers:
      "email emailaddress email1 email1value email1address primaryemail workemail email2 email2value email2address " +
      "email3value email3address",
  },
  phone: {
    input: nullableText(longest.phone),
    kind: "text",
    columns: { phone_display: noText, phone_key: noText, phone_display_key: noText },
    store(phone: string | null, country: string) {
      if (phone === null) return { phone_display: null, phone_key: null, phone_display_key: null };
      const { key, display } = readPhone(phone, country);
      return { phone_display: display, phone_key: key, phone_display_key: textKey(display) };
    },
    key: { column: "phone_key", of: (phone, country) => readPhone(phone, country).key ?? "" },
    // Part of a number cannot be parsed as a number, so it is searched for in the display form.
    part: { column: "phone_display_key", fold },
    headers:
      "phone phonenumber phone1 phone1value primaryphone mobilephone mobilephonenumber mobile cellphone cell telephone " +
      "businessphone workphone homephone phone2 phone2value businessphone2 homephone2 companymainphone otherphone " +
      "phone3value carphone",
  },
  company: line(
    "company",
    noText,
    nullableText(longest.company),
    "company companyname organization organisation organizationname organization1name businessname associatedcompany",
  ),
  source: line(
    "source",
    noText,
    nullableText(longest.source),
    "source leadsource contactsource originalsource originaltrafficsource",
  ),
  interest: line("interest", noText, nullableText(longest.interest), "interest interests"),
  address1: line(
    "address1",
    noText,
    nullableText(longest.address1),
    "address1 address addressline1 street streetaddress address1street businessstreet mailingstreet homestreet " +
      "otherstreet address2street",
  ),
  city: line(
    "city",
    noText,
    nullableText(longest.city),
    "city town address1city businesscity mailingcity homecity othercity address2city",
  ),
  state: line(
    "state",
    noText,
    nullableText(longest.state),
    "state stateregion stateprovince province region address1region businessstate mailingstate homestate otherstate " +
      "address2region",
  ),
  zip: line(
    "zip",
    noText,
    nullableText(longest.zip),
    "zip zipcode postalcode postcode address1postalcode businesspostalcode mailingzip homepostalcode otherpostalcode " +
      "address2postalcode",
  ),
  timezone: line("timezone", noText, timeZone(), "timezone"),
  dnd: { input: flag(), kind: "boolean", columns: { dnd: isFalse }, headers: "dnd donotdisturb" },
  owner_user_id: { input: nullableId(), kind: "number", columns: { owner_id: noId }, headers: "owneruserid" },
  external_ref: line("external_ref", noText, nullableText(longest.external_ref), "externalref externalid"),
} as const satisfies Readonly<Record<string, Field>>;

export type ContactField = keyof typeof contactFields;

/** The API names of the fields. */
export const contactFieldNames = Object.keys(contactFields) as readonly ContactField[];
