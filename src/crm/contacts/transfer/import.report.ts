/** What an import tells in the end: counts of everything, and the first rows of each kind by their lines. */
import type { FieldErrors } from "../../../vocabulary/errors.ts";
import type { ItemOutcome } from "../write/contact.plan.ts";

export interface ImportReport {
  created: number;
  updated: number;
  /** Rows that say what is known already. */
  unchanged: number;
  /** How many rows were not imported. */
  refused_count: number;
  /** The first of them, by the line each begins on, and why: as many as somebody reads, whatever the size of the file. */
  refused: { line: number; errors: FieldErrors }[];
  /** How many rows changed a contact that nothing but their phone number found. */
  merged_by_phone_count: number;
  /** The first of them, and whom they changed, by the name before; in a rehearsal `id` is null for whom it would have made. */
  merged_by_phone: { line: number; contact: { id: number | null; name: string } }[];
  /** How many tags were made, and the first of their names. */
  created_tags_count: number;
  created_tags: string[];
  /** Columns with values that went nowhere, and how many: no field, or a better column of the same field was filled. */
  left_out: { column: string; values: number }[];
  /** The last line that was dealt with, where the import ended before the file did; null where it reached the end. */
  stopped_after_line: number | null;
}

/** How many rows of one kind a report shows, and how many tags. */
const shownRows = 100;

/** A report that grows with each row that is dealt with. */
export class ImportTally {
  readonly #report: ImportReport = {
    created: 0,
    updated: 0,
    unchanged: 0,
    refused_count: 0,
    refused: [],
    merged_by_phone_count: 0,
    merged_by_phone: [],
    created_tags_count: 0,
    created_tags: [],
    left_out: [],
    stopped_after_line: null,
  };
  readonly #leftOut = new Map<number, number>();

  /** The row that begins on `line` and had no use for the values at `unused`. */
  add(line: number, unused: readonly number[], outcome: ItemOutcome): void {
    for (const place of unused) this.#leftOut.set(place, (this.#leftOut.get(place) ?? 0) + 1);
    const report = this.#report;
    if (outcome.outcome === "refused") {
      report.refused_count += 1;
      if (report.refused.length < shownRows) report.refused.push({ line, errors: outcome.errors });
      return;
    }
    report[outcome.outcome] += 1;
    if (outcome.outcome !== "updated" || outcome.found?.by !== "phone") return;
    report.merged_by_phone_count += 1;
    if (report.merged_by_phone.length === shownRows) return;
    report.merged_by_phone.push({ line, contact: { id: outcome.contact.id ?? null, name: outcome.found.name } });
  }

  /** A row that an earlier import of the same file has written. */
  addKnown(): void {
    this.#report.unchanged += 1;
  }

  addTags(names: readonly string[]): void {
    this.#report.created_tags_count += names.length;
    this.#report.created_tags.push(...names.slice(0, shownRows - this.#report.created_tags.length));
  }

  /** The report as it stands, its columns by name. */
  conclude(columns: readonly string[], stoppedAfterLine: number | null): ImportReport {
    const left_out = [...this.#leftOut]
      .toSorted(([a], [b]) => a - b)
      .map(([place, values]) => ({ column: columns[place] ?? `column ${place + 1}`, values }));
    return { ...this.#report, left_out, stopped_after_line: stoppedAfterLine };
  }
}
