/**
 * Fair queueing of synchronous work, such as SQLite reads, by time slices of the event loop: once a turn has used its
 * slice, further work waits for later turns, which serve the holders round-robin. Many long reads of one holder block
 * neither the event loop nor other holders.
 */

/** Time slice of a turn, in milliseconds. */
const slice = 4;
/** How long one holder is served before the next, in milliseconds, and the most pieces of work that begin in that time. */
const visited = 2;
const mostOfVisit = 4;

let began = 0;
let isMeasured = false;

/** When the current turn began, measured at its first use. */
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

interface QueuedWork {
  /** When it begins in any case. */
  readonly latest: number;
  begin(): void;
}

/** Queued work by holder; the first holder is served next. */
const waiting = new Map<string, QueuedWork[]>();
let isServing = false;

/**
 * Starts `work` immediately if the slice is not used up and nothing is queued, else when it is its holder's turn. `longest`: in milliseconds; what has waited so
 * long begins with the next turn, however many other holders wait. Always the same for a holder.
 */
export function inSlice<Result>(
  holder: string,
  work: () => Promise<Result>,
  { longest = Number.POSITIVE_INFINITY }: { readonly longest?: number } = {},
): Promise<Result> {
  // No await here: work must start in the same turn to be measured.
  if (waiting.size === 0 && !isSpent()) return work();
  return new Promise((resolve, reject) => {
    const own = waiting.get(holder) ?? [];
    own.push({
      latest: performance.now() + longest,
      begin: () => void (async () => work())().then(resolve, reject),
    });
    waiting.set(holder, own);
    if (isServing) return;
    isServing = true;
    setImmediate(serve);
  });
}

/**
 * Resolves once what has begun is done or waits for something outside of this turn: all statements of a read on SQLite follow each other as
 * microtasks, and only when they have run does the time show what it took.
 */
async function allDone(): Promise<void> {
  // Ticks run before microtasks, unless a microtask adds them: then all of these have run.
  await undefined;
  await new Promise<void>((resolve) => process.nextTick(resolve));
}

/** Serves one turn: some work of each holder, round-robin, until the slice is used up. */
async function serve(): Promise<void> {
  await beginLate();
  do {
    const [holder, own] = waiting.entries().next().value!;
    await visit(own);
    waiting.delete(holder);
    // Re-queues the holder behind all others.
    if (own.length > 0) waiting.set(holder, own);
  } while (waiting.size > 0 && !isSpent());
  isServing = waiting.size > 0;
  if (isServing) setImmediate(serve);
}

async function beginLate(): Promise<void> {
  for (const own of waiting.values())
    while (own.length > 0 && own[0]!.latest <= performance.now()) {
      own.shift()!.begin();
      await allDone();
    }
}

/** A holder of small work is served as long as one of a large piece, so that it does not wait for as many of these. */
async function visit(own: QueuedWork[]): Promise<void> {
  const began = performance.now();
  for (let served = 0; served < mostOfVisit && own.length > 0 && performance.now() - began < visited; served += 1) {
    own.shift()!.begin();
    await allDone();
  }
}
