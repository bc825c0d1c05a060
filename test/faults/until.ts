/** Polls for an effect of another process, with a timeout. It rests longer than it looks: the other process needs the processor. */
import { setTimeout as sleep } from "node:timers/promises";

/** Resolves to the first result of `look` that is not undefined or false; fails with `what` after `patience` milliseconds. */
export async function until<Result>(
  what: string,
  look: () => Promise<Result | undefined | false> | Result | undefined | false,
  patience = 20_000,
): Promise<Result> {
  const started = performance.now();
  for (;;) {
    const begun = performance.now();
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() - started > patience) throw new Error(`${what}: not within ${patience} ms`);
    await sleep(Math.min(Math.max(10, 2 * (performance.now() - begun)), 100));
  }
}
