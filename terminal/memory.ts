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

/** Bytes, both of its halves together; before it is first collected the second may not be there yet. */
const wholeYoungGeneration = 32 * 2 ** 20;
const leastYoungGeneration = 2 * 2 ** 20;

/**
 * The part of memory in which V8 makes new objects would grow to 128 MiB under load, and is given up but for two when nothing is
 * done for some seconds. Small requests leave so little behind that V8 would then double it once in minutes, and collect forty times
 * a second meanwhile, which costs a third of what reading one contact does. Looks after each collection, which is when it grows, and has the
 * next step take it to its whole size, and no step follow that one. Node's own option, --max-semi-space-size, can only be given from
 * outside. Returns how to leave it to V8 again.
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
    grow(Math.max(1, Math.floor(wholeYoungGeneration / Math.max(size, leastYoungGeneration))));
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
