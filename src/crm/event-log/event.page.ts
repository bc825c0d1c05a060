/** A page of the event log that is put together piece by piece, each read at a moment of its own. */
import { limits } from "../../vocabulary/limits.ts";
import type { EventLogPage, LoggedEventRow } from "./event.view.ts";

/** Where the log stands. */
export interface LogState {
  readonly log_end: number;
  readonly forgotten: number;
  /** How many events were looked through, and the place of the last. */
  readonly scanned: number;
  readonly scanned_to: number | null;
}

/** The same beside each event of a piece, or beside none. */
export interface PageRow extends LogState, Omit<LoggedEventRow, "id" | "data"> {
  readonly id: number | null;
  /** null where the page has more bytes than an answer, this event included. */
  readonly data: string | null;
}

type FoundRow = PageRow & LoggedEventRow;

export function isFound(row: PageRow): row is FoundRow {
  return row.id !== null;
}

export class OpenPage {
  /** Everything up to here was looked through. */
  from: number;
  readonly #events: LoggedEventRow[] = [];
  #bytes = 0;
  #hasBegun = false;

  constructor(from: number) {
    this.from = from;
  }

  /** For how many events there is room, and for how many bytes; and whether one event is given however many it has. */
  room(most: number): readonly [events: number, bytes: number, isEmpty: boolean] {
    return [most - this.#events.length, limits.eventPageBytes - this.#bytes, this.#events.length === 0];
  }

  /** Takes in what was found in a piece of `scan` events; gives the page when it is at its end, undefined where the next piece follows. */
  take(
    found: readonly FoundRow[],
    state: LogState,
    { scan, limit }: { readonly scan: number; readonly limit: number },
  ): EventLogPage | undefined {
    // Payloads that were forgotten since the last piece are missed: the reader is told when it reads on from there.
    if (this.#hasBegun && this.from < state.forgotten) return this.endHere();
    this.#hasBegun = true;
    for (const event of found) {
      const last = this.#events.at(-1);
      if (last !== undefined && (event.data === null || this.#events.length === limit)) {
        return { events: this.#events, last_position: last.position, has_more: true };
      }
      this.#events.push(event);
      this.#bytes += Buffer.byteLength(event.data);
    }
    if (state.scanned < scan) return { events: this.#events, last_position: state.log_end, has_more: false };
    this.from = state.scanned_to!;
    return undefined;
  }

  /** What there is so far; the log goes on. */
  endHere(): EventLogPage {
    return { events: this.#events, last_position: this.from, has_more: true };
  }
}
