/** Custom values: reads those of an input, shows those of rows, and computes the rows to store. */
import { z } from "zod";
import { flag, nullableText, wholeNumber } from "../../kit/input/fields.ts";
import { isCut, textKey } from "../../kit/text-key.ts";
import { fold } from "../../kit/text.ts";
import { readJson } from "../../storage/json.ts";
import type { CustomFieldSubject, CustomFieldType } from "../../vocabulary/custom-fields.ts";
import { limits } from "../../vocabulary/limits.ts";

/** The table of the values of a kind of record, and its column that refers to the record. */
export interface ValueTable {
  readonly table: string;
  readonly column: string;
}

export const valueTables: Readonly<Record<CustomFieldSubject, ValueTable>> = {
  contact: { table: "custom_values", column: "contact_id" },
  opportunity: { table: "opportunity_values", column: "opportunity_id" },
};

/** The definition of a custom field. */
export interface CustomField {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  readonly type: CustomFieldType;
  readonly options: readonly string[];
}

/** A value as the API shows it; null if it is not set. */
export type CustomValue = string | number | boolean | string[] | null;

/** A field of a record with its value. */
export interface CustomMember {
  readonly id: number;
  readonly key: string;
  readonly type: CustomFieldType;
  readonly value: CustomValue;
}

/** A day of the calendar from year 1 on; `Date` takes February 30 for a day in March. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text < "0001") return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

const texts = {
  text: nullableText(limits.customField.text),
  long_text: nullableText(limits.customField.longText),
  date: nullableText().refine((value) => typeof value !== "string" || isDate(value), {
    error: "must be a date such as 2026-03-01.",
  }),
  url: nullableText(limits.customField.url).refine((value) => typeof value !== "string" || isWebAddress(value), {
    error: "must be a URL that begins with http:// or https://.",
  }),
} as const;

const numberError = { error: "must be a number." };

const schemas: Readonly<
  Record<Exclude<CustomFieldType, "select" | "multiselect">, z.ZodType<CustomValue | undefined>>
> = {
  ...texts,
  // -0 is 0, as in JSON.
  number: z.number(numberError).transform((value) => value + 0),
  money: wholeNumber(),
  boolean: flag(),
};

/** A value of an input, or what is wrong with it as a predicate. `""`, `[]` and null clear. */
export function readCustomValue(field: CustomField, given: unknown): { value: CustomValue } | { fault: string } {
  if (given === null || given === undefined || given === "") return { value: null };
  if (field.type === "select") {
    const option = optionOf(field, given);
    return option === undefined ? { fault: `must be one of the options ${namesOf(field)}.` } : { value: option };
  }
  if (field.type === "multiselect") {
    const list = Array.isArray(given) ? (given as unknown[]) : [given];
    if (list.length > limits.customField.chosen)
      return { fault: `must have at most ${limits.customField.chosen} items.` };
    const options = list.map((one) => optionOf(field, one));
    if (options.includes(undefined)) return { fault: `must be a list of the options ${namesOf(field)}.` };
    return { value: options.length === 0 ? null : ([...new Set(options)] as string[]) };
  }
  const parsed = schemas[field.type].safeParse(given);
  if (parsed.success) return { value: parsed.data ?? null };
  return { fault: parsed.error.issues[0]!.message };
}

function optionOf({ options }: CustomField, given: unknown): string | undefined {
  if (typeof given !== "string") return undefined;
  const folded = fold(given);
  return options.find((option) => fold(option) === folded);
}

/** The first options, for messages. */
function namesOf({ options }: CustomField): string {
  return options.length <= 10 ? options.join(", ") : `${options.slice(0, 10).join(", ")}, …`;
}

/** The columns of a row of custom_values without those that refer. */
export interface StoredValue {
  readonly value: string;
  readonly key: string;
  readonly long_key: string | null;
}

/** The rows that store a value. */
export function toStoredValues({ type, value }: Pick<CustomMember, "type" | "value">): StoredValue[] {
  if (value === null) return [];
  if (typeof value === "object") return value.map((option) => storedText(option));
  if (type === "number" || type === "money") return [stored(value, numberKey(value as number))];
  if (type === "boolean" || type === "date") return [stored(value, String(value))];
  return [storedText(value as string)];
}

function stored(value: CustomValue, key: string): StoredValue {
  return { value: JSON.stringify(value), key, long_key: null };
}

function storedText(text: string): StoredValue {
  const key = textKey(text);
  return { value: JSON.stringify(text), key, long_key: isCut(key) ? fold(text) : null };
}

/** Sixteen hexadecimal digits that are ordered as the numbers are: the bits of the double, inverted for negative ones. */
export function numberKey(number: number): string {
  double.setFloat64(0, number + 0);
  const [high, low] = [double.getUint32(0), double.getUint32(4)];
  return high < sign ? hex(high + sign) + hex(low) : hex(allBits - high) + hex(allBits - low);
}

const double = new DataView(new ArrayBuffer(8));
const sign = 0x8000_0000;
const allBits = 0xffff_ffff;

function hex(bits: number): string {
  return bits.toString(16).padStart(8, "0");
}

/** A row of `custom_fields left join custom_values`. */
export interface MemberRow {
  readonly id: number;
  readonly key: string;
  readonly type: CustomFieldType;
  /** JSON; null without a value. */
  readonly value: string | null;
}

/** The members of a record in a change, which are not rows anymore. */
export interface RecordMembers {
  readonly members: readonly CustomMember[];
}

/** A column made by customFieldsOfContact: a list of MemberRow, or its JSON; or the members of a change. */
export type MembersColumn = string | readonly MemberRow[] | RecordMembers;

export const noMembers: RecordMembers = { members: [] };

export function membersOf(column: MembersColumn): readonly CustomMember[] {
  return typeof column === "object" && "members" in column ? column.members : toMembers(readJson<MemberRow>(column));
}

/** The members from rows, in the order of the fields. */
function toMembers(rows: readonly MemberRow[]): CustomMember[] {
  if (rows.length === 0) return [];
  const members = new Map<number, CustomMember>();
  for (const { id, key, type, value: text } of rows) {
    const value = text === null ? null : (JSON.parse(text) as CustomValue);
    const known = members.get(id)?.value as readonly string[] | null | undefined;
    const isList = type === "multiselect" && value !== null;
    members.set(id, { id, key, type, value: isList ? [...(known ?? []), value as string] : value });
  }
  return [...members.values()];
}

/** The members as the API shows them: null for fields without a value. */
export function toCustomFields(members: readonly CustomMember[]): Record<string, CustomValue> {
  return Object.fromEntries(members.map(({ key, value }) => [key, value]));
}

export function isSameValue(one: CustomValue, other: CustomValue): boolean {
  return one === other || (typeof one === "object" && JSON.stringify(one) === JSON.stringify(other));
}
