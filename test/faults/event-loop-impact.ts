/**
 * Loaded into a process (`node --import`), measures its impact on other requests, independent of machine load: how long the event loop
 * computes without a pause and, with `--expose-gc`, the heap in use at each garbage collection. SIGUSR2 starts a measurement; at its end the
 * process prints `felt: ` and EventLoopImpact as JSON on stderr.
 */

export interface EventLoopImpact {
  /** Live heap bytes at the start, and the maximum during the measurement, each right after a garbage collection; 0 without `--expose-gc`. */
  readonly before: number;
  readonly most: number;
  /** The longest blocking of the event loop, in milliseconds of CPU time. */
  readonly longest: number;
  /** The 99th percentile of the remaining blocking time, over random moments of its work. */
  readonly most99: number;
}

/** Milliseconds between garbage collections (about forty each), and between samples of the CPU clock. */
const collectEvery = 250;
const lookEvery = 10;

function inUse(): number {
  if (globalThis.gc === undefined) return 0;
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

/** The CPU time of this thread in milliseconds. */
function computed(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** A request that arrives during a blocking waits for the rest of it: the share of moments with more than `wait` left. */
function most99(stretches: readonly number[]): number {
  const all = stretches.reduce((sum, one) => sum + one, 0);
  const beyond = (wait: number): number => stretches.reduce((sum, one) => sum + Math.max(0, one - wait), 0);
  let wait = 0;
  while (beyond(wait) > all / 100) wait += 1;
  return wait;
}

process.once("SIGUSR2", () => {
  const before = inUse();
  const felt = { before, most: before };
  const stretches: number[] = [];
  let looked = computed();
  setInterval(() => {
    stretches.push(computed() - looked);
    looked = computed();
  }, lookEvery).unref();
  setInterval(() => {
    const begun = computed();
    felt.most = Math.max(felt.most, inUse());
    // Our own garbage collections do not count.
    looked += computed() - begun;
  }, collectEvery).unref();
  process.once("exit", () => {
    const waits = { longest: Math.max(0, ...stretches), most99: most99(stretches) };
    process.stderr.write(`felt: ${JSON.stringify({ ...felt, ...waits } satisfies EventLoopImpact)}\n`);
  });
});
