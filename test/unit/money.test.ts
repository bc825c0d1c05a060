/** Amounts of money: what two decimals say, exactly, and nothing that says more. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toCents } from "../../src/kit/input/money.ts";

describe("toCents", () => {
  test.each([
    [0, 0],
    [-0, 0],
    [0.01, 1],
    [0.07, 7],
    [0.1 + 0.2, 30],
    [1.1, 110],
    [29, 2900],
    [1.005, undefined],
    [1.001, undefined],
    [0.005, undefined],
    [0.3000001, undefined],
    [-0.01, undefined],
    [-1e-12, undefined],
    [10_000_000_000.01, 1_000_000_000_001],
    [90_071_992_547_409.91, 9_007_199_254_740_991],
    [90_071_992_547_409.92, undefined],
    [1e21, undefined],
    [1e300, undefined],
    [Number.POSITIVE_INFINITY, undefined],
    [Number.NaN, undefined],
    ["29", undefined],
    [null, undefined],
    [undefined, undefined],
    [[29], undefined],
  ])("%o is %o cents", (amount, cents) => {
    expect(toCents(amount)).toBe(cents);
  });

  test("whatever is written with two decimals is those cents, as far as numbers tell one cent from the next", () => {
    fc.assert(
      fc.property(fc.nat({ max: 2 ** 46 * 100 }), (cents) => {
        const digits = String(cents).padStart(3, "0");
        expect(toCents(Number(`${digits.slice(0, -2)}.${digits.slice(-2)}`))).toBe(cents);
      }),
    );
  });

  test("a third decimal is refused as long as a number can tell it", () => {
    fc.assert(
      fc.property(fc.nat({ max: 99_999_999 }), fc.integer({ min: 1, max: 9 }), (cents, mill) => {
        expect(toCents(Number(`${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, "0")}${mill}`))).toBe(
          undefined,
        );
      }),
    );
  });
});
