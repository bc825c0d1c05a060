/** Rows of an export that are read back as they were: their times, and which of them an interrupted import has written already. */
import { z } from "zod";
import type { LocationContext, Reader } from "../../../events/caller.ts";
import { nullableTimestamp } from "../../../kit/input/fields.ts";
import { Invalid } from "../../../vocabulary/errors.ts";
import { exportContacts, exportedColumns, toCells } from "./contact.export.ts";
import type { ColumnMapping } from "./csv-columns.ts";

/** Columns that an import otherwise passes over. */
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
  /** What the row gives for `exactTimes`. */
  timesOf(cells: readonly string[]): Record<string, string | undefined>;
  /** Whether the row was imported before: it is the next one that the location holds. Refuses contacts that are not of the file. */
  isKnown(cells: readonly string[]): Promise<boolean>;
  /** Refuses contacts of the location beyond the end of the file. */
  finish(): Promise<void>;
}

/**
 * The rows of a file that `crm contacts export` wrote, for a location that is empty or holds the beginning of the same file. Refuses,
 * on `file`, one that lacks a column, and on `map`, a column that is given another meaning.
 */
export function readExactRows(
  reader: Reader<LocationContext>,
  { columns, places, tags }: ColumnMapping,
  map: Readonly<Record<string, string>>,
): ExactRows {
  if (Object.values(map).some((field) => field.trim() !== "")) {
    throw new Invalid({ map: ["An exact import can leave columns out (COLUMN=), and give none another meaning."] });
  }
  const missing = exportedColumns.filter((name) => name !== "id" && !columns.includes(name));
  if (missing.length > 0) {
    throw new Invalid({
      file: [
        `An exact import takes what "crm contacts export" wrote: the file lacks the column ${missing.join(", ")}.`,
      ],
    });
  }
  const read = [...places.keys(), ...(tags.length > 0 ? (["tags"] as const) : []), ...timeColumns];
  const compared = read.map((name) => ({ name, place: columns.indexOf(name) }));
  const there = exportContacts(reader);
  let next = there.next();

  return {
    timesOf: (cells) => Object.fromEntries(timeColumns.map((name) => [name, cells[columns.indexOf(name)]])),
    async isKnown(cells) {
      const { done, value: contact } = await next;
      if (done) return false;
      const written = toCells(contact);
      if (compared.some(({ name, place }) => (cells[place] ?? "") !== String(written[name] ?? "")))
        throw otherContacts();
      next = there.next();
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
      "The location has contacts that are not of this file: an exact import takes an empty location, or one in which an import of the same file was interrupted.",
    ],
  });
}
