/**
 * The worker: runs each duty in a loop of its own, so that a slow one delays no other. A loop sleeps until its duty is
 * due or a commit in the tables of its work wakes it; a periodic scan catches what both miss. The worker knows what to run, not how; several
 * workers may share a database.
 */
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "./kit/time/clock.ts";
import type { Duty } from "./kit/duty.ts";
import type { WrittenTables } from "./vocabulary/written-tables.ts";
import { createLoopLoad } from "./kit/waiting/loop-load.ts";

export interface Worker {
  /** Runs until `stop`; resolves once it has started. Throws if the duties cannot be loaded. */
  start(): Promise<void>;
  /** Wakes every duty that a commit may wake. Cheap: wake-ups within some milliseconds are merged. */
  wake(): void;
  /** Counts the commit of a caller in this process: duties that send do less beside many of them. */
  changed(): void;
  /**
   * Runs every duty until none has work left. A failing duty is reported and skipped; the error of the first one that
   * failed, in the order of the list, is thrown in the end.
   */
  runOnce(): Promise<void>;
  /** Aborts the running duties, and resolves when they have ended what they have in flight; needed after `runOnce`, too. */
  stop(): Promise<void>;
}

interface WorkerOptions {
  /** Called once, on first use: the code of duties is loaded on demand. */
  readonly loadDuties: () => Promise<readonly Duty[]>;
  readonly clock: Clock;
  /** A node-cron expression: when every duty scans for work. */
  readonly scan: string;
  /** Watches for commits and the tables that they wrote; resolves to the function that stops it. */
  readonly watch: (committed: (tables: WrittenTables) => void) => Promise<() => Promise<void>>;
  readonly report: (error: unknown, duty: string) => void;
  /** How busy this process is, 0 to 1. */
  readonly load?: () => number;
}

/**
 * Minimum time from the end of a run of a duty to its next one in a saturated process, in milliseconds: wake-ups within
 * it are merged, because each run costs the requests beside it. In an idle process, a woken duty runs at once, since an
 * event passes several duties on its way to a receiver.
 */
const longestGap = 10;
/** Maximum sleep of a loop in milliseconds, because the clock may be set. */
const longestSleep = 60_000;
/** Backoff of a failing duty in milliseconds: doubles from the first to the last value. */
const firstRetry = 100;
const lastRetry = 5000;
/** Backoff in milliseconds of a duty that is overdue but finds no work: doubles from the first to the last value. */
const firstOverdue = 10;
const longestOverdue = 1000;

export function createWorker(options: WorkerOptions): Worker {
  const { loadDuties, clock, scan, watch, report, load = createLoopLoad() } = options;
  let loading: Promise<readonly Duty[]> | undefined;
  let loops: readonly Loop[] = [];
  let stopping = new AbortController();
  let scanning: { stop(): unknown } | undefined;
  let watching: Promise<() => Promise<void>> | undefined;
  /** The last `runOnce`. */
  let running: Promise<void> | undefined;
  let ending: Promise<void> | undefined;

  /** Between two runs of a duty, in whole milliseconds: none up to half the load, two thirds of the longest at nine tenths. */
  const gap = (): number => Math.floor(longestGap * load() ** 4);

  /** The signal for new work; `stop` aborts it. */
  function begin(): AbortSignal {
    if (stopping.signal.aborted) stopping = new AbortController();
    return stopping.signal;
  }

  /** Each duty looks into its queue when woken, which costs more than most changes, so only those are woken that the tables may concern. */
  function wake(tables: WrittenTables): void {
    for (const { duty, wake: wakeUp } of loops)
      if (tables === null ? duty.wokenBy.length > 0 : duty.wokenBy.some((table) => tables.has(table))) wakeUp();
  }

  async function runRounds(): Promise<void> {
    const signal = begin();
    const duties = await (loading ??= loadDuties());
    const failed = new Map<Duty, unknown>();
    // Work of one duty may create work for another: the last round is one in which none did anything.
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
    const first = duties.find((duty) => failed.has(duty));
    if (first !== undefined) throw failed.get(first);
  }

  async function end(): Promise<void> {
    stopping.abort();
    await scanning?.stop();
    scanning = undefined;
    await Promise.all(loops.map(({ ended }) => ended));
    loops = [];
    await running;
    const ran = running === undefined ? undefined : await loading?.catch(() => undefined);
    await Promise.all((ran ?? []).map((duty) => land(duty, report)));
    const unwatch = await watching?.catch(() => undefined);
    watching = undefined;
    await unwatch?.();
  }

  return {
    async start() {
      const signal = begin();
      const [duties, { default: cron }] = await Promise.all([(loading ??= loadDuties()), import("node-cron")]);
      if (signal.aborted) return;
      loops = duties.map((duty) => startLoop(duty, { clock, signal, report, gap }));
      // A late scan is made up by the next one; node-cron would log it on its own.
      scanning = cron.schedule(scan, () => loops.forEach((loop) => loop.wake()), { suppressMissedWarning: true });
      watching = watch(wake);
      // Without the watch, the scan still finds everything.
      watching.catch((error: unknown) => report(error, "watch for commits"));
    },
    wake: () => wake(null),
    changed() {
      for (const { duty } of loops) duty.changed?.();
    },
    runOnce() {
      const work = runRounds();
      running = work.catch(() => {});
      return work;
    },
    stop: () => (ending ??= end().finally(() => (ending = undefined))),
  };
}

