/**
 * Bounds the time that all connections together parse in one turn of the event loop: a body in chunks of one byte takes a hundred times as long as
 * its bytes, and some connections of them would block all others.
 */

/** Milliseconds per turn. */
const mostPerTurn = 4;
/** Milliseconds that several turns may share: to notice the end of each would cost a tenth of the small requests per second. */
const little = 1;

let spent = 0;
let isScheduled = false;
const waiting: (() => void)[] = [];

function nextTurn(): void {
  isScheduled = false;
  spent = 0;
  // In their order: one that is not done waits again, behind the others.
  while (waiting.length > 0 && !isTurnSpent()) waiting.shift()!();
  if (waiting.length > 0) schedule();
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(nextTurn);
}

/** Whether the parsing of this turn took its time. */
export function isTurnSpent(): boolean {
  return spent >= mostPerTurn;
}

/** Parses a piece and counts its time. */
export function spend(parse: () => void): void {
  const begun = performance.now();
  parse();
  spent += performance.now() - begun;
  if (spent >= little) schedule();
}

/** Calls `goOn` in the next turn with time left, after those that wait already: who is served first in a turn must not be served first in each. */
export function awaitTurn(goOn: () => void): void {
  waiting.push(goOn);
  schedule();
}
