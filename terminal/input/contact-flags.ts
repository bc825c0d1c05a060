/** The fields of a contact as flags, for create and update. A field without a flag does not compile. */
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
  phone: "Phone number; without a country code, a number of the location's country.",
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

/** Validated by the operation. */
type ContactFields = z.input<typeof updateContactInput>;

/** The flags as API fields, without omitted ones. */
export function toContactFields(flags: Readonly<Record<string, unknown>>): ContactFields {
  const given = [...Object.keys(texts), ...Object.keys(numbers), ...Object.keys(truths)]
    .map((field) => [field, flags[toFlagName(field)]] as const)
    .filter(([, value]) => value !== undefined)
    // Digits are an ID; the schema refuses anything else.
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
