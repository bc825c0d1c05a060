/**
 * Sends queued items over the network. Each turn claims due items, and records the results of finished sends in the same
 * transaction, while other sends are in flight; a turn that claims nothing records them beside the turns that follow.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { createWakeSignal } from "../kit/waiting/wake-signal.ts";
import type { Duty } from "../kit/duty.ts";
import type { Clock } from "../kit/time/clock.ts";
import { createFlights } from "./flights.ts";
import type { Ended, SendItem } from "./flights.ts";
import { createLoadShedder } from "./load-shedding.ts";
import type { MeteredDatabase } from "./pressure.ts";
import type { Database } from "../storage/database.ts";
import { holdersAtOnce } from "./queue.ts";
import { createSlots } from "./slots.ts";
import type { Share, Standing } from "./slots.ts";

/** A kind of sending: deliveries to webhooks, messages over channels, posts of workflows. */
export interface Sending<Due, Item extends { readonly id: number }, End> extends SendItem<Item, End> {
  readonly wokenBy: Duty["wokenBy"];
  readonly clock: Clock;
  readonly database: MeteredDatabase & Pick<Database, "isInProcess">;
  /** Holders with due items except those in `full`, longest waiting first. Takes no locks. */
  findDue(now: Date, full: readonly number[]): Promise<readonly Due[]>;
  /** When the next item is due; null if the queue is empty. */
  findNextDue(): Promise<Date | null>;
  standingOf(due: Due): Standing;
  /** Records the results and claims as many items as the shares allow; resolves after the commit. */
  settleAndClaim(turn: {
    readonly ended: readonly End[];
    readonly shares: readonly Share<Due>[];
    readonly now: Date;
  }): Promise<readonly Item[]>;
}

export interface QueueSender<Due, Item> {
  readonly duty: Duty & Required<Pick<Duty, "land">>;
  /** Items in flight in this process: their leases are not reclaimed. */
  flying(): number[];
  /**
   * For a duty that claims items as it creates them, without a turn: keeps room for those of these shares that fit as a whole, in place of what was
   * kept before, and returns them. None fit while the worker stops or results cannot be recorded, and few while load is shed. A stop waits until no
   * room is kept.
   */
  keepRoom(wanted: readonly Share<Due>[]): readonly Share<Due>[];
  /** Starts these items after the commit that claimed them, and gives the kept room back. */
  start(items: readonly Item[]): void;
}

/** Maximum sends started per turn. */
const mostOfTurn = 256;
/** Up to this number in flight, results are recorded and due items claimed at once. */
const fewInFlight = 8;
/** Beyond, results are gathered for this many milliseconds, or up to this number, and recorded in one turn. */
const gatherMilliseconds = 4;
/** The same under load shedding: fewer and larger turns are cheaper, but those of an embedded database block this process. */
const gatherBesideOthers = 25;
const gatherInProcess = 10;
const mostGathered = 64;
/** After how many milliseconds results are recorded again that could not be recorded between two runs. */
const recordAgain = 1000;
/** Grace period of sends in flight when the worker stops, in milliseconds; then they are released. */
const grace = 5000;
/** How long nothing must happen before the next due time is looked up, in milliseconds: most wake-ups and results come sooner. */
const calm = 20;
/** While it is never calm, this often, in milliseconds. */
const longestWithoutLook = 250;
/** Maximum wait for an item that is due later, in milliseconds, because the clock may be set. */
const longestLook = 60_000;

