/** A gate lets so many in at once, keeps the others in their order, and no more of them than it was told. */
import { expect, test } from "vitest";
import { createSemaphore } from "../../src/kit/waiting/semaphore.ts";
import { TooManyRequests } from "../../src/vocabulary/errors.ts";

test("two at once, three wait in their order, and the next is told to come again", async () => {
  const gate = createSemaphore(2, 3);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const enter = (number: number) =>
    gate(() => {
      begun.push(number);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const entered = [1, 2, 3, 4, 5].map(enter);
  await expect(enter(6)).rejects.toThrow(TooManyRequests);
  expect(begun).toEqual([1, 2]);
  ends[0]!();
  await entered[0];
  // One more may wait now.
  entered.push(enter(7));
  await expect(enter(8)).rejects.toThrow(TooManyRequests);
  for (let next = 1; next < 6; next++) {
    await expect.poll(() => ends.length).toBeGreaterThan(next);
    ends[next]!();
  }
  await Promise.all(entered);
  expect(begun).toEqual([1, 2, 3, 4, 5, 7]);
});
