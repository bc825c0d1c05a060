/** Measures products in turns (A B, B A, …) and prints a Markdown table: the median of each with its quartiles, and how many times as fast the first is. */
import { toRatio } from "../interleave.ts";
import type { Ratio } from "../interleave.ts";

/** What a row counts: a rate, of which more is better, or a time, of which less is. */
type Kind = "rate" | "time";

export interface Table {
  /** Adds the value that one round has given a product in a row. */
  note(row: string, product: string, value: number): void;
  /** In Markdown; the rounds are as many as values were noted. */
  print(): void;
}

/** `products` are the columns, the one that the others are compared with first. */
export function openTable(products: readonly [string, ...string[]], kindOf: (row: string) => Kind): Table {
  const [first, ...peers] = products;
  const rows = new Map<string, Map<string, number[]>>();

  function ratio(row: string, noted: ReadonlyMap<string, number[]>, peer: string): string {
    const [ours, theirs] = [noted.get(first), noted.get(peer)];
    if (ours === undefined || theirs === undefined) return "";
    const ratios = ours.map((value, round) =>
      kindOf(row) === "rate" ? value / theirs[round]! : theirs[round]! / value,
    );
    return toText(toRatio(ratios));
  }

  return {
    note(row, product, value) {
      const noted = rows.get(row) ?? new Map<string, number[]>();
      rows.set(row, noted.set(product, [...(noted.get(product) ?? []), value]));
    },
    print() {
      const titles = ["", first, ...peers.flatMap((peer) => [peer, `times as fast as ${peer}`])];
      const cells = [...rows].map(([row, noted]) => {
        const cell = (product: string): string => {
          const values = noted.get(product);
          return values === undefined ? "" : toText(toRatio(values));
        };
        return [row, cell(first), ...peers.flatMap((peer) => [cell(peer), ratio(row, noted, peer)])];
      });
      for (const line of [titles, titles.map(() => "---"), ...cells]) console.log(`| ${line.join(" | ")} |`);
    },
  };
}

/** Every second round goes the other way round. The round before the first is a warm-up, of which nothing should be noted. */
export async function takeTurns(
  rounds: number,
  turns: readonly ((isWarmUp: boolean) => Promise<void>)[],
): Promise<void> {
  for (const turn of turns) await turn(true);
  for (let round = 0; round < rounds; round++)
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn(false);
}

const digits = new Intl.NumberFormat("en", { maximumSignificantDigits: 3, useGrouping: false });

function toText({ median, low, high }: Ratio): string {
  return `${digits.format(median)} (${digits.format(low)}–${digits.format(high)})`;
}
