/**
 * Time slices of the event loop for work that is synchronous, such as a read of SQLite: once a turn has used its slice, further work begins
 * in later turns, so that many long reads that came together do not keep the loop from everything else.
 */
import { nextTurn } from "./turns.ts";

/** Milliseconds of one turn in which further work may begin. */
const slice = 8;

let began = 0;
let isMeasured = false;

/** When the present turn began, as far as anything asked in it. */
function turnBegan(): number {
  if (!isMeasured) {
    isMeasured = true;
    began = performance.now();
    setImmediate(() => (isMeasured = false));
  }
  return began;
}

function isSpent(): boolean {
  return performance.now() - turnBegan() > slice;
}

/** Begins `work` at once while the present turn has time left, else in a later turn, in the order in which it was asked for. */
export function inSlice<Result>(work: () => Promise<Result>): Promise<Result> {
  // No await in between, or what begins in this turn would not be measured by what follows.
  return isSpent() ? later(work) : work();
}

async function later<Result>(work: () => Promise<Result>): Promise<Result> {
  while (isSpent()) await nextTurn();
  return work();
}
