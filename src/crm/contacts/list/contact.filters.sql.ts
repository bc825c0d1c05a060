/** Checked conditions as SQL over `contacts`, the same rows on both databases. Values travel as parameters alone. */
import type { Place, Reader } from "../../../events/caller.ts";
import { readPhone } from "../../../kit/phone.ts";
import { emailKey, fold } from "../../../kit/text.ts";
import { contains, folded, startsWith } from "../../../storage/text-matching.ts";
import type { Value } from "../../../storage/rows.ts";
import { earliestTime } from "./contact.filters.ts";
import type { Condition, ContactFilters, FilterField } from "./contact.filters.ts";

/** Conditions that must all hold, and their parameters in the order of their question marks. */
export interface Conditions {
  readonly texts: readonly string[];
  readonly params: readonly Value[];
  /** Whether an e-mail address or a phone number is asked for: then its index finds the few rows that there are. */
  readonly byKey: boolean;
  /** Whether this is one of the few texts that are asked for again and again: then its statement is worth keeping. */
  readonly repeats: boolean;
}

/** What pipelines and tasks will say of a contact: constants until they do. */
const laterNouns = {
  stage_id: "cast(null as bigint)",
  stage_kind: "cast(null as text)",
  value_cents: "cast(0 as bigint)",
  has_open_task: "(1 = 0)",
} as const satisfies Partial<Record<FilterField, string>>;

const columns = {
  ...laterNouns,
  id: "contacts.id",
  name: "contacts.name_key",
  first_name: "contacts.first_name",
  last_name: "contacts.last_name",
  email: "contacts.email_key",
  phone: "contacts.phone_key",
  phone_display: "contacts.phone_key",
  company: "contacts.company",
  source: "contacts.source",
  interest: "contacts.interest",
  address1: "contacts.address1",
  city: "contacts.city",
  state: "contacts.state",
  zip: "contacts.zip",
  timezone: "contacts.timezone",
  external_ref: "contacts.external_ref",
  dnd: "contacts.dnd",
  owner_user_id: "contacts.owner_id",
  created_at: "contacts.created_at",
  updated_at: "contacts.updated_at",
  last_activity_at: "contacts.last_activity_at",
} as const satisfies Record<Exclude<FilterField, "tag">, string>;

const comparisons = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;

/** How a text is compared: the column, what stands for a value, and the value as it is sent. */
interface TextForm {
  readonly column: string;
  readonly placeholder: string;
  readonly toParam: (text: string) => string;
}

