/**
 * Loaded into a process (`node --expose-gc --import`), tells what others feel of what it does, on a quiet machine and on a busy one
 * alike: how much of its heap is in use, whenever the collector runs by itself, and for how long its event loop computes
 * without a pause. SIGUSR2 begins a measurement; at its end the process prints `felt: ` and Felt as JSON on stderr.
 */

export interface Felt {
  /** Bytes of the heap when the measurement began, and the most meanwhile, each right after everything else was collected. */
  readonly before: number;
  readonly most: number;
  /** Milliseconds of the processor, of the longest stretch for which nobody else's turn came. */
  readonly longest: number;
  /** What of such stretches is left to wait for, in 99 of 100 moments of its work. */
  readonly most99: number;
}

/** Milliseconds between two collections, each of which takes some forty, and between two looks at the clock of the processor. */
const collectEvery = 250;
const lookEvery = 10;

function inUse(): number {
  globalThis.gc!();
  return process.memoryUsage().heapUsed;
}

/** Milliseconds that this thread has had of the processor. */
function computed(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Whoever comes within a stretch waits for what is left of it: the share of moments with more than `wait` left falls as `wait` grows. */
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
    // Our own collections are nothing that others feel of a service.
    looked += computed() - begun;
  }, collectEvery).unref();
  process.once("exit", () => {
    const waits = { longest: Math.max(0, ...stretches), most99: most99(stretches) };
    process.stderr.write(`felt: ${JSON.stringify({ ...felt, ...waits } satisfies Felt)}\n`);
  });
});
