/**
 * Seeds and samples. `npm test` takes a random sample of what is long. CRM_TEST_RUNS=2 takes twice as many rows, random inputs and rounds,
 * hence both databases; CRM_TEST_RUNS=all as many as there are. Each sample prints its seed, and CRM_TEST_SEED repeats it.
 */
import { hash } from "node:crypto";

const { CRM_TEST_RUNS, CRM_TEST_SEED } = process.env;
const factor = CRM_TEST_RUNS === "all" ? Number.POSITIVE_INFINITY : Number(CRM_TEST_RUNS ?? 1);
/** Whether what `npm test` leaves out as a whole runs as well. */
export const isLongRun = factor > 1;
if (!(factor >= 1)) throw new Error(`CRM_TEST_RUNS is ${CRM_TEST_RUNS}; expected "all" or a number from 1.`);

/** The seed of the test `name`: of the one that is printed and of the name, so that tests of one CRM_TEST_SEED do not all choose the same database. */
function seedOf(name: string): number {
  const seed = Number(CRM_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));
  process.stdout.write(`${name}: CRM_TEST_SEED=${seed}\n`);
  return (seed ^ hash("sha256", name, "buffer").readUInt32LE()) & 0x7fffffff;
}

/** Numbers from 0 to 1 for the test `name`; prints the seed. */
export function chanceOf(name: string): () => number {
  return chanceFrom(seedOf(name));
}

/** Numbers from 0 to 1 by a seed. */
export function chanceFrom(seed: number): () => number {
  // mulberry32: small, and good enough to choose moments by.
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** How often something repeats: `few` times in a sample, `all` at most. */
export function repetitions(few: number, all: number): number {
  return Math.min(all, few * factor);
}

/** What fast-check takes for the property `name`: as many runs as `repetitions` says, and a seed, which is printed. */
export function runsOf(name: string, few: number, all: number): { numRuns: number; seed: number } {
  const numRuns = repetitions(few, all);
  return { numRuns, seed: seedOf(`${name}, ${numRuns} of ${all} runs`) };
}

/** `few` of the rows of the test `name`, or as many times as `repetitions` says, in their order; prints the seed. */
export function sampleOf<Row>(name: string, few: number, rows: readonly Row[]): readonly Row[] {
  const count = repetitions(few, rows.length);
  if (count === rows.length) return rows;
  const chance = chanceFrom(seedOf(`${name}, ${count} of ${rows.length}`));
  const places = rows.map((_, place) => place);
  for (let drawn = 0; drawn < count; drawn++) {
    const other = drawn + Math.floor(chance() * (places.length - drawn));
    [places[drawn], places[other]] = [places[other]!, places[drawn]!];
  }
  return places
    .slice(0, count)
    .toSorted((a, b) => a - b)
    .map((place) => rows[place]!);
}

/** A third of the rows, chosen like those of `sampleOf`. */
export function aThirdOf<Row>(name: string, rows: readonly Row[]): readonly Row[] {
  return sampleOf(name, Math.ceil(rows.length / 3), rows);
}
