/** Exact imports: restores the times of exported rows, and skips rows that an interrupted import has already written. */
import { z } from "zod";
import type { LocationContext, Reader } from "../../../events/caller.ts";
import { nullableTimestamp } from "../../../kit/input/fields.ts";
import { Invalid } from "../../../vocabulary/errors.ts";
import { exportContacts, exportedColumns, toCells } from "./contact.export.ts";
import type { ColumnMapping } from "./csv-columns.ts";

/** Columns that other imports ignore. */
const timeColumns = ["created_at", "updated_at"] as const;

const time = nullableTimestamp().transform((value, context) => {
  const message = value instanceof Date ? "must not be before 1970." : "is required.";
  if (value instanceof Date && value.getTime() >= 0) return value.getTime();
  context.issues.push({ code: "custom", input: value, message });
  return z.NEVER;
});

export const exactTimes = z
  .object({ created_at: time, updated_at: time })
  .refine(({ created_at, updated_at }) => created_at <= updated_at, {
    path: ["updated_at"],
    error: "must not be before created_at.",
  });

export type ExactTimes = z.output<typeof exactTimes>;

export interface ExactRows {
  /** The input for `exactTimes`. */
  timesOf(cells: readonly string[]): Record<string, string | undefined>;
  /** Whether the row was imported before, that is, equals the next contact of the location. Refuses contacts that are not in the file. */
  isKnown(cells: readonly string[]): Promise<boolean>;
  /** Refuses further contacts of the location after the end of the file. */
  finish(): Promise<void>;
}

/**
 * For a file written by `crm contacts export`, and a location that is empty or holds the first rows of the same file. Refuses, on `file`, a
 * missing column, and on `map`, remapped columns.
 */
export function readExactRows(
  reader: Reader<LocationContext>,
  { columns, columnsByField, tags }: ColumnMapping,
  map: Readonly<Record<string, string>>,
): ExactRows {
  if (Object.values(map).some((field) => field.trim() !== "")) {
    throw new Invalid({ map: ["An exact import can omit columns (COLUMN=), but not map them to other fields."] });
  }
  const missing = exportedColumns.filter((name) => name !== "id" && !columns.includes(name));
  if (missing.length > 0) {
    throw new Invalid({
      file: [
        `An exact import needs a file written by "crm contacts export"; this one lacks the column ${missing.join(", ")}.`,
      ],
    });
  }
  const read = [...columnsByField.keys(), ...(tags.length > 0 ? (["tags"] as const) : []), ...timeColumns];
  const compared = read.map((name) => ({ name, index: columns.indexOf(name) }));
  const existing = exportContacts(reader);
  let next = existing.next();

  return {
    timesOf: (cells) => Object.fromEntries(timeColumns.map((name) => [name, cells[columns.indexOf(name)]])),
    async isKnown(cells) {
      const { done, value: contact } = await next;
      if (done) return false;
      const written = toCells(contact);
      if (compared.some(({ name, index }) => (cells[index] ?? "") !== String(written[name] ?? "")))
        throw otherContacts();
      next = existing.next();
      return true;
    },
    async finish() {
      if (!(await next).done) throw otherContacts();
    },
  };
}

function otherContacts(): Invalid {
  return new Invalid({
    file: [
      "The location has contacts that are not in this file. An exact import needs an empty location, or one with an interrupted import of the same file.",
    ],
  });
}
