/** A merge as the API shows it. */
import { z } from "zod";
import { pageOf } from "../../../kit/page-shapes.ts";
import { toTimestamp } from "../../../kit/time/timestamp.ts";

const statuses = ["running", "done"] as const;

const mergeView = z
  .object({
    contact_id: z.int().describe("The contact that is gone; its id stands for the one that remains."),
    status: z.enum(statuses).describe("`running` while some of its records are still to be moved."),
    started_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
  })
  .meta({
    id: "ContactMerge",
    examples: [
      {
        contact_id: 2,
        status: "done",
        started_at: "2026-03-02T09:00:00.000000Z",
        finished_at: "2026-03-02T09:00:00.000000Z",
      },
    ],
  });

export type MergeView = z.output<typeof mergeView>;

export const mergeListView = pageOf(mergeView).meta({
  id: "ContactMergeList",
  description: "The contacts that were merged into one, newest first.",
});

/** Times in milliseconds. */
export interface MergeRow {
  readonly id: number;
  readonly merged_contact_id: number;
  readonly started_at: number;
  readonly finished_at: number | null;
}

export function toMerge({ merged_contact_id, started_at, finished_at }: MergeRow): MergeView {
  return {
    contact_id: merged_contact_id,
    status: finished_at === null ? "running" : "done",
    started_at: toTimestamp(started_at),
    finished_at: finished_at === null ? null : toTimestamp(finished_at),
  };
}
