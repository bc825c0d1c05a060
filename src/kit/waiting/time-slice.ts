/**
 * Fair queueing of work that is synchronous, such as a read of SQLite, by time slices of the event loop: once a turn has used its slice,
 * further work waits for later turns, where the holders take turns. Many long reads of one holder keep neither the loop nor another holder.
 */

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

/** What waits, by holder; the first holder is served next. */
const waiting = new Map<string, (() => void)[]>();
let isServing = false;

/** Begins `work` at once while the present turn has time left and nothing waits; else when its holder's turn has come. */
export function inSlice<Result>(holder: string, work: () => Promise<Result>): Promise<Result> {
  // No await in between, or what begins in this turn would not be measured by what follows.
  if (waiting.size === 0 && !isSpent()) return work();
  return new Promise((resolve, reject) => {
    const own = waiting.get(holder) ?? [];
    own.push(() => void (async () => work())().then(resolve, reject));
    waiting.set(holder, own);
    if (isServing) return;
    isServing = true;
    setImmediate(serve);
  });
}

/** One turn: the heads of the holders, one after the other, as long as the slice lasts. */
async function serve(): Promise<void> {
  do {
    const [holder, own] = waiting.entries().next().value!;
    const begin = own.shift()!;
    waiting.delete(holder);
    // Behind all others.
    if (own.length > 0) waiting.set(holder, own);
    begin();
    await undefined;
  } while (waiting.size > 0 && !isSpent());
  isServing = waiting.size > 0;
  if (isServing) setImmediate(serve);
}
