/**
 * Keeps deliveries under way: one turn after the other writes down what came of the last ones and takes what is due, in one
 * transaction, while the network does the waiting.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { createBell } from "../../kit/bell.ts";
import type { Duty } from "../../kit/duty.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Database } from "../../storage/database.ts";
import type { Ended } from "./acknowledge.ts";
import { createAllowances } from "./allowances.ts";
import { findDueHooks, findNextDue } from "./claim.ts";
import type { Claimed, DueHook, Share } from "./claim.ts";
import type { Send } from "./flight.ts";
import { takeTurn } from "./turn.ts";

interface SenderOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly send: Send;
  /** Seconds between attempts. */
  readonly delays: readonly number[];
}

export interface Sender {
  readonly duty: Duty;
  /** The deliveries that this process has under way: their leases are not taken for those of the dead. */
  flying(): number[];
}

/** Longer than an answer may take. */
const leaseMilliseconds = 12_000;
/** The most deliveries that begin in one turn. */
const mostOfTurn = 256;
/** Ends that come within so many milliseconds of each other, and up to so many, are written down in one turn. */
const gatherMilliseconds = 4;
const mostGathered = 64;
/** How long what is under way may go on when the worker stops, in milliseconds; then it is given back. */
const grace = 5000;

export function createSender({ database, clock, send, delays }: SenderOptions): Sender {
  const bell = createBell();
  const allowances = createAllowances();
  const flights = new Map<number, AbortController>();
  let ended: Ended[] = [];

  function start(delivery: Claimed): void {
    const stop = new AbortController();
    flights.set(delivery.id, stop);
    allowances.took(delivery.hook.hook_id);
    void finish(delivery, stop.signal);
  }

  async function finish(delivery: Claimed, signal: AbortSignal): Promise<void> {
    const end = await send(delivery, signal);
    allowances.ended(delivery.hook.hook_id, end.outcome === undefined ? undefined : end.outcome.error === null);
    ended.push(end);
    bell.ring();
  }

  /** As even a share of what is free as the webhooks' own room allows. */
  function share(due: readonly DueHook[]): Share[] {
    const shares: Share[] = [];
    let left = Math.min(mostOfTurn, allowances.free());
    for (const [place, hook] of due.entries()) {
      const even = Math.ceil(left / (due.length - place));
      const take = Math.min(even, allowances.roomFor(hook.hook_id, hook.failing_since !== null));
      if (take > 0) shares.push({ hook, take });
      left -= take;
    }
    return shares;
  }

  /** Resolves to what it did. */
  async function turn({ claims }: { claims: boolean }): Promise<{ told: number; begun: number }> {
    const now = clock.now();
    const due = claims && allowances.free() > 0 ? await findDueHooks(database, now, allowances.full()) : [];
    const shares = share(due);
    const told = ended;
    ended = [];
    if (told.length === 0 && shares.length === 0) return { told: 0, begun: 0 };
    let claimed: Claimed[];
    try {
      claimed = await takeTurn(database, { ended: told, shares, now, leaseMilliseconds, delays });
    } catch (error) {
      // Whatever came of them is not forgotten: it is written down as soon as the database can.
      ended = [...told, ...ended];
      throw error;
    }
    for (const { delivery } of told) flights.delete(delivery.id);
    for (const delivery of claimed) start(delivery);
    return { told: told.length, begun: claimed.length };
  }

  async function untilSomethingHappens(): Promise<void> {
    const due = allowances.free() > 0 ? await findNextDue(database) : null;
    const wait = due === null ? Number.POSITIVE_INFINITY : due.getTime() - clock.now().getTime();
    // What is due already waits for room: an end will tell.
    await bell.wait(wait > 0 ? wait : 1000);
    // Wakes and ends that follow each other closely are one.
    if (ended.length < Math.min(mostGathered, flights.size)) await sleep(gatherMilliseconds);
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
      name: "deliver webhooks",
      wokenByCommits: true,
      wake: bell.ring,
      async run(signal) {
        signal.addEventListener("abort", bell.ring);
        try {
          while (!signal.aborted) {
            const { told, begun } = await turn({ claims: true });
            if (flights.size === 0 && told === 0) return "done";
            if (begun === 0 && flights.size > 0 && !signal.aborted) await untilSomethingHappens();
          }
          await land();
          return "done";
        } finally {
          signal.removeEventListener("abort", bell.ring);
        }
      },
      nextDue: () => findNextDue(database),
    },
  };
}