export function createSender<Due, Item extends { readonly id: number }, End>(
  sending: Sending<Due, Item, End>,
): QueueSender<Due, Item> {
  const { name, wokenBy, clock, allowances } = sending;
  const slots = createSlots<Due>(sending);
  const bell = createWakeSignal();
  const shedder = createLoadShedder(sending.database);
  const gatherShedding = sending.database.isInProcess ? gatherInProcess : gatherBesideOthers;
  const flights = createFlights(sending, ({ madeRoom }) => {
    if (madeRoom) mayBeDue = true;
    bell.ring();
    recordLeft();
  });
  /** Whether results are being recorded beside the turns. */
  let isRecording = false;
  /** Why what runs beside the turns failed; the next turn throws it. */
  let failed: { readonly error: unknown } | undefined;
  /** False once a turn left nothing due that has room: only a wake-up, the time, or a result that makes room changes this. */
  let mayBeDue = true;
  let lookedAt = 0;
  /** The shares that a turn is claiming, and those for which room is kept. */
  let claiming: readonly Share<Due>[] = [];
  let kept: readonly Share<Due>[] = [];
  let isRunning = false;
  let isLanding = false;

  function start(items: readonly Item[], { pastQueue }: { readonly pastQueue: boolean }): void {
    shedder.began(items.length, { pastQueue });
    for (const item of items) flights.start(item, { pastQueue });
  }

  /** Whether what a look found was claimed with some to spare, so that nothing else is due. */
  function tookAll(due: readonly Due[], shares: readonly Share<Due>[], taken: readonly Item[]): boolean {
    if (due.length >= holdersAtOnce || shares.length < due.length) return false;
    const counts = Map.groupBy(taken, sending.holderOf);
    return shares.every(({ due, take }) => (counts.get(sending.standingOf(due).holder)?.length ?? 0) < take);
  }

  /** Records results, and claims and starts what the shares allow; resolves to what it started. */
  async function settle(
    settled: readonly Ended<End>[],
    shares: readonly Share<Due>[],
    now: Date,
  ): Promise<readonly Item[]> {
    claiming = [...claiming, ...shares];
    try {
      const taken = await sending.settleAndClaim({ ended: settled.map(({ end }) => end), shares, now });
      flights.recorded(settled);
      start(taken, { pastQueue: false });
      return taken;
    } catch (error) {
      // Results survive a failed write and are retried with the next turn.
      flights.giveBack(settled);
      throw error;
    } finally {
      claiming = claiming.filter((share) => !shares.includes(share));
    }
  }

  /** Records results while the turns go on, so that what is due meanwhile does not wait for their commit, or between two runs. */
  async function recordBeside(settled: readonly Ended<End>[], now: Date): Promise<void> {
    isRecording = true;
    try {
      await settle(settled, [], now);
    } catch (error) {
      fail(error);
    }
    isRecording = false;
    bell.ring();
    if (failed === undefined) recordLeft();
    // Nothing may wake this duty for long.
    else if (!isRunning) setTimeout(recordLeft, recordAgain).unref();
  }

  /** Between two runs; a run records what is left itself. */
  function recordLeft(): void {
    if (!isRunning && !isRecording && flights.ended() > 0) void recordBeside(flights.take(), clock.now());
  }

  function fail(error: unknown): void {
    failed = { error };
    bell.ring();
  }

  function throwFailed(): void {
    const reason = failed;
    failed = undefined;
    if (reason !== undefined) throw reason.error;
  }

  /** Resolves to what it claimed. */
  async function turn({ claims }: { claims: boolean }): Promise<{ settled: number; begun: number }> {
    const now = clock.now();
    const room = shedder.room();
    const full = allowances.full();
    if (performance.now() - lookedAt >= longestWithoutLook) mayBeDue = true;
    const looks = claims && mayBeDue && room > 0 && allowances.free() > 0;
    // A wake-up from here on makes the next turn look again.
    if (looks) [mayBeDue, lookedAt] = [false, performance.now()];
    const due = looks ? await sending.findDue(now, full) : [];
    const shares = slots.divide(due, { most: mostOfTurn, room, beside: kept });
    // One at a time: what ends meanwhile is recorded together, and by the last turn in any case.
    const settled = isRecording && shares.length === 0 && claims ? [] : flights.take();
    let taken: readonly Item[] = [];
    if (settled.length > 0 && shares.length === 0 && claims) void recordBeside(settled, now);
    else if (settled.length + shares.length > 0) taken = await settle(settled, shares, now);
    if (looks && !tookAll(due, shares, taken)) mayBeDue = true;
    return { settled: settled.length, begun: taken.length };
  }

  /** Waits for a wake-up, a result, or the next item that is due, which is looked up if nothing happens for a moment. */
  async function untilSomethingHappens(): Promise<void> {
    let due = null as Date | null;
    let isOver = false;
    async function lookAhead(): Promise<void> {
      const found = await sending.findNextDue();
      if (isOver || found === null) return;
      due = found;
      const wait = due.getTime() - clock.now().getTime();
      // Due items wait for a free slot: the next result wakes this duty.
      timer = setTimeout(bell.ring, wait > 0 ? Math.min(wait, longestLook) : 1000);
    }
    const looks = allowances.free() > 0;
    // Load shedding left it due, and allows more soon.
    const isMoreDue = looks && mayBeDue && shedder.room() < mostOfTurn;
    let timer = looks && !isMoreDue ? setTimeout(() => lookAhead().catch(fail), calm) : undefined;
    await bell.wait(isMoreDue ? gatherShedding : Number.POSITIVE_INFINITY);
    isOver = true;
    clearTimeout(timer);
    if (due !== null && due <= clock.now()) mayBeDue = true;
    // Wake-ups and results in quick succession are merged.
    if (shedder.room() < mostOfTurn) await sleep(gatherShedding);
    else if (flights.size() > fewInFlight && flights.ended() < Math.min(mostGathered, flights.size()))
      await sleep(gatherMilliseconds);
  }

  /** Waits for sends in flight, releases the others, and records both. */
  async function land(): Promise<void> {
    const deadline = performance.now() + grace;
    isLanding = true;
    while (kept.length > 0) await bell.wait(100);
    const areAllEnded = (): boolean => flights.ended() === flights.size();
    while (!areAllEnded() && performance.now() < deadline) await bell.wait(deadline - performance.now());
    flights.abort();
    while (!areAllEnded()) await bell.wait(100);
    // What could not be recorded beside the turns is recorded here.
    failed = undefined;
    await turn({ claims: false });
  }

  return {
    flying: flights.ids,
    keepRoom(wanted) {
      // Without room given back, the wait for the next due time is not interrupted.
      if (kept.length > 0) bell.ring();
      const room = shedder.roomPastQueue();
      const isRefused = isLanding || flights.ended() >= mostOfTurn;
      kept = isRefused ? [] : slots.whole(wanted, { most: mostOfTurn, room, beside: claiming });
      return kept;
    },
    start(items) {
      start(items, { pastQueue: true });
      kept = [];
      bell.ring();
    },
    duty: {
      name,
      wokenBy,
      changed: shedder.changed,
      wake() {
        mayBeDue = true;
        bell.ring();
      },
      async run(signal) {
        signal.addEventListener("abort", bell.ring);
        let hasWorked = false;
        mayBeDue = true;
        [isRunning, isLanding] = [true, false];
        try {
          while (!signal.aborted) {
            throwFailed();
            const { settled, begun } = await turn({ claims: true });
            // A result may be what another duty waits for.
            if (flights.size() === 0 && settled === 0) return hasWorked ? "worked" : "done";
            hasWorked = true;
            const isBeside = shedder.room() < mostOfTurn;
            if ((begun === 0 || isBeside) && flights.size() > 0 && !signal.aborted) await untilSomethingHappens();
          }
          return "done";
        } finally {
          isRunning = false;
          signal.removeEventListener("abort", bell.ring);
        }
      },
      land,
      async nextDue() {
        await bell.wait(calm);
        return mayBeDue ? clock.now() : sending.findNextDue();
      },
    },
  };
}
