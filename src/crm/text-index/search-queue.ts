/**
 * Fair queues for the statements of searches, which keep a processor of the database busy for milliseconds: of a holder one at a time, and a few of all
 * holders, so that many searches of one are hardly felt by others.
 */
import type { LocationContext, Reader } from "../../events/caller.ts";
import { queueKeyOf } from "../../events/read-queue.ts";
import { createFairPlaces } from "../../kit/waiting/fair-places.ts";
import { yieldToEventLoop } from "../../kit/waiting/fair-lock.ts";
import { TooManyRequests } from "../../vocabulary/errors.ts";

/** Of all holders at a time: most of PostgreSQL's pool is left to other requests. */
const atOnce = { short: 4, long: 2 };
/** The longest wait in milliseconds, in which hundreds of short statements of the same holder are done, or some fifty long ones. */
const patience = { short: 10_000, long: 30_000 };
/** Retry-After in seconds. */
const comeAgain = 5;
const createQueue = (size: "short" | "long") =>
  createFairPlaces(atOnce[size], {
    ofHolder: 1,
    patience: patience[size],
    late: () => new TooManyRequests(comeAgain),
  });

const shortOnes = createQueue("short");
const longOnes = createQueue("long");

/** Runs a statement that looks candidates up or judges them. `isLong`: it may take half a second, and others do not wait for it. */
export function inSearchQueue<Result>(
  reader: Reader<LocationContext>,
  statement: () => Promise<Result>,
  { isLong = false }: { readonly isLong?: boolean } = {},
): Promise<Result> {
  return (isLong ? longOnes : shortOnes).run(queueKeyOf(reader), async () => {
    await yieldToEventLoop();
    return statement();
  });
}
