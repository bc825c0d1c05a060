/**
 * Loaded into a process whose memory is looked at (`--import`): tells over stderr, a line each second, what V8 and Node say of it, at exit the peak, and
 * on SIGUSR2 what is still in use after a collection, with a heap snapshot where one is wanted (SOAK_SNAPSHOTS names the folder).
 */
import { join } from "node:path";
import { setFlagsFromString, writeHeapSnapshot } from "node:v8";
import { runInNewContext } from "node:vm";

const megabyte = 2 ** 20;
let snapshots = 0;

function tell(name: string): void {
  const { rss, heapTotal, heapUsed, external } = process.memoryUsage();
  const figures = [rss, heapTotal, heapUsed, external].map((bytes) => (bytes / megabyte).toFixed(1));
  process.stderr.write(`${name} ${figures.join(" ")}\n`);
}

process.on("exit", () => process.stderr.write(`peak ${(process.resourceUsage().maxRSS / 1024).toFixed(0)}\n`));
setInterval(() => tell("memory"), 1000).unref();
process.on("SIGUSR2", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  // What a first collection lets go of may hold on to more until the second.
  for (let time = 0; time < 3; time++) collect();
  tell("collected");
  const folder = process.env["SOAK_SNAPSHOTS"];
  if (folder !== undefined) writeHeapSnapshot(join(folder, `${process.pid}-${++snapshots}.heapsnapshot`));
});
