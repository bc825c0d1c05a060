/** Measures two sides in turns, A B B A …, and gives what counts: the median of the ratios of neighbours. */
import type { Load } from "./load-process.ts";
import type { Plan } from "./plan.ts";

/** A ratio, with the quarter of the rounds below and the quarter above left out for its range. */
export interface Ratio {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** How a slice of load for one side looks. */
export interface Side {
  readonly port: number;
  readonly requests: readonly string[];
}

/** Answers a second of `first` divided by those of `second`; every answer must have `status`. */
export async function compareRates(load: Load, plan: Plan, status: number, first: Side, second: Side): Promise<Ratio> {
  const { connections, seconds } = plan;
  const measure = ({ port, requests }: Side) => load.measure({ port, connections, seconds, requests, status });
  for (let slice = 0; slice < plan.warmUps; slice++) {
    await measure(first);
    await measure(second);
  }
  return interleave(
    plan.rounds,
    () => measure(first),
    () => measure(second),
  );
}

/** What `first` measures divided by what `second` measures, `rounds` times. */
export async function interleave(
  rounds: number,
  first: () => Promise<number>,
  second: () => Promise<number>,
): Promise<Ratio> {
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) {
      const measured = await first();
      ratios.push(measured / (await second()));
    } else {
      const measured = await second();
      ratios.push((await first()) / measured);
    }
  }
  return toRatio(ratios);
}

export function toRatio(ratios: readonly number[]): Ratio {
  const sorted = ratios.toSorted((a, b) => a - b);
  const at = (share: number): number => {
    const place = share * (sorted.length - 1);
    const below = sorted[Math.floor(place)]!;
    return below + (sorted[Math.ceil(place)]! - below) * (place % 1);
  };
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}
