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

process.once("SIGUSR2", () => {
  const before = inUse();
  const felt = { before, most: before, longest: 0 };
  let looked = computed();
  setInterval(() => {
    felt.longest = Math.max(felt.longest, computed() - looked);
    looked = computed();
  }, lookEvery).unref();
  setInterval(() => {
    const begun = computed();
    felt.most = Math.max(felt.most, inUse());
    // Our own collections are nothing that others feel of a service.
    looked += computed() - begun;
  }, collectEvery).unref();
  process.once("exit", () => process.stderr.write(`felt: ${JSON.stringify(felt satisfies Felt)}\n`));
});
