/**
 * The loop that does what is due. It sleeps until the next thing is due, a commit wakes it, and a scan is the net under
 * both. It knows what to run, not how; several workers on one database do each other no harm.
 */
import cron from "node-cron";
import type { Clock } from "./kit/clock.ts";

export interface Duty {
  readonly name: string;
  /** Does one bounded piece of work; `more` asks to be run again at once. */
  run(): Promise<"more" | "done">;
  /** When it wants to run even if nobody wakes the worker; null: only when woken or at a scan. */
  nextDue(): Promise<Date | null>;
}

export interface Worker {
  /** Works until `stop`. */
  start(): void;
  /** Something was committed. Cheap: wake-ups within some milliseconds are one. */
  wake(): void;
  /** Runs every duty until none has more to do. */
  runOnce(): Promise<void>;
  /** Finishes the duty that runs, then resolves. */
  stop(): Promise<void>;
}

interface WorkerOptions {
  readonly duties: readonly Duty[];
  readonly clock: Clock;
  /** A node-cron expression: how often everything is looked through, woken or not. */
  readonly scan: string;
  /** Calls back when another process committed something; resolves to how to stop that. */
  readonly watch: (committed: () => void) => Promise<() => Promise<void>>;
  readonly report: (error: unknown, duty: string) => void;
}

/** Wake-ups closer together than this are one round, in milliseconds. */
const wakePause = 10;

/** A duty that runs at a fixed distance from its last run. */
export function periodic(name: string, seconds: number, clock: Clock, run: Duty["run"]): Duty {
  let due = clock.now().getTime();
  return {
    name,
    async run() {
      if (clock.now().getTime() < due) return "done";
      const outcome = await run();
      if (outcome === "done") due = clock.now().getTime() + seconds * 1000;
      return outcome;
    },
    nextDue: async () => new Date(due),
  };
}

export function createWorker({ duties, clock, scan, watch, report }: WorkerOptions): Worker {
  let running: Promise<void> | undefined;
  let stopped = false;
  let woken = false;
  let rouse: () => void = () => {};

  async function runOnce(): Promise<void> {
    for (const duty of duties) {
      try {
        while (!stopped && (await duty.run()) === "more");
      } catch (error) {
        // One duty that fails keeps no other from its work; the scan tries it again.
        report(error, duty.name);
      }
    }
  }

  /** Sleeps until `due`, or until somebody wakes the worker. */
  function sleepUntil(due: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wait = due === undefined ? undefined : Math.min(Math.max(due - clock.now().getTime(), wakePause), 60_000);
      const timer = wait === undefined ? undefined : setTimeout(done, wait);
      function done(): void {
        clearTimeout(timer);
        rouse = () => {};
        resolve();
      }
      rouse = done;
      if (woken || stopped) done();
    });
  }

  async function earliestDue(): Promise<number | undefined> {
    let earliest: number | undefined;
    for (const duty of duties) {
      const due = (await duty.nextDue().catch(() => null))?.getTime();
      if (due !== undefined && (earliest === undefined || due < earliest)) earliest = due;
    }
    return earliest;
  }

  async function work(): Promise<void> {
    while (!stopped) {
      woken = false;
      await runOnce();
      if (stopped) return;
      await sleepUntil(await earliestDue());
      if (!stopped) await new Promise((resolve) => setTimeout(resolve, wakePause));
    }
  }

  function wake(): void {
    woken = true;
    rouse();
  }

  let scanning: { stop(): unknown } | undefined;
  let watching: Promise<() => Promise<void>> | undefined;
  return {
    start() {
      stopped = false;
      running = work();
      // A scan that came late is made up for by the next one; node-cron would tell of it in a log of its own.
      scanning = cron.schedule(scan, wake, { suppressMissedWarning: true });
      watching = watch(wake);
      // Without it the worker still finds everything at its next scan.
      watching.catch((error: unknown) => report(error, "watch for commits"));
    },
    wake,
    runOnce,
    async stop() {
      stopped = true;
      rouse();
      await scanning?.stop();
      await running;
      const unwatch = await watching?.catch(() => undefined);
      await unwatch?.();
    },
  };
}
