/** The progress line: its text, never wider than the terminal, and nothing if the output is not a terminal. */
import { describe, expect, test } from "vitest";
import { progressLine, startProgress } from "../../terminal/output/progress.ts";
import { readable } from "../support/pseudo-terminal.ts";

const moment = { rows: 45_000, rate: 5120.4, fraction: 0.45, secondsLeft: 75 };

describe("progressLine", () => {
  test.each([
    [100, "[=============                 ]  45%  45,000 rows  5,120 rows/s  1:15 left"],
    [60, "[======        ]  45%  45,000 rows  5,120 rows/s  1:15 left"],
    [50, " 45%  45,000 rows  5,120 rows/s  1:15 left"],
    [42, "[====      ]  45%  45,000 rows  1:15 left"],
    [34, " 45%  45,000 rows  1:15 left"],
    [28, " 45%  1:15 left"],
    [20, " 45%  1:15 left"],
    [10, " 45%"],
    [3, " 4"],
    [0, "[=============                 ]  45%  45,000 rows  5,120 rows/s  1:15 left"],
  ])("in %i columns", (columns, line) => expect(progressLine(moment, columns)).toBe(line));

  test.each([
    ["an unknown end", { ...moment, fraction: null, secondsLeft: null }, "45,000 rows  5,120 rows/s"],
    ["the first moment", { rows: 0, rate: null, fraction: 0, secondsLeft: null }, `[${" ".repeat(30)}]   0%  0 rows`],
    ["hours", { ...moment, fraction: null, secondsLeft: 3723 }, "45,000 rows  5,120 rows/s  1:02:03 left"],
  ])("of %s", (_name, given, line) => expect(progressLine(given, 80)).toBe(line));

  test("never fills the last column, in which a terminal may wrap", () => {
    for (let columns = 2; columns <= 120; columns++) {
      expect(progressLine(moment, columns).length).toBeLessThan(columns);
    }
  });
});

describe("startProgress", () => {
  function watch({ isTTY }: { isTTY: boolean }) {
    let time = 0;
    let written = "";
    const stream = { isTTY, columns: 80, write: (text: string) => ((written += text), true) };
    const progress = startProgress({ total: 1000, stream: stream as never, now: () => time });
    return { progress, written: () => readable(written), at: (milliseconds: number) => (time = milliseconds) };
  }

  test("draws at most ten times a second, measures the rate, and ends with a line that stays", () => {
    const { progress, written, at } = watch({ isTTY: true });
    for (let row = 1; row <= 1000; row++) {
      at(row * 10);
      progress.update(row, row);
    }
    progress.finish();
    progress.clear();
    const drawn = written().split("⌫");
    expect(drawn.length).toBeGreaterThan(90);
    expect(drawn.length).toBeLessThan(105);
    expect(drawn[51]).toMatch(/^\[=+ +\] {2}50% {2}50\d rows {2}100 rows\/s {2}0:05 left$/);
    expect(drawn.at(-1)).toBe("1,000 rows in 0:10, 100 rows/s\n");
  });

  test("measures over the last seconds, so that a slow beginning is forgotten", () => {
    const { progress, written, at } = watch({ isTTY: true });
    for (const [milliseconds, rows] of [
      [1000, 1],
      [20_000, 20],
      [21_000, 120],
      [40_000, 140],
      [41_000, 240],
    ] as const) {
      at(milliseconds);
      progress.update(rows, rows);
    }
    expect(written().split("⌫").at(-1)).toContain("240 rows  100 rows/s  0:08 left");
  });

  test("clears its line, once", () => {
    const { progress, written } = watch({ isTTY: true });
    progress.clear();
    expect(written()).toBe("");
    progress.update(1, 1);
    progress.clear();
    progress.clear();
    expect(written()).toMatch(/^⌫[^⌫]+⌫$/);
  });

  test("says nothing in a pipe", () => {
    const { progress, written } = watch({ isTTY: false });
    progress.update(1, 1);
    progress.finish();
    expect(written()).toBe("");
  });
});
