/** The receipt of an erasure as the API shows it: ids and numbers alone. */
import { z } from "zod";
import { toTimestamp } from "../../kit/time/timestamp.ts";

const statuses = ["running", "done"] as const;

export const erasureView = z
  .object({
    contact_id: z.int(),
    contact_ids: z.array(z.int()).describe("The contact, and all that were merged into it."),
    status: z.enum(statuses).describe("`running` while the worker still removes data."),
    started_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
    removed: z.record(z.string(), z.int()).describe("How many records were removed or emptied, by noun."),
  })
  .meta({
    id: "ContactErasure",
    description: "The receipt of a contact that is forgotten.",
    examples: [
      {
        contact_id: 2,
        contact_ids: [2, 7],
        status: "done",
        started_at: "2026-03-02T09:00:00.000000Z",
        finished_at: "2026-03-02T09:00:00.000000Z",
        removed: { contacts: 2, notes: 3, messages: 12, files: 1, events: 31 },
      },
    ],
  });

export type ErasureView = z.output<typeof erasureView>;

/** The selected row. Times in milliseconds. */
export interface ErasureRow {
  readonly id: number;
  readonly location_id: number;
  readonly contact_id: number;
  readonly contact_ids: string;
  readonly step: string;
  readonly place: number;
  readonly reached: number;
  readonly removed: string;
  readonly started_at: number;
  readonly finished_at: number | null;
}

export function toErasure(row: ErasureRow): ErasureView {
  const { contact_id, started_at, finished_at } = row;
  return {
    contact_id,
    contact_ids: JSON.parse(row.contact_ids) as number[],
    status: finished_at === null ? "running" : "done",
    started_at: toTimestamp(started_at),
    finished_at: finished_at === null ? null : toTimestamp(finished_at),
    removed: JSON.parse(row.removed) as Record<string, number>,
  };
}
