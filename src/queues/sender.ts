/**
 * Keeps what waits for the network under way: one turn after the other writes down what came of the last ones and takes what is due, in
 * one transaction, while the network does the waiting.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { createWakeSignal } from "../kit/waiting/wake-signal.ts";
import type { Duty } from "../kit/duty.ts";
import type { Clock } from "../kit/time/clock.ts";
import type { Allowances } from "./allowances.ts";
import { createLoadShedder } from "./load-shedding.ts";

/** How many to take of a holder for whom something is due. */
export interface Share<Due> {
  readonly due: Due;
  readonly take: number;
}

/** What is sent, and how: deliveries to webhooks, messages over channels, posts of workflows. */
export interface Sending<Due, Item extends { readonly id: number }, End> {
  /** Of the duty, for the log. */
  readonly name: string;
  readonly clock: Clock;
  readonly allowances: Allowances;
  /** The holders that have something due and are none of `full`, whoever waited longest first. Holds nothing. */
  findDue(now: Date, full: readonly number[]): Promise<readonly Due[]>;
  /** When something is due next; null while nothing waits. */
  findNextDue(): Promise<Date | null>;
  /** Who a holder is, and whether it was failing before this process knew it. */
  standingOf(due: Due): { readonly holder: number; readonly isFailing: boolean };
  /** Writes down what ended and takes as much as the shares say; resolves when both are on disk. */
  settleAndClaim(turn: {
    readonly ended: readonly End[];
    readonly shares: readonly Share<Due>[];
    readonly now: Date;
  }): Promise<readonly Item[]>;
  holderOf(item: Item): number;
  /** Resolves in any case and within a bounded time; `signal` ends it at once, and nobody knows what came of it. */
  send(item: Item, signal: AbortSignal): Promise<End>;
  /** Undefined for one that was given back. */
  hasSucceeded(end: End): boolean | undefined;
}

interface QueueSender {
  readonly duty: Duty;
  /** What this process has under way: its leases are not taken for those of the dead. */
  flying(): number[];
}

/** The most that begin in one turn. */
const mostOfTurn = 256;
/** Ends that come within so many milliseconds of each other, and up to so many, are written down in one turn. */
const gatherMilliseconds = 4;
/** The same where it gives way: fewer and larger turns are cheaper. */
const gatherBesideOthers = 25;
const mostGathered = 64;
/** How long what is under way may go on when the worker stops, in milliseconds; then it is given back. */
const grace = 5000;

export function createSender<Due, Item extends { readonly id: number }, End>(
  sending: Sending<Due, Item, End>,
): QueueSender {
  const { name, clock, allowances } = sending;
  const bell = createWakeSignal();
  const way = createLoadShedder();
  const flights = new Map<number, AbortController>();
  let ended: { readonly id: number; readonly end: End }[] = [];

  function start(item: Item): void {
    const stop = new AbortController();
    flights.set(item.id, stop);
    allowances.took(sending.holderOf(item));
    void finish(item, stop.signal);
  }

  async function finish(item: Item, signal: AbortSignal): Promise<void> {
    const end = await sending.send(item, signal);
    allowances.ended(sending.holderOf(item), sending.hasSucceeded(end));
    ended.push({ id: item.id, end });
    bell.ring();
  }

  /** As even a share of what is free as the holders' own room allows. */
  function share(found: readonly Due[], room: number): Share<Due>[] {
    const shares: Share<Due>[] = [];
    let left = Math.min(mostOfTurn, allowances.free(), room);
    for (const [place, due] of found.entries()) {
      const even = Math.ceil(left / (found.length - place));
      const { holder, isFailing } = sending.standingOf(due);
      const take = Math.min(even, allowances.roomFor(holder, isFailing));
      if (take > 0) shares.push({ due, take });
      left -= take;
    }
    return shares;
  }

  /** Resolves to what it did. */
  async function turn({ claims }: { claims: boolean }): Promise<{ told: number; begun: number }> {
    const now = clock.now();
    const room = way.room();
    const due = claims && room > 0 && allowances.free() > 0 ? await sending.findDue(now, allowances.full()) : [];
    const shares = share(due, room);
    const told = ended;
    ended = [];
    if (told.length === 0 && shares.length === 0) return { told: 0, begun: 0 };
    let taken: readonly Item[];
    try {
      taken = await sending.settleAndClaim({ ended: told.map(({ end }) => end), shares, now });
    } catch (error) {
      // Whatever came of them is not forgotten: it is written down as soon as the database can.
      ended = [...told, ...ended];
      throw error;
    }
    for (const { id } of told) flights.delete(id);
    for (const item of taken) start(item);
    way.began(taken.length);
    return { told: told.length, begun: taken.length };
  }

  async function untilSomethingHappens(): Promise<void> {
    const due = allowances.free() > 0 ? await sending.findNextDue() : null;
    const wait = due === null ? Number.POSITIVE_INFINITY : due.getTime() - clock.now().getTime();
    // What is due already waits for room: an end will tell.
    await bell.wait(wait > 0 ? wait : 1000);
    // Wakes and ends that follow each other closely are one.
    if (way.room() < mostOfTurn) await sleep(gatherBesideOthers);
    else if (ended.length < Math.min(mostGathered, flights.size)) await sleep(gatherMilliseconds);
  }

  /** Lets what is under way end, gives back what does not, and writes both down. */
  async function land(): Promise<void> {
    const deadline = performance.now() + grace;
    while (ended.length < flights.size && performance.now() < deadline) await bell.wait(deadline - performance.now());
    for (const stop of flights.values()) stop.abort();
    while (ended.length < flights.size) await bell.wait(100);
    await turn({ claims: false });
  }

  return {
    flying: () => [...flights.keys()],
    duty: {
      name,
      wokenByCommits: true,
      wake() {
        way.changed();
        bell.ring();
      },
      async run(signal) {
        signal.addEventListener("abort", bell.ring);
        let hasWorked = false;
        try {
          while (!signal.aborted) {
            const { told, begun } = await turn({ claims: true });
            // What has ended may be what something else waits for.
            if (flights.size === 0 && told === 0) return hasWorked ? "more" : "done";
            hasWorked = true;
            const isBeside = way.room() < mostOfTurn;
            if ((begun === 0 || isBeside) && flights.size > 0 && !signal.aborted) await untilSomethingHappens();
          }
          await land();
          return "done";
        } finally {
          signal.removeEventListener("abort", bell.ring);
        }
      },
      nextDue: () => sending.findNextDue(),
    },
  };
}
