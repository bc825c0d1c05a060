/** Random numbers that a seed brings back: CRM_TEST_SEED repeats a run whose seed was printed. */

/** Numbers from 0 to 1 for the test `name`; says with which seed they began. */
export function chanceOf(name: string): () => number {
  const seed = Number(process.env["CRM_TEST_SEED"] ?? Math.floor(Math.random() * 2 ** 32));
  process.stdout.write(`${name}: CRM_TEST_SEED=${seed}\n`);
  // mulberry32: small, and good enough to choose moments by.
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