interface Loop {
  readonly duty: Duty;
  /** Requests another run; requests during a run or the pause are merged. */
  wake(): void;
  readonly ended: Promise<void>;
}

interface LoopOptions extends Pick<WorkerOptions, "clock" | "report"> {
  readonly signal: AbortSignal;
  /** The minimum time between two runs now, in milliseconds. */
  readonly gap: () => number;
}

/** Runs a duty in a loop until `signal` aborts. */
function startLoop(duty: Duty, { clock, signal, report, gap }: LoopOptions): Loop {
  let woken = false;
  let rouse: () => void = () => {};
  signal.addEventListener("abort", () => rouse());

  /** Sleeps this long, undefined for ever, or until woken. */
  function nap(milliseconds: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const timer =
        milliseconds === undefined ? undefined : setTimeout(done, Math.max(0, Math.min(milliseconds, longestSleep)));
      function done(): void {
        clearTimeout(timer);
        rouse = () => {};
        resolve();
      }
      rouse = done;
      if (woken || signal.aborted) done();
    });
  }

  /** Sleeps this long regardless of wake-ups; only the signal ends it early. */
  async function rest(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal }).catch(() => {});
  }

  async function work(): Promise<void> {
    let failures = 0;
    let overdue = 0;
    while (!signal.aborted) {
      woken = false;
      try {
        const hasWorked = await runWhileMore(duty, signal);
        const ended = performance.now();
        const due = signal.aborted ? null : await duty.nextDue();
        const wait = due === null ? undefined : Math.max(due.getTime() - clock.now().getTime(), 0);
        failures = 0;
        overdue = wait === 0 && !hasWorked ? overdue + 1 : 0;
        await nap(overdue > 0 ? doubled(firstOverdue, overdue, longestOverdue) : wait);
        const left = gap() - (performance.now() - ended);
        if (left > 0) await rest(Math.ceil(left));
      } catch (error) {
        if (isAbort(error, signal)) break;
        report(error, duty.name);
        failures += 1;
        await rest(doubled(firstRetry, failures, lastRetry));
      }
    }
    await land(duty, report);
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

/** Runs `duty` until it is done or aborted; resolves to whether it had work. */
async function runWhileMore(duty: Duty, signal: AbortSignal): Promise<boolean> {
  let hasWorked = false;
  while (!signal.aborted) {
    const outcome = await duty.run(signal);
    if (outcome === "done") break;
    hasWorked = true;
    if (outcome === "worked") break;
    // Yields: SQLite responds synchronously, and would starve the process while there is work.
    await setImmediate();
  }
  return hasWorked;
}

/** Never throws. */
async function land(duty: Duty, report: WorkerOptions["report"]): Promise<void> {
  try {
    await duty.land?.();
  } catch (error) {
    report(error, duty.name);
  }
}

/** Exponential backoff from `first` to `last`. */
function doubled(first: number, times: number, last: number): number {
  return Math.min(first * 2 ** (times - 1), last);
}

/** Whether a duty threw because it was aborted. */
function isAbort(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted && (error === signal.reason || (error instanceof Error && error.name === "AbortError"));
}
