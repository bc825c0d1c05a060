/** What people and programs set on a contact, as columns: input and keys in, the columns that differ out. */
import type { FieldChange } from "../../../events/event-record.ts";
import { readPhone } from "../../../kit/phone.ts";
import { fold } from "../../../kit/text.ts";
import type { ContactField, ContactInput } from "../contact.schema.ts";

/** The columns that input reaches, with the keys that are derived from them. */
export interface ContactColumns {
  name: string;
  name_key: string;
  first_name: string;
  last_name: string;
  email: string | null;
  email_key: string | null;
  phone_display: string | null;
  phone_key: string | null;
  company: string | null;
  source: string | null;
  interest: string | null;
  address1: string | null;
  city: string | null;
  state: string | null;
  zip: string | null;
  timezone: string | null;
  dnd: boolean;
  owner_id: number | null;
  external_ref: string | null;
}

/** Columns of the fields that are stored as they are given. */
const plainColumns = {
  first_name: "first_name",
  last_name: "last_name",
  company: "company",
  source: "source",
  interest: "interest",
  address1: "address1",
  city: "city",
  state: "state",
  zip: "zip",
  timezone: "timezone",
  dnd: "dnd",
  owner_user_id: "owner_id",
  external_ref: "external_ref",
} as const satisfies Partial<Record<keyof ContactInput, keyof ContactColumns>>;

const plainFields = Object.entries(plainColumns) as [keyof typeof plainColumns, keyof ContactColumns][];

/** The columns that `input` sets; a phone number without a country is one of `country`. */
export function toColumns(input: ContactInput, country: string): Partial<ContactColumns> {
  const columns: Record<string, unknown> = {};
  for (const [field, column] of plainFields) {
    if (input[field] !== undefined) columns[column] = input[field];
  }
  if (input.email !== undefined) {
    columns["email"] = input.email;
    columns["email_key"] = input.email === null ? null : fold(input.email);
  }
  if (input.phone !== undefined) {
    const phone = input.phone === null ? null : readPhone(input.phone, country);
    columns["phone_display"] = phone?.display ?? null;
    columns["phone_key"] = phone?.key ?? null;
  }
  return columns;
}

/** A contact of which nothing is known. */
export const blankColumns: Readonly<ContactColumns> = {
  name: "",
  name_key: "",
  first_name: "",
  last_name: "",
  email: null,
  email_key: null,
  phone_display: null,
  phone_key: null,
  company: null,
  source: null,
  interest: null,
  address1: null,
  city: null,
  state: null,
  zip: null,
  timezone: null,
  dnd: false,
  owner_id: null,
  external_ref: null,
};

/** What people see: the names, else the e-mail address, else the phone number. */
export function toName({ first_name, last_name, email, phone_display }: ContactColumns): {
  name: string;
  name_key: string;
} {
  const name = `${first_name} ${last_name}`.trim() || email || phone_display || "Unnamed contact";
  return { name, name_key: fold(name) };
}

/** The fields of the API that a change tells of, and the columns that show them. */
const shownColumns = {
  first_name: "first_name",
  last_name: "last_name",
  email: "email",
  phone: "phone_display",
  company: "company",
  source: "source",
  interest: "interest",
  address1: "address1",
  city: "city",
  state: "state",
  zip: "zip",
  timezone: "timezone",
  dnd: "dnd",
  owner_user_id: "owner_id",
  external_ref: "external_ref",
} as const satisfies Record<ContactField, keyof ContactColumns>;

const shownFields = Object.entries(shownColumns);

/** Every field in which the two differ, as timelines and webhooks show it. */
export function changesBetween(before: ContactColumns, after: ContactColumns): FieldChange[] {
  const changes: FieldChange[] = [];
  for (const [field, column] of shownFields) {
    if (before[column] !== after[column]) changes.push({ field, old: before[column], new: after[column] });
  }
  return changes;
}
