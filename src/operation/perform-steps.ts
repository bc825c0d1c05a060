/** Performs the steps of an operation, of which one change may complete the work. */
import type { Change, LocationContext } from "../events/caller.ts";
import type { Complete } from "./operation.ts";
import type { Outcome } from "./outcome.ts";

/** Thrown to the steps: the response is that of another request with the same Idempotency-Key. */
class CompletedEarlier extends Error {}

/** `commit` does not run its work if another request was first; `show` makes the outcome of steps that did not call `complete`. */
export async function performSteps<Stored>(
  steps: (complete: Complete) => Promise<unknown>,
  commit: (work: (change: Change<LocationContext>) => Promise<unknown>) => Promise<Outcome | Stored>,
  show: (result: unknown) => Outcome,
): Promise<Outcome | Stored> {
  let completed: Outcome | Stored | undefined;
  async function complete<Result>(work: (change: Change<LocationContext>) => Promise<Result>): Promise<Result> {
    let result: { readonly of: Result } | undefined;
    completed = await commit(async (change) => {
      result = { of: await work(change) };
      return result.of;
    });
    if (result === undefined) throw new CompletedEarlier();
    return result.of;
  }
  try {
    const result = await steps(complete);
    return completed ?? show(result);
  } catch (error) {
    if (error instanceof CompletedEarlier && completed !== undefined) return completed;
    throw error;
  }
}
