/** The fields of a contact as flags, for creating one and for changing one. The compiler names a field that has none. */
import { Flags } from "@oclif/core";
import type { Interfaces } from "@oclif/core";
import type { z } from "zod";
import type { ContactField, contactFields } from "../../src/crm/contacts/contact.fields.ts";
import type { updateContactInput } from "../../src/crm/contacts/contact.schema.ts";

type FieldOf<Kind> = {
  [Field in ContactField]: (typeof contactFields)[Field]["kind"] extends Kind ? Field : never;
}[ContactField];

type FlagName<Field extends string> = Field extends `${infer Head}_${infer Tail}` ? `${Head}-${FlagName<Tail>}` : Field;

const texts = {
  first_name: "First name.",
  last_name: "Last name.",
  email: "E-mail address.",
  phone: "Phone number; without a country code one of the location's country.",
  company: "Company.",
  source: "Origin of the contact.",
  interest: "What the contact is interested in.",
  address1: "Street and number.",
  city: "City.",
  state: "State, two letters.",
  zip: "Postal code.",
  timezone: "IANA time zone, such as America/New_York.",
  external_ref: "Unique id of the contact in another system.",
} as const satisfies Record<FieldOf<"text">, string>;

const numbers = {
  owner_user_id: "The owner; crm users list has the ids.",
} as const satisfies Record<FieldOf<"number">, string>;

const truths = {
  dnd: "Do not disturb: no automated messages.",
} as const satisfies Record<FieldOf<"boolean">, string>;

type ContactFlags = {
  [Field in FieldOf<"text"> | FieldOf<"number"> as FlagName<Field>]: Interfaces.OptionFlag<string | undefined>;
} & {
  [Field in FieldOf<"boolean"> as FlagName<Field>]: Interfaces.BooleanFlag<boolean | undefined>;
};

export const contactFlags = {
  ...flagsOf(texts, (description) => Flags.string({ description })),
  ...flagsOf(numbers, (description) => Flags.string({ description, helpValue: "ID" })),
  ...flagsOf(truths, (description) => Flags.boolean({ description, allowNo: true })),
} as ContactFlags;

/** Judged by the operation that takes them. */
type ContactFields = z.input<typeof updateContactInput>;

/** What the flags give, under the names of the fields; what was not given is left out. */
export function toContactFields(flags: Readonly<Record<string, unknown>>): ContactFields {
  const given = [...Object.keys(texts), ...Object.keys(numbers), ...Object.keys(truths)]
    .map((field) => [field, flags[toFlagName(field)]] as const)
    .filter(([, value]) => value !== undefined)
    // Digits are an id; what else is given is refused by its schema.
    .map(([field, value]) => [field, field in numbers && /^\d+$/.test(String(value)) ? Number(value) : value]);
  return Object.fromEntries(given) as ContactFields;
}

function flagsOf<Flag>(fields: Readonly<Record<string, string>>, toFlag: (description: string) => Flag) {
  return Object.fromEntries(
    Object.entries(fields).map(([field, description]) => [toFlagName(field), toFlag(description)]),
  );
}

function toFlagName(field: string): string {
  return field.replaceAll("_", "-");
}
