/** Measures two sides or more in turns, A B B A …, and gives what counts: the median of the ratios of neighbours. */
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
  const [ratio] = await compareWithAll(load, plan, status, first, [second]);
  return ratio!;
}

/** The same with each of `others`, measured in the same rounds. */
export async function compareWithAll(
  load: Load,
  plan: Plan,
  status: number,
  first: Side,
  others: readonly Side[],
): Promise<Ratio[]> {
  const { connections, seconds } = plan;
  const measure = ({ port, requests }: Side) => load.measure({ port, connections, seconds, requests, status });
  for (let slice = 0; slice < plan.warmUps; slice++) {
    for (const side of [first, ...others]) await measure(side);
  }
  return interleaveAll(
    plan.rounds,
    () => measure(first),
    others.map((side) => () => measure(side)),
  );
}

type Measure = () => Promise<number>;

/** What `first` measures divided by what `second` measures, `rounds` times. */
export async function interleave(rounds: number, first: Measure, second: Measure): Promise<Ratio> {
  const [ratio] = await interleaveAll(rounds, first, [second]);
  return ratio!;
}

/** Every second round goes the other way round: A B C, C B A. */
async function interleaveAll(rounds: number, first: Measure, others: readonly Measure[]): Promise<Ratio[]> {
  const ratios = others.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    const measured: number[] = [];
    const turns = [...[first, ...others].entries()];
    for (const [place, measure] of round % 2 === 0 ? turns : turns.toReversed()) measured[place] = await measure();
    for (const [place, found] of ratios.entries()) found.push(measured[0]! / measured[place + 1]!);
  }
  return ratios.map(toRatio);
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
