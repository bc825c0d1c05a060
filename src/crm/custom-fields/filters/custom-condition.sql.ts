/** Compiles conditions on custom fields to SQL. The key of a value is that of custom_values, so that one index serves equality and ranges. */
import { textKey } from "../../../kit/text-key.ts";
import { fold } from "../../../kit/text.ts";
import { joinSql, sql } from "../../../storage/sql-text.ts";
import type { SqlText } from "../../../storage/sql-text.ts";
import { contains, startsWith } from "../../../storage/reading/text-matching.ts";
import type { Value } from "../../../storage/value.ts";
import type { CustomFieldSubject } from "../../../vocabulary/custom-fields.ts";
import type { CustomCondition } from "./custom-condition.ts";
import { numberKey } from "../custom-value.ts";
import { valueTables } from "../custom-value.ts";

/** Binds a value and returns its placeholder. */
type BindValue = (value: Value) => SqlText;

/** A custom field, by its key in the workspace of a location. */
export interface CustomColumn {
  readonly subject: CustomFieldSubject;
  readonly key: string;
  readonly locationId: number;
}

interface CustomComparison {
  readonly op: CustomCondition["op"];
  readonly values: readonly unknown[];
}

/** The table of the records that have the values. */
const recordTables = { contact: "contacts", opportunity: "opportunities" } as const;

const comparisons = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;

/** The types of fields that values of a JavaScript type are compared with: the keys of other types mean something else. */
const typesOf = {
  number: "'number', 'money'",
  boolean: "'boolean'",
  string: "'text', 'long_text', 'url', 'select', 'multiselect', 'date'",
} as const;
const textTypes = "'text', 'long_text', 'url', 'select', 'multiselect'";

/** The condition on a record. */
export function compileCustom(condition: CustomComparison, custom: CustomColumn, bind: BindValue): SqlText {
  const { op, values } = condition;
  const isNegative = op === "neq" || op === "nin" || (op === "is_null" && values[0] === true);
  const positive = { ...condition, op: op === "neq" || op === "nin" ? ("in" as const) : op };
  const match = op === "is_null" ? ofField(custom, undefined, bind) : compileCustomMatch(positive, custom, bind)!;
  const { table, column } = valueTables[custom.subject];
  const isOwn = `${table}.${column} = ${recordTables[custom.subject]}.id`;
  return sql`${isNegative ? "not " : ""}exists (select 1 from ${table} where ${isOwn} and ${match})`;
}

/** The condition on a row of the values; undefined for conditions that hold without a row. */
export function compileCustomMatch(
  { op, values }: CustomComparison,
  custom: CustomColumn,
  bind: BindValue,
): SqlText | undefined {
  if (op === "neq" || op === "nin" || op === "is_null") return undefined;
  const [first] = values;
  const { table } = valueTables[custom.subject];
  if (op === "contains" || op === "starts_with") {
    const field = ofField(custom, textTypes, bind);
    const text = sql`coalesce(${table}.long_key, ${table}.key)`;
    const folded = bind(fold(first as string));
    return sql`${field} and ${op === "contains" ? contains(text, folded) : startsWith(text, folded)}`;
  }
  const field = ofField(custom, op === "eq" || op === "in" ? typesOf[typeOf(first)] : orderedTypes(first), bind);
  const keys = values.map((value) => bind(keyOf(value)));
  if (op === "eq" || op === "in") return sql`${field} and ${table}.key in (${joinSql(keys, ", ")})`;
  return sql`${field} and ${table}.key ${comparisons[op]} ${keys[0]!}`;
}

/** A subquery that refers to nothing outside, so that it runs once. */
function ofField({ subject, key, locationId }: CustomColumn, types: string | undefined, bind: BindValue): SqlText {
  const { table } = valueTables[subject];
  return sql`${table}.location_id = ${bind(locationId)} and ${table}.field_id = (select custom_fields.id
    from custom_fields join locations on locations.workspace_id = custom_fields.workspace_id
    where locations.id = ${bind(locationId)} and custom_fields.subject = '${subject}' and custom_fields.key = ${bind(key)}${
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
