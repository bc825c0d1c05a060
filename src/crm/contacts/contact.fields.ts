/** The fields that people and programs set on a contact, each once: what it takes, where it is stored, how it is asked for. */
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
import { emailKey } from "../../kit/text.ts";
import { limits } from "../../vocabulary/limits.ts";

/** A column: the type that a statement casts a parameter to where it has to, and what it holds until something is known. */
interface Column {
  readonly cast: "text" | "boolean" | "bigint";
  readonly blank: unknown;
}

const name = { cast: "text", blank: "" as string } as const;
const word = { cast: "text", blank: null as string | null } as const;
const truth = { cast: "boolean", blank: false as boolean } as const;
const reference = { cast: "bigint", blank: null as number | null } as const;

interface Field {
  /** What POST /contacts takes; whatever else takes contacts folds it from this (contact.schema.ts). */
  readonly input: z.ZodType;
  /** Filters compare it as this, and a cell of a CSV file is read as it. */
  readonly kind: "text" | "number" | "boolean";
  /** The columns that it sets: the one that answers show comes first. */
  readonly columns: Readonly<Record<string, Column>>;
  /**
   * Headers of CSV files that mean the field, letters and digits alone, the best first: our own name, then those of
   * HubSpot, Google Contacts, Outlook and GoHighLevel, and of spreadsheets. A further one is read where the better ones are
   * empty (transfer/csv-columns.ts).
   */
  readonly headers: string;
  /** What its columns hold, where it is more than the value itself. A phone number is one of `country`. */
  readonly store?: (value: never, country: string) => Readonly<Record<string, unknown>>;
  /** The column in which texts of one meaning are the same, and what `text` is there. */
  readonly key?: { readonly column: string; readonly of: (text: string, country: string) => string };
}

export const contactFields = {
  first_name: {
    input: text(limits.contact.first_name),
    kind: "text",
    columns: { first_name: name },
    headers: "firstname givenname forename fname",
  },
  last_name: {
    input: emptyableText(limits.contact.last_name),
    kind: "text",
    columns: { last_name: name },
    headers: "lastname familyname surname lname",
  },
  email: {
    input: nullableEmail(limits.contact.email),
    kind: "text",
    columns: { email: word, email_key: word },
    store: (email: string | null) => ({ email, email_key: email === null ? null : emailKey(email) }),
    key: { column: "email_key", of: emailKey },
    headers:
      "email emailaddress email1 email1value email1address primaryemail workemail email2 email2value email2address " +
      "email3value email3address",
  },
  phone: {
    input: nullableText(limits.contact.phone),
    kind: "text",
    columns: { phone_display: word, phone_key: word },
    store(phone: string | null, country: string) {
      const { key = null, display = null } = phone === null ? {} : readPhone(phone, country);
      return { phone_display: display, phone_key: key };
    },
    key: { column: "phone_key", of: (phone, country) => readPhone(phone, country).key ?? "" },
    headers:
      "phone phonenumber phone1 phone1value primaryphone mobilephone mobilephonenumber mobile cellphone cell telephone " +
      "businessphone workphone homephone phone2 phone2value businessphone2 homephone2 companymainphone otherphone " +
      "phone3value carphone",
  },
  company: {
    input: nullableText(limits.contact.company),
    kind: "text",
    columns: { company: word },
    headers:
      "company companyname organization organisation organizationname organization1name businessname associatedcompany",
  },
  source: {
    input: nullableText(limits.contact.source),
    kind: "text",
    columns: { source: word },
    headers: "source leadsource contactsource originalsource originaltrafficsource",
  },
  interest: {
    input: nullableText(limits.contact.interest),
    kind: "text",
    columns: { interest: word },
    headers: "interest interests",
  },
  address1: {
    input: nullableText(limits.contact.address1),
    kind: "text",
    columns: { address1: word },
    headers:
      "address1 address addressline1 street streetaddress address1street businessstreet mailingstreet homestreet " +
      "otherstreet address2street",
  },
  city: {
    input: nullableText(limits.contact.city),
    kind: "text",
    columns: { city: word },
    headers: "city town address1city businesscity mailingcity homecity othercity address2city",
  },
  state: {
    input: nullableText(limits.contact.state),
    kind: "text",
    columns: { state: word },
    headers:
      "state stateregion stateprovince province region address1region businessstate mailingstate homestate otherstate " +
      "address2region",
  },
  zip: {
    input: nullableText(limits.contact.zip),
    kind: "text",
    columns: { zip: word },
    headers:
      "zip zipcode postalcode postcode address1postalcode businesspostalcode mailingzip homepostalcode otherpostalcode " +
      "address2postalcode",
  },
  timezone: { input: timeZone(), kind: "text", columns: { timezone: word }, headers: "timezone" },
  dnd: { input: flag(), kind: "boolean", columns: { dnd: truth }, headers: "dnd donotdisturb" },
  owner_user_id: { input: nullableId(), kind: "number", columns: { owner_id: reference }, headers: "owneruserid" },
  external_ref: {
    input: nullableText(limits.contact.external_ref),
    kind: "text",
    columns: { external_ref: word },
    headers: "externalref externalid",
  },
} as const satisfies Readonly<Record<string, Field>>;

export type ContactField = keyof typeof contactFields;

/** The names of the fields, as the API writes them. */
export const contactFieldNames = Object.keys(contactFields) as readonly ContactField[];
