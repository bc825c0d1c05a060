/** A step of an erasure: it removes one kind of records, a bounded piece at a time. */
import type { Blobs } from "../../../blobs/blobs.ts";
import type { Change, LocationContext } from "../../../events/caller.ts";
import type { Rows } from "../../../storage/rows.ts";

/** What a step knows of its erasure. */
export interface ErasureScope {
  /** The contact that the others were merged into. */
  readonly contactId: number;
  /** That contact and all others, and the same as a JSON list. */
  readonly contactIds: readonly number[];
  readonly list: string;
  /** The place in `contactIds` and the last id that is done, for steps that go through records in an order. 0 at first. */
  readonly place: number;
  readonly reached: number;
}

export interface Piece {
  /** Where the next piece begins, of this step or of an earlier one; null once the step is done. `waits`: something is under way; try again in a second. */
  readonly next: { readonly step?: string; readonly place: number; readonly reached: number } | null | "waits";
  /** Noun → the number of records that this piece removed or emptied. */
  readonly removed?: Readonly<Record<string, number>>;
}

export interface ErasureStep {
  /** Stored with the progress. */
  readonly name: string;
  /** Work outside of the transaction that is safe to repeat, such as removing files. Its ids are given to `piece`. */
  readonly prepare?: (rows: Rows, scope: ErasureScope, blobs: Pick<Blobs, "remove">) => Promise<readonly number[]>;
  readonly piece: (change: Change<LocationContext>, scope: ErasureScope, prepared: readonly number[]) => Promise<Piece>;
}

/** The next piece of a step that handles the records of one contact after another, by id; `ids` are those of this piece, `most` at the most. */
export function afterIds({ contactIds, place }: ErasureScope, ids: readonly number[], most: number): Piece["next"] {
  if (ids.length === most) return { place, reached: ids.at(-1)! };
  return place + 1 < contactIds.length ? { place: place + 1, reached: 0 } : null;
}
