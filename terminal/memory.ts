/** Keeps the memory of a process that runs for long small: V8 by itself takes what is there, and nothing would be faster. */
import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** To be called when everything is loaded. */
export function boundMemory(): void {
  const unlimitYoungGeneration = limitYoungGeneration();
  setFlagsFromString(`--heap-growing-percent=${oldGrowth}`);
  // What V8 compiled is kept for later starts under the flags of this moment, and is of no use to a start with others.
  process.once("exit", () => {
    unlimitYoungGeneration();
    setFlagsFromString("--heap-growing-percent=0");
  });
  setTimeout(collectOnce, afterStart).unref();
}

/**
 * What is old may grow by so much of what was in use at the last large collection before there is another. V8 by itself lets it
 * grow to four times that where the machine has room.
 */
const oldGrowth = 50;

/** Milliseconds. What a start leaves behind is garbage by then, and nobody has waited for it to be collected. */
const afterStart = 1000;

/** Bytes, both of its halves together. It grows by doubling, so not twice as much is ever taken. */
const enough = 24 * 2 ** 20;

/**
 * The part of memory in which V8 makes new objects would grow to 128 MiB under load. Looks after each collection, which is when
 * it grows, whether it may go on growing; V8 makes it smaller again by itself when little is done. Node's own option,
 * --max-semi-space-size, can only be given from outside. Returns how to let it grow again.
 */
function limitYoungGeneration(): () => void {
  let factor = 2;
  function grow(by: number): void {
    if (by === factor) return;
    factor = by;
    setFlagsFromString(`--semi-space-growth-factor=${by}`);
  }
  function look(): void {
    const size = getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space")?.space_size ?? 0;
    grow(size < enough ? 2 : 1);
  }
  look();
  new PerformanceObserver(look).observe({ entryTypes: ["gc"] });
  return () => grow(2);
}

/**
 * Until its first large collection V8 does not know how much of the memory is in use, and lets what is old grow to several times
 * that. Under load it would be a minute until it learns.
 */
function collectOnce(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  setFlagsFromString("--no-expose-gc");
  collect();
}
