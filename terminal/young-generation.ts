/** Keeps the part of memory small in which V8 makes new objects: under load it would grow to 128 MiB, and nothing would be faster. */
import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/** Bytes, both of its halves together. It grows by doubling, so not twice as much is ever taken. */
const enough = 24 * 2 ** 20;

/**
 * To be called when everything is loaded. Looks after each collection, which is when it grows, whether it may go on growing; V8 makes it smaller again by itself when
 * little is done. Node's own option, --max-semi-space-size, can only be given from outside.
 */
export function limitYoungGeneration(): void {
  const grow = (factor: 1 | 2): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`);
  let factor: 1 | 2 = 2;
  new PerformanceObserver(() => {
    const size = getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space")?.space_size ?? 0;
    const wanted = size < enough ? 2 : 1;
    if (wanted === factor) return;
    factor = wanted;
    grow(factor);
  }).observe({ entryTypes: ["gc"] });
  // What V8 compiled is kept for later starts with the flags of this moment, and is of no use to a start with others.
  process.once("exit", () => grow(2));
}
