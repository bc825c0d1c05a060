/** The load of the event loop, as the worker reads it between two runs of a duty. */
import { expect, test } from "vitest";
import { createLoopLoad } from "../../src/kit/waiting/loop-load.ts";

test("is that of the last tenth of a second, measured once", () => {
  let time = 0;
  const shares = [0.8, 0.2];
  let measured = 0;
  const load = createLoopLoad({ now: () => time, busy: () => shares[measured++]! });
  const seen = [0, 99, 100, 150, 199, 200, 250].map((at) => {
    time = at;
    return load();
  });
  expect([seen, measured]).toEqual([[0, 0, 0.8, 0.8, 0.8, 0.2, 0.2], 2]);
});
