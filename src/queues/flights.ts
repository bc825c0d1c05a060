/** The sends of this process that are in flight, and the results of those that ended, until they are recorded. */
import { countSend } from "../kit/observing/work-counts.ts";
import type { SendCounts } from "../kit/observing/work-counts.ts";
import { inSlice } from "../kit/waiting/time-slice.ts";
import type { AdaptiveConcurrency } from "./adaptive-concurrency.ts";

/** How items of a queue are sent. */
export interface SendItem<Item extends { readonly id: number }, End> {
  /** Name of the duty, for the log. */
  readonly name: string;
  readonly allowances: AdaptiveConcurrency;
  readonly counts: SendCounts;
  holderOf(item: Item): number;
  /** Always resolves, within a bounded time; `signal` aborts the send, whose result is then unknown. */
  send(item: Item, signal: AbortSignal): Promise<End>;
  /** Undefined for an item that was released. */
  hasSucceeded(end: End): boolean | undefined;
}

/** One per claim: an item may be due and claimed again before this process learns that its result is recorded. */
interface Flight {
  readonly id: number;
  readonly stop: AbortController;
}

export interface Ended<End> {
  readonly flight: Flight;
  readonly end: End;
}

export interface Flights<Item, End> {
  /** Until the result is recorded. */
  size(): number;
  /** Those with a result. */
  ended(): number;
  ids(): number[];
  /** `pastQueue`: it was not queued, and does not wait behind those that were. */
  start(item: Item, options: { readonly pastQueue: boolean }): void;
  take(): Ended<End>[];
  /** Gives results back that could not be recorded. */
  giveBack(results: readonly Ended<End>[]): void;
  recorded(results: readonly Ended<End>[]): void;
  /** The results of what is aborted follow at once. */
  abort(): void;
}

/** Within this many milliseconds a send begins, however busy the process is: leases, from the claim on, end a second after the longest answer. */
const longestUntilBegun = 250;

/** Calls `ended` for each result, with whether it makes room for another item of its holder. */
export function createFlights<Item extends { readonly id: number }, End>(
  { name, allowances, counts, holderOf, send, hasSucceeded }: SendItem<Item, End>,
  ended: (result: { readonly madeRoom: boolean }) => void,
): Flights<Item, End> {
  const flights = new Set<Flight>();
  let results: Ended<End>[] = [];

  async function fly(item: Item, flight: Flight, sliceName: string): Promise<void> {
    let begun = 0;
    const begin = async (): Promise<End> => {
      begun = performance.now();
      return send(item, flight.stop.signal);
    };
    // A turn that starts hundreds does not block this process meanwhile, nor what passes the queue.
    const end = await inSlice(sliceName, begin, { longest: longestUntilBegun });
    const succeeded = hasSucceeded(end);
    const { madeRoom } = allowances.ended(holderOf(item), succeeded, performance.now() - begun);
    countSend(counts, succeeded);
    results.push({ flight, end });
    ended({ madeRoom });
  }

  return {
    size: () => flights.size,
    ended: () => results.length,
    ids: () => [...flights].map(({ id }) => id),
    start(item, { pastQueue }) {
      const flight = { id: item.id, stop: new AbortController() };
      flights.add(flight);
      allowances.took(holderOf(item));
      void fly(item, flight, pastQueue ? `${name} at once` : name);
    },
    take() {
      const taken = results;
      results = [];
      return taken;
    },
    giveBack(given) {
      results = [...given, ...results];
    },
    recorded(given) {
      for (const { flight } of given) flights.delete(flight);
    },
    abort() {
      for (const { stop } of flights) stop.abort();
    },
  };
}
