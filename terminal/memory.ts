/** Limits the heap of a long-running process: V8's defaults use all available memory without being faster here. */
import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Call it after everything is loaded. `young`: the size of the young generation, in bytes. */
export function boundMemory(young: number = wholeYoungGeneration): void {
  const unlimitYoungGeneration = limitYoungGeneration(young);
  setFlagsFromString(`--heap-growing-percent=${oldGrowth}`);
  // V8 stores its code cache under the current flags; a start with other flags could not use it.
  process.once("exit", () => {
    unlimitYoungGeneration();
    setFlagsFromString("--heap-growing-percent=0");
  });
  setTimeout(collectOnce, afterStart).unref();
}

/**
 * The old generation may grow by this share since the last major GC before the next one. V8's default is up to four
 * times on a machine with free memory.
 */
const oldGrowth = 50;

/** In milliseconds. By then the garbage of the start can be collected without delaying anyone. */
const afterStart = 1000;

/** In bytes, both semispaces together; before its first collection the second may not exist yet. */
const wholeYoungGeneration = 32 * 2 ** 20;
const leastYoungGeneration = 2 * 2 ** 20;

/**
 * Caps V8's young generation. It would grow to 128 MiB under load and shrink back to 2 MiB when idle for a few seconds.
 * Small requests survive so rarely that V8 would then double it once in minutes and meanwhile run forty scavenges a
 * second, which costs a third of the throughput of reading one contact. After each scavenge, when V8 resizes, this sets
 * the next size to the maximum and disables further growth. Node's option --max-semi-space-size works only from the
 * command line. Returns a function that restores V8's own behavior.
 */
function limitYoungGeneration(whole: number): () => void {
  let factor = 2;
  function grow(by: number): void {
    if (by === factor) return;
    factor = by;
    setFlagsFromString(`--semi-space-growth-factor=${by}`);
  }
  function look(): void {
    const size = getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space")?.space_size ?? 0;
    grow(Math.max(1, Math.floor(whole / Math.max(size, leastYoungGeneration))));
  }
  look();
  new PerformanceObserver(look).observe({ entryTypes: ["gc"] });
  return () => grow(2);
}

/**
 * Before its first major GC, V8 does not know the live heap size and lets the old generation grow to several times
 * that; under load, the first one would take a minute to come.
 */
function collectOnce(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  setFlagsFromString("--no-expose-gc");
  collect();
}
