/** Custom fields in CSV files: their columns, which an import finds by key or name, and their cells. */
import { escapeFormula } from "../../../kit/csv/csv-formulas.ts";
import type { CustomField, CustomValue } from "../../custom-fields/custom-value.ts";
import { toBoolean } from "./csv-values.ts";
import { readTags, writeTags } from "./csv-tags.ts";

const prefix = "custom.";

/** The header of a column: `custom.plan`, so that no key is taken for a field of contacts. */
export function customHeader(key: string): string {
  return `${prefix}${key}`;
}

/** The field of a header: its key with or without `custom.`, or its name; case and spacing do not matter. */
export function fieldOfHeader(header: string, defined: readonly CustomField[]): CustomField | undefined {
  const key = reduce(header.trim().replace(/^custom\./i, ""));
  if (key === "") return undefined;
  return defined.find((field) => reduce(field.key) === key) ?? defined.find((field) => reduce(field.name) === key);
}

function reduce(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/** Reads a cell that is not empty. What cannot be converted stays text, which the write path refuses. */
export function readCustomCell({ type }: CustomField, cell: string): unknown {
  switch (type) {
    case "number":
    case "money":
      return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(cell) ? Number(cell) : cell;
    case "boolean":
      return toBoolean(cell);
    case "multiselect":
      return readTags(cell);
    default:
      return cell;
  }
}

export function writeCustomCell(value: CustomValue): string | number | boolean | null {
  if (Array.isArray(value)) return escapeFormula(writeTags(value));
  return typeof value === "string" ? escapeFormula(value) : value;
}
