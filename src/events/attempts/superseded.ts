/** Runs a transaction again in which a contact turned out to have been merged into another: no lock that it took before is held then. */

import { isReferenceGone } from "../../storage/faults.ts";

/** Ids of merged contacts, and for each the contact that took its place. */
export type Survivors = ReadonlyMap<number, number>;

export const noSurvivors: Survivors = new Map();

/** Thrown by a change that names merged contacts (crm/contact-redirects.ts). */
export class Superseded extends Error {
  readonly survivors: Survivors;
  constructor(survivors: Survivors) {
    super(`contacts were merged into others: ${JSON.stringify([...survivors])}`);
    this.survivors = survivors;
  }
}

/** How often a change begins anew because a record to which it refers was deleted; the next time it does not find that record. */
const mostDeletions = 5;

/**
 * Runs `work` until it names no merged contact that it does not know of. Locking the survivor in the first transaction would take contacts
 * out of order (docs/lock-order.md). It ends: each round knows further merges, and merges do not form a cycle. It also begins anew where the
 * database refuses a reference to a record that another change has deleted after it was found.
 */
export async function withSurvivors<Result>(work: (survivors: Survivors) => Promise<Result>): Promise<Result> {
  let survivors = noSurvivors;
  for (let deletions = 0; ;) {
    try {
      return await work(survivors);
    } catch (error) {
      if (error instanceof Superseded) survivors = new Map([...survivors, ...error.survivors]);
      else if (isReferenceGone(error) && deletions < mostDeletions) deletions += 1;
      else throw error;
    }
  }
}
