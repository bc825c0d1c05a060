/** Long work takes turns: one after the other, and whatever else is due comes in between. */
import { expect, test } from "vitest";
import { createLine, nextTurn, takeTurn } from "../../src/kit/turns.ts";

test("each begins when the one before it is done, and gives its own result", async () => {
  const inLine = createLine();
  const seen: string[] = [];
  const work = (name: string) =>
    inLine(async () => {
      seen.push(`${name} begins`);
      await nextTurn();
      seen.push(`${name} ends`);
      return name;
    });
  expect(await Promise.all([work("one"), work("two")])).toEqual(["one", "two"]);
  expect(seen).toEqual(["one begins", "one ends", "two begins", "two ends"]);
});

test("who fails is told so, and holds up nobody", async () => {
  const inLine = createLine();
  const failing = inLine(() => Promise.reject(new Error("broken")));
  const next = inLine(async () => "whole");
  await expect(failing).rejects.toThrow("broken");
  expect(await next).toBe("whole");
});

test("what follows on one that is done has its turn before the next begins", async () => {
  const seen: string[] = [];
  const inLine = createLine();
  async function answer(name: string): Promise<void> {
    await inLine(async () => {});
    seen.push(`${name} is made`);
    await Promise.resolve();
    seen.push(`${name} leaves`);
  }
  const others = (async () => {
    for (let turn = 0; turn < 10; turn++) {
      await nextTurn();
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
  void nextTurn().then(() => seen.push("the next turn"));
  await takeTurn(1000);
  expect(seen).toEqual([]);
  await takeTurn(100_000);
  expect(seen).toEqual(["the next turn"]);
});
