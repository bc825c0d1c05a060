/** Custom values as cells of CSV files and arguments of commands: a text, converted by the type of the field. */
import { toBoolean } from "../../kit/csv/csv-boolean.ts";
import { escapeFormula } from "../../kit/csv/csv-formulas.ts";
import { readList, writeList } from "../../kit/csv/csv-list.ts";
import type { CustomField, CustomValue } from "./custom-value.ts";

/** Reads a cell that is not empty. What cannot be converted stays text, which the write path refuses. */
export function readCustomCell({ type }: Pick<CustomField, "type">, cell: string): unknown {
  switch (type) {
    case "number":
    case "money":
      return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(cell) ? Number(cell) : cell;
    case "boolean":
      return toBoolean(cell);
    case "multiselect":
      return readList(cell);
    default:
      return cell;
  }
}

/** Escapes formulas. */
export function writeCustomCell(value: CustomValue): string | number | boolean | null {
  if (Array.isArray(value)) return escapeFormula(writeList(value));
  return typeof value === "string" ? escapeFormula(value) : value;
}
