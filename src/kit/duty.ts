/**
 * A duty: a unit of background work that the worker runs. A folder defines its duties in a `….duties.ts`;
 * `src/duties.ts` lists them all.
 */
import type { Clock } from "./time/clock.ts";

/** `more`: it did something and wants to run again immediately. `worked`: it did something, and nothing is left. `done`: there was nothing to do. */
export type DutyOutcome = "more" | "worked" | "done";

export interface Duty {
  /** Name for the log, such as "assign event positions". */
  readonly name: string;
  /** The tables in which a commit may create work for it. Where there is none, the duty runs only when due and at the periodic scan. */
  readonly wokenBy: readonly string[];
  /**
   * Does one bounded piece of the due work, if any; safe to run in several workers at once. Waiting ends when `signal` aborts: it then releases
   * what it has claimed, and resolves or throws the signal's reason.
   */
  run(signal: AbortSignal): Promise<DutyOutcome>;
  /** Called on a wake-up even while it runs, for a duty whose run lasts as long as it has work in flight. */
  wake?(): void;
  /** Called at each commit of a caller, which need not wake it. */
  changed?(): void;
  /** Called when the worker stops, after the last run, also if that one failed: ends what the runs have left in flight, and records it. */
  land?(): Promise<void>;
  /** When it is due without a wake-up; null: only on wake-up. */
  nextDue(): Promise<Date | null>;
}

interface Period extends Pick<Duty, "name" | "run"> {
  readonly everySeconds: number;
  readonly clock: Clock;
}

/** A duty that runs at start and then `everySeconds` after its last completion; commits do not wake it. */
export function periodic({ name, everySeconds, clock, run }: Period): Duty {
  const span = everySeconds * 1000;
  let due = clock.now().getTime();
  return {
    name,
    wokenBy: [],
    async run(signal) {
      const wait = due - clock.now().getTime();
      // A longer wait than ever scheduled: the clock was set back, and the duty would be idle until it catches up.
      if (wait > 0 && wait <= span) return "done";
      const outcome = await run(signal);
      if (outcome === "done") due = clock.now().getTime() + span;
      return outcome;
    },
    nextDue: async () => new Date(due),
  };
}