export function compileFilters(reader: Reader<Place>, filters: ContactFilters): Conditions {
  const params: Value[] = [];

  /** Each question mark of `text` is `value`. */
  function bind(text: string, value: Value): string {
    params.push(...Array.from({ length: text.split("?").length - 1 }, () => value));
    return text;
  }

  function bindAll(placeholder: string, values: readonly Value[]): string {
    return values.map((value) => bind(placeholder, value)).join(", ");
  }

  function compile(condition: Condition): string {
    const { field, op, values } = condition;
    if (field === "tag") return compileTag(condition);
    const [value] = values;
    if (typeof value === "string") return compileText(textForm(field, op), condition);
    const column = columns[field];
    switch (op) {
      case "is_null":
        return isEmpty(field, value === true);
      case "eq":
      case "in":
        return `${column} in (${bindAll("?", values)})`;
      case "neq":
      case "nin":
        return `(${column} is null or ${column} not in (${bindAll("?", values)}))`;
      default:
        return bind(`${column} ${comparisons[op as keyof typeof comparisons]} ?`, value!);
    }
  }

  function compileText({ column, placeholder, toParam }: TextForm, { op, values }: Condition): string {
    const params = values.map((value) => toParam(value as string));
    switch (op) {
      case "contains":
        return bind(contains(reader, column, placeholder), params[0]!);
      case "starts_with":
        return bind(startsWith(reader, column, placeholder), params[0]!);
      case "neq":
      case "nin":
        return `(${column} is null or ${column} not in (${bindAll(placeholder, params)}))`;
      default:
        return `${column} in (${bindAll(placeholder, params)})`;
    }
  }

  function textForm(field: Exclude<FilterField, "tag">, op: Condition["op"]): TextForm {
    const column = columns[field];
    if (field === "name") return { column, placeholder: "?", toParam: fold };
    if (field === "email") return { column, placeholder: "?", toParam: emailKey };
    if (field === "phone" || field === "phone_display") {
      if (op !== "contains" && op !== "starts_with") {
        return { column, placeholder: "?", toParam: (text) => readPhone(text, reader.location.country).key ?? "" };
      }
      // A part of a number is no number: it is looked for in what people see.
      return foldedForm("contacts.phone_display");
    }
    return foldedForm(column);
  }

  function foldedForm(column: string): TextForm {
    return { column: folded(reader, column), placeholder: folded(reader, "?"), toParam: (text) => text };
  }

  /** Names and ids of tags may stand side by side. */
  function compileTag({ op, values }: Condition): string {
    if (op === "is_null") return `${values[0] === true ? "not " : ""}${appliedTag("1 = 1")}`;
    const names = values.filter((value) => typeof value === "string").map(fold);
    const form: TextForm = { column: "tags.name_key", placeholder: "?", toParam: (text) => text };
    if (op === "contains" || op === "starts_with") {
      return appliedTag(names.length === 0 ? "1 = 0" : compileText(form, { field: "tag", op, values: names }));
    }
    const ids = values.filter((value) => typeof value === "number");
    const either = [
      ...(names.length === 0 ? [] : [`tags.name_key in (${bindAll("?", names)})`]),
      ...(ids.length === 0 ? [] : [`tags.id in (${bindAll("?", ids)})`]),
    ];
    return `${op === "neq" || op === "nin" ? "not " : ""}${appliedTag(`(${either.join(" or ")})`)}`;
  }

  const texts = filters.map((group) => `(${group.map(compile).join(" or ")})`);
  const alone = filters.flatMap((group) => (group.length === 1 ? group : []));
  for (const since of alone.filter(isSince))
    texts.push(bind("contacts.last_activity_at >= ?", dayBefore(since.values[0] as Date)));
  return { texts, params, byKey: alone.some(isByKey), repeats: filters.length === 0 || isOneEquality(filters) };
}

/** Each field makes one such text. Of other filters there is no end, and what is best for them depends on their values. */
function isOneEquality([group = [], ...others]: ContactFilters): boolean {
  return others.length === 0 && group.length === 1 && group[0]!.op === "eq";
}

function isByKey({ field, op }: Condition): boolean {
  return (field === "email" || field === "phone" || field === "phone_display") && (op === "eq" || op === "in");
}

/** Whether only contacts since some moment are asked for. */
function isSince({ field, op }: Condition): boolean {
  return (field === "created_at" || field === "updated_at") && (op === "gt" || op === "gte");
}

/**
 * A contact that came or changed since then is active since then, so only the head of the list need be looked at. A day
 * forgives whatever two machines' clocks disagree about.
 */
function dayBefore(time: Date): Date {
  return new Date(Math.max(time.getTime() - 86_400_000, earliestTime));
}

/** A text is empty when it is "" as well: names that are unknown are. */
function isEmpty(field: Exclude<FilterField, "tag">, wanted: boolean): string {
  const column = columns[field];
  const mayBeBlank = field === "first_name" || field === "last_name";
  if (wanted) return mayBeBlank ? `(${column} is null or ${column} = '')` : `${column} is null`;
  return mayBeBlank ? `(${column} is not null and ${column} <> '')` : `${column} is not null`;
}

function appliedTag(condition: string): string {
  return `exists (select 1 from contact_tags join tags on tags.id = contact_tags.tag_id
    where contact_tags.contact_id = contacts.id and ${condition})`;
}
