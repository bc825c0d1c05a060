/** What the worker runs. A room brings its duties in a `….duties.ts`; `src/duties.ts` lists them all. */
import type { Clock } from "./time/clock.ts";

export interface Duty {
  /** What it does, for the log: "assign event positions". */
  readonly name: string;
  /** Whether a commit may make work for it. One that no commit wakes runs when it is due and when everything is looked through. */
  readonly wokenByCommits: boolean;
  /**
   * Does one bounded piece of what is due; nothing when nothing is. Harmless while other workers do the same. `more` says
   * that something was done and asks to be run again at once. Where it waits, it waits no longer than until `signal`
   * aborts: then it gives back what it has taken, and resolves or throws the signal's reason.
   */
  run(signal: AbortSignal): Promise<"more" | "done">;
  /** Told of what would wake it, also while it runs: for one whose run goes on for as long as it has something under way. */
  wake?(): void;
  /** When it wants to run even if nobody wakes it; null: only then. */
  nextDue(): Promise<Date | null>;
}

interface Period extends Pick<Duty, "name" | "run"> {
  readonly everySeconds: number;
  readonly clock: Clock;
}

/** A duty that runs at once, and then so many seconds after it was last done. No commit wakes it. */
export function periodic({ name, everySeconds, clock, run }: Period): Duty {
  const span = everySeconds * 1000;
  let due = clock.now().getTime();
  return {
    name,
    wokenByCommits: false,
    async run(signal) {
      const wait = due - clock.now().getTime();
      // Longer than it ever waits: the clock was set back, and would have it do nothing until it is there again.
      if (wait > 0 && wait <= span) return "done";
      const outcome = await run(signal);
      if (outcome === "done") due = clock.now().getTime() + span;
      return outcome;
    },
    nextDue: async () => new Date(due),
  };
}
