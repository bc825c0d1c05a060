/** Compiles conditions on custom fields to SQL. The key of a value is that of custom_values, so that one index serves equality and ranges. */
import { textKey } from "../../../../kit/text-key.ts";
import { fold } from "../../../../kit/text.ts";
import { joinSql, sql } from "../../../../storage/sql-text.ts";
import type { SqlText } from "../../../../storage/sql-text.ts";
import { numberKey } from "../../../custom-fields/custom-value.ts";
import type { FilterColumn } from "../contact.filter-fields.ts";
import type { Condition } from "../contact.filters.ts";
import { matchesSubstring } from "../substring.ts";
import type { Bind } from "../substring.ts";

type Custom = NonNullable<FilterColumn["custom"]>;

const comparisons = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;

/** The types of fields that values of a JavaScript type are compared with: the keys of other types mean something else. */
const typesOf = {
  number: "'number', 'money'",
  boolean: "'boolean'",
  string: "'text', 'long_text', 'url', 'select', 'multiselect', 'date'",
} as const;
const textTypes = "'text', 'long_text', 'url', 'select', 'multiselect'";

/** The condition on a contact. */
export function compileCustom(condition: Condition, custom: Custom, bind: Bind): SqlText {
  const { op, values } = condition;
  const isNegative = op === "neq" || op === "nin" || (op === "is_null" && values[0] === true);
  const positive = { ...condition, op: op === "neq" || op === "nin" ? ("in" as const) : op };
  const match = op === "is_null" ? ofField(custom, undefined, bind) : compileCustomMatch(positive, custom, bind)!;
  return sql`${isNegative ? "not " : ""}exists (select 1 from custom_values where custom_values.contact_id = contacts.id and ${match})`;
}

/** The condition on a row of custom_values; undefined for conditions that hold without a row. */
export function compileCustomMatch({ op, values }: Condition, custom: Custom, bind: Bind): SqlText | undefined {
  if (op === "neq" || op === "nin" || op === "is_null") return undefined;
  const [first] = values;
  if (op === "contains" || op === "starts_with") {
    const field = ofField(custom, textTypes, bind);
    const part = { key: sql`coalesce(custom_values.long_key, custom_values.key)`, fold };
    return sql`${field} and ${matchesSubstring(op, part, first as string, bind)}`;
  }
  const field = ofField(custom, op === "eq" || op === "in" ? typesOf[typeOf(first)] : orderedTypes(first), bind);
  const keys = values.map((value) => bind(keyOf(value)));
  if (op === "eq" || op === "in") return sql`${field} and custom_values.key in (${joinSql(keys, ", ")})`;
  return sql`${field} and custom_values.key ${comparisons[op]} ${keys[0]!}`;
}

/** A subquery that refers to nothing outside, so that it runs once. */
function ofField({ key, locationId }: Custom, types: string | undefined, bind: Bind): SqlText {
  return sql`custom_values.location_id = ${bind(locationId)} and custom_values.field_id = (select custom_fields.id
    from custom_fields join locations on locations.workspace_id = custom_fields.workspace_id
    where locations.id = ${bind(locationId)} and custom_fields.subject = 'contact' and custom_fields.key = ${bind(key)}${
      types === undefined ? "" : ` and custom_fields.type in (${types})`
    })`;
}

function typeOf(value: unknown): keyof typeof typesOf {
  return typeof value as keyof typeof typesOf;
}

function orderedTypes(value: unknown): string {
  return typeof value === "number" ? typesOf.number : "'date'";
}

function keyOf(value: unknown): string {
  return typeof value === "number" ? numberKey(value) : typeof value === "string" ? textKey(value) : String(value);
}
