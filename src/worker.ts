/**
 * Runs the duties side by side, each in a loop of its own, so that a slow one keeps no other waiting. A loop sleeps until
 * its duty is due, commits wake those that wait for them, and a scan is the net under both. The worker knows what to run,
 * not how; several on one database do each other no harm.
 */
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "./kit/time/clock.ts";
import type { Duty } from "./kit/duty.ts";

export interface Worker {
  /** Works until `stop`; resolves when it has begun. Throws when the duties cannot be loaded. */
  start(): Promise<void>;
  /** Something was committed. Cheap: wake-ups within some milliseconds are one. */
  wake(): void;
  /** Runs every duty until none has more to do. One that fails is reported and left out; what the first of them threw is thrown in the end. */
  runOnce(): Promise<void>;
  /** Aborts what the duties are at, and resolves when every loop has ended. */
  stop(): Promise<void>;
}

interface WorkerOptions {
  /** Asked once, when the worker first works: what a duty needs is loaded no earlier. */
  readonly loadDuties: () => Promise<readonly Duty[]>;
  readonly clock: Clock;
  /** A node-cron expression: how often every duty looks for work, woken or not. */
  readonly scan: string;
  /** Calls back when another process committed something; resolves to how to stop that. */
  readonly watch: (committed: () => void) => Promise<() => Promise<void>>;
  readonly report: (error: unknown, duty: string) => void;
}

/** Between two rounds of a duty lie at least so many milliseconds: the wake-ups within them are one. */
const wakePause = 10;
/** A clock may be moved: no loop sleeps longer than this, in milliseconds, without a look at it. */
const longestSleep = 60_000;
/** The pauses of a duty that fails, in milliseconds: doubled from the first to the last. */
const firstRetry = 100;
const lastRetry = 5000;
/** The longest pause, in milliseconds, of a duty that is overdue and finds nothing to do whenever it runs. */
const longestOverdue = 1000;

export function createWorker({ loadDuties, clock, scan, watch, report }: WorkerOptions): Worker {
  let loading: Promise<readonly Duty[]> | undefined;
  let loops: readonly Loop[] = [];
  let stopping = new AbortController();
  let scanning: { stop(): unknown } | undefined;
  let watching: Promise<() => Promise<void>> | undefined;

  /** The signal for what begins now; `stop` aborts it. */
  function begin(): AbortSignal {
    if (stopping.signal.aborted) stopping = new AbortController();
    return stopping.signal;
  }

  /** `by`: the duty whose own work it is, which goes on by itself. */
  function wake(by?: Duty): void {
    for (const { duty, wake: wakeUp } of loops) if (duty.wokenByCommits && duty !== by) wakeUp();
  }

  return {
    async start() {
      const signal = begin();
      const [duties, { default: cron }] = await Promise.all([(loading ??= loadDuties()), import("node-cron")]);
      if (signal.aborted) return;
      // What one duty did may be what another one waits for.
      loops = duties.map((duty) => startLoop(duty, { clock, signal, report, worked: () => wake(duty) }));
      // A scan that came late is made up for by the next one; node-cron would tell of it in a log of its own.
      scanning = cron.schedule(scan, () => loops.forEach((loop) => loop.wake()), { suppressMissedWarning: true });
      watching = watch(() => wake());
      // Without it the worker still finds everything at its next scan.
      watching.catch((error: unknown) => report(error, "watch for commits"));
    },
    wake: () => wake(),
    async runOnce() {
      const signal = begin();
      const duties = await (loading ??= loadDuties());
      const failed = new Map<Duty, unknown>();
      // What one duty did may be work for another: the last round is the one in which none did anything.
      for (let hasWorked = true; hasWorked && !signal.aborted;) {
        const round = duties.map(async (duty) => {
          try {
            return !failed.has(duty) && (await runWhileMore(duty, signal));
          } catch (error) {
            if (isAbort(error, signal)) return false;
            report(error, duty.name);
            failed.set(duty, error);
            return false;
          }
        });
        hasWorked = (await Promise.all(round)).includes(true);
      }
      const [first] = failed.values();
      if (failed.size > 0) throw first;
    },
    async stop() {
      stopping.abort();
      await scanning?.stop();
      await Promise.all(loops.map(({ ended }) => ended));
      loops = [];
      const unwatch = await watching?.catch(() => undefined);
      await unwatch?.();
    },
  };
}

interface Loop {
  readonly duty: Duty;
  /** Asks for another round; many of these while one runs, or within the pause, are one. */
  wake(): void;
  readonly ended: Promise<void>;
}

interface LoopOptions extends Pick<WorkerOptions, "clock" | "report"> {
  readonly signal: AbortSignal;
  /** Called after each piece of work. */
  readonly worked: () => void;
}

/** Runs one duty, again and again, until `signal` aborts. */
function startLoop(duty: Duty, { clock, signal, report, worked }: LoopOptions): Loop {
  let woken = false;
  let rouse: () => void = () => {};
  signal.addEventListener("abort", () => rouse());

  /** Sleeps so long, undefined for ever, or until somebody wakes the loop. */
  function nap(milliseconds: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const timer = milliseconds === undefined ? undefined : setTimeout(done, Math.min(milliseconds, longestSleep));
      function done(): void {
        clearTimeout(timer);
        rouse = () => {};
        resolve();
      }
      rouse = done;
      if (woken || signal.aborted) done();
    });
  }

  /** Sleeps so long, whoever calls: only the signal ends it early. */
  async function rest(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal }).catch(() => {});
  }

  async function work(): Promise<void> {
    let failures = 0;
    let overdue = 0;
    while (!signal.aborted) {
      woken = false;
      try {
        const hasWorked = await runWhileMore(duty, signal, worked);
        const due = signal.aborted ? null : await duty.nextDue();
        const wait = due === null ? undefined : Math.max(due.getTime() - clock.now().getTime(), 0);
        failures = 0;
        overdue = wait === 0 && !hasWorked ? overdue + 1 : 0;
        await nap(overdue > 0 ? doubled(wakePause, overdue, longestOverdue) : wait);
        await rest(wakePause);
      } catch (error) {
        if (isAbort(error, signal)) return;
        report(error, duty.name);
        failures += 1;
        await rest(doubled(firstRetry, failures, lastRetry));
      }
    }
  }

  return {
    duty,
    wake() {
      woken = true;
      duty.wake?.();
      rouse();
    },
    ended: work(),
  };
}

/** Runs `duty` until it is done or told to stop; resolves to whether it had anything to do. */
async function runWhileMore(duty: Duty, signal: AbortSignal, worked: () => void = () => {}): Promise<boolean> {
  let hasWorked = false;
  while (!signal.aborted && (await duty.run(signal)) === "more") {
    hasWorked = true;
    worked();
    // What answers without waiting, as SQLite does, would otherwise let nobody else run for as long as there is more.
    await setImmediate();
  }
  return hasWorked;
}

/** `first` at the first time, and twice as long each time after that, up to `last`. */
function doubled(first: number, times: number, last: number): number {
  return Math.min(first * 2 ** (times - 1), last);
}

/** Whether a duty threw because it was told to stop. */
function isAbort(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted && (error === signal.reason || (error instanceof Error && error.name === "AbortError"));
}
