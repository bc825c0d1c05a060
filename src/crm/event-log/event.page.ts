/** Builds a page of the event log from slices, each read by its own statement. */
import { unpackKept } from "../../events/payloads/stored-payload.ts";
import type { StoredPayload } from "../../events/payloads/stored-payload.ts";
import { limits } from "../../vocabulary/limits.ts";
import type { EventLogPage, LoggedEventRow } from "./event.view.ts";

/** The state of the log at the time of a read. */
export interface LogState {
  readonly log_end: number;
  readonly forgotten: number;
  /** The number of events scanned, and the position of the last. */
  readonly scanned: number;
  readonly scanned_to: number | null;
}

/** A row of the result: the state with an event, or alone if the slice is empty. */
export interface PageRow extends LogState, Omit<LoggedEventRow, "id" | "data"> {
  readonly id: number | null;
  /** null if the page would exceed the response size with this event. */
  readonly data: StoredPayload | null;
}

type FoundRow = LogState & Omit<LoggedEventRow, "data"> & { readonly data: string | null };

export function foundIn(rows: readonly PageRow[]): FoundRow[] {
  return rows.flatMap(({ id, data, ...row }) => (id === null ? [] : { ...row, id, data: unpackKept(data) }));
}

export class EventPageBuilder {
  /** Everything up to this position has been scanned. */
  from: number;
  readonly #events: LoggedEventRow[] = [];
  #bytes = 0;
  #hasBegun = false;

  constructor(from: number) {
    this.from = from;
  }

  /** The remaining events and bytes of the page; an empty page accepts one event of any size. */
  room(most: number): readonly [events: number, bytes: number, isEmpty: boolean] {
    return [most - this.#events.length, limits.eventPageBytes - this.#bytes, this.#events.length === 0];
  }

  /** Adds the events found in a slice of `scan` events; returns the page when it is complete, undefined if another slice is needed. */
  add(
    found: readonly FoundRow[],
    state: LogState,
    { scan, limit }: { readonly scan: number; readonly limit: number },
  ): EventLogPage | undefined {
    // Payloads were pruned since the last slice: end the page here. The reader's next request is refused.
    if (this.#hasBegun && this.from < state.forgotten) return this.endEarly();
    this.#hasBegun = true;
    for (const event of found) {
      const last = this.#events.at(-1);
      if (last !== undefined && (event.data === null || this.#events.length === limit)) {
        return { events: this.#events, last_position: last.position, has_more: true };
      }
      this.#events.push(event as LoggedEventRow);
      this.#bytes += Buffer.byteLength(event.data!);
    }
    if (state.scanned < scan) return { events: this.#events, last_position: state.log_end, has_more: false };
    this.from = state.scanned_to!;
    return undefined;
  }

  /** Ends the page early; the log has more. */
  endEarly(): EventLogPage {
    return { events: this.#events, last_position: this.from, has_more: true };
  }
}
