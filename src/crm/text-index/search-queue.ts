/**
 * Fair queues for the statements of searches, which keep a processor of the database busy for milliseconds: of a holder one at a time, and two of all
 * holders, so that many searches of one are hardly felt by others.
 */
import type { LocationContext, Reader } from "../../events/caller.ts";
import { queueKeyOf } from "../../events/read-queue.ts";
import { createFairPlaces } from "../../kit/waiting/fair-places.ts";
import { yieldToEventLoop } from "../../kit/waiting/fair-lock.ts";
import { TooManyRequests } from "../../vocabulary/errors.ts";

/** The longest wait in milliseconds, in which some hundred searches of the same holder are done. */
const patience = 10_000;
/** Retry-After in seconds. */
const comeAgain = 5;
const createQueue = () => createFairPlaces(2, { ofHolder: 1, patience, late: () => new TooManyRequests(comeAgain) });

const shortOnes = createQueue();
const longOnes = createQueue();

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
