/** Long work takes turns: one after the other, and whatever else is due comes in between. */
import { expect, test } from "vitest";
import {
  createFairLock,
  createSerialQueue,
  yieldToEventLoop,
  awaitRenderTurn,
} from "../../src/kit/waiting/fair-lock.ts";

test("each begins when the one before it is done, and gives its own result", async () => {
  const inLine = createSerialQueue();
  const seen: string[] = [];
  const work = (name: string) =>
    inLine(async () => {
      seen.push(`${name} begins`);
      await yieldToEventLoop();
      seen.push(`${name} ends`);
      return name;
    });
  expect(await Promise.all([work("one"), work("two")])).toEqual(["one", "two"]);
  expect(seen).toEqual(["one begins", "one ends", "two begins", "two ends"]);
});

test("who fails is told so, and holds up nobody", async () => {
  const inLine = createSerialQueue();
  const failing = inLine(() => Promise.reject(new Error("broken")));
  const next = inLine(async () => "whole");
  await expect(failing).rejects.toThrow("broken");
  expect(await next).toBe("whole");
});

test("what follows on one that is done has its turn before the next begins", async () => {
  const seen: string[] = [];
  const inLine = createSerialQueue();
  async function answer(name: string): Promise<void> {
    await inLine(async () => {});
    seen.push(`${name} is made`);
    await Promise.resolve();
    seen.push(`${name} leaves`);
  }
  const others = (async () => {
    for (let turn = 0; turn < 10; turn++) {
      await yieldToEventLoop();
      seen.push("another");
    }
  })();
  await Promise.all([answer("one"), answer("two"), others]);
  const [one, two] = [seen.indexOf("one leaves"), seen.indexOf("two is made")];
  expect(one).toBe(seen.indexOf("one is made") + 1);
  expect(seen.slice(one, two)).toContain("another");
});

test("little text waits for no turn", async () => {
  const seen: string[] = [];
  void yieldToEventLoop().then(() => seen.push("the next turn"));
  await awaitRenderTurn(1000);
  expect(seen).toEqual([]);
  await awaitRenderTurn(100_000);
  expect(seen).toEqual(["the next turn"]);
});

/** Asks for work of so many pieces, each of which takes a turn, and notes the begin of each. */
function pieces(line: ReturnType<typeof createFairLock>, holder: string, count: number, seen: string[]): Promise<void> {
  return line(holder, async (turn) => {
    for (let number = 1; number <= count; number++) {
      await turn(async () => {
        seen.push(`${holder}${number}`);
        await yieldToEventLoop();
      });
    }
  });
}

test("who has much to do waits for himself, and everybody else for single pieces", async () => {
  const line = createFairLock(1);
  const seen: string[] = [];
  const asked = [pieces(line, "a", 3, seen), pieces(line, "a", 2, seen), pieces(line, "b", 2, seen)];
  await Promise.all(asked);
  expect(seen.join(" ")).toBe("a1 b1 a2 b2 a3 a1 a2");
});

test("no more pieces are done at a time than there are places, and no two begin in one turn", async () => {
  const line = createFairLock(2);
  let [now, most, turns, last] = [0, 0, 0, -1];
  let counting = true;
  const count = (): void => {
    turns += 1;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  const work = (holder: string) =>
    line(holder, (turn) =>
      turn(async () => {
        expect(turns).not.toBe(last);
        last = turns;
        now += 1;
        most = Math.max(most, now);
        for (let left = 5; left > 0; left--) await yieldToEventLoop();
        now -= 1;
      }),
    );
  await Promise.all(["a", "b", "c", "d"].map(work));
  counting = false;
  expect(most).toBe(2);
});

test("a holder has a hundred in line at most, and nobody else hears of it", async () => {
  const line = createFairLock(2);
  const released = Promise.withResolvers<void>();
  const stand = (holder: string) => line(holder, (turn) => turn(() => released.promise));
  const standing = Array.from({ length: 100 }, () => stand("a"));
  await expect(stand("a")).rejects.toThrow("Too many requests. Try again in 5 seconds.");
  const other = stand("b");
  released.resolve();
  await Promise.all([...standing, other]);
  await stand("a");
});

test("a piece that fails gives its place and its turn to the next", async () => {
  const line = createFairLock(1);
  const failing = line("a", (turn) => turn(() => Promise.reject(new Error("broken"))));
  const next = line("a", (turn) => turn(async () => "whole"));
  await expect(failing).rejects.toThrow("broken");
  expect(await next).toBe("whole");
});
