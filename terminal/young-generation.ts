/** Keeps the part of memory small in which V8 makes new objects: under load it would grow to 128 MiB, and nothing would be faster. */
import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/** Bytes, both of its halves together. It grows by doubling, so not twice as much is ever taken. */
const enough = 24 * 2 ** 20;

/**
 * To be called when everything is loaded. Looks after each collection, which is when it grows, whether it may go on growing;
 * V8 makes it smaller again by itself when little is done. Node's own option, --max-semi-space-size, can only be given from
 * outside.
 */
export function limitYoungGeneration(): void {
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
  // What V8 compiled is kept for later starts under the flags of this moment, and is of no use to a start with others.
  process.once("exit", () => grow(2));
}
