/** The report of an import: counts, and the first rows of each kind by line. */
import type { FieldErrors } from "../../../vocabulary/errors.ts";
import type { EventName } from "../../../vocabulary/events.ts";
import type { ItemOutcome } from "../write/contact.plan.ts";
import type { CreatedField } from "./csv-custom-fields.ts";
import type { TriggeredWorkflow } from "./triggered-workflows.ts";

export interface ImportReport {
  created: number;
  updated: number;
  /** Rows that changed nothing. */
  unchanged: number;
  /** The number of refused rows. */
  refused_count: number;
  /** The first `shownRows` of them, by line, with their errors. */
  refused: { line: number; errors: FieldErrors }[];
  /** The number of rows that updated a contact matched by phone number only. */
  merged_by_phone_count: number;
  /** The first of them, with the contact's previous name; in a dry run `id` is null for contacts that would have been created. */
  merged_by_phone: { line: number; contact: { id: number | null; name: string } }[];
  /** The number of created tags, and the first of their names. */
  created_tags_count: number;
  created_tags: string[];
  /** The custom fields that were created for columns without a field. */
  created_fields: CreatedField[];
  /** Columns with unused values, and how many: the column has no field, or another column of the same field was used. */
  left_out: { column: string; values: number }[];
  /** The workflows whose trigger names an event of this import, oldest first. */
  workflows: ImportedStart[];
  /** The last processed line, if the import ended before the end of the file; null otherwise. */
  stopped_after_line: number | null;
}

/** What an import means to a workflow. */
export interface ImportedStart extends TriggeredWorkflow {
  /** The number of contacts that raised the event: the most for which it starts. */
  contacts: number;
}

/** The maximum number of rows of each kind, and of tags, in a report. */
const shownRows = 100;

/** Accumulates the report. */
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
    created_fields: [],
    left_out: [],
    workflows: [],
    stopped_after_line: null,
  };
  readonly #unused = new Map<number, number>();
  readonly #events = new Map<EventName, number>();
  readonly #triggered: readonly TriggeredWorkflow[];

  /** `triggered`: the workflows that events of contacts may start. */
  constructor(triggered: readonly TriggeredWorkflow[]) {
    this.#triggered = triggered;
  }

  /** Adds the row on `line`; `unused`: the columns of unused values. */
  add(line: number, unused: readonly number[], outcome: ItemOutcome): void {
    for (const index of unused) this.#unused.set(index, (this.#unused.get(index) ?? 0) + 1);
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

  /** Adds a row that an earlier import of the same file has written. */
  addKnown(): void {
    this.#report.unchanged += 1;
  }

  addTags(names: readonly string[]): void {
    this.#report.created_tags_count += names.length;
    this.#report.created_tags.push(...names.slice(0, shownRows - this.#report.created_tags.length));
  }

  addFields(fields: readonly CreatedField[]): void {
    this.#report.created_fields.push(...fields);
  }

  /** Adds the contacts of a batch by the events that they raise. */
  addEvents(events: ReadonlyMap<EventName, number>): void {
    for (const [event, contacts] of events) this.#events.set(event, (this.#events.get(event) ?? 0) + contacts);
  }

  /** The report so far, with column names. */
  conclude(columns: readonly string[], stoppedAfterLine: number | null): ImportReport {
    const left_out = [...this.#unused]
      .toSorted(([a], [b]) => a - b)
      .map(([index, values]) => ({ column: columns[index] ?? `column ${index + 1}`, values }));
    const workflows = this.#triggered
      .map((workflow) => ({ ...workflow, contacts: this.#events.get(workflow.event) ?? 0 }))
      .filter(({ contacts }) => contacts > 0);
    return { ...this.#report, left_out, workflows, stopped_after_line: stoppedAfterLine };
  }
}
