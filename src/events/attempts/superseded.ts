/** Runs a transaction again in which a contact turned out to have been merged into another: no lock that it took before is held then. */

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

/**
 * Runs `work` until it names no merged contact that it does not know of. Locking the survivor in the first transaction would take contacts
 * out of order (docs/lock-order.md). It ends: each round knows further merges, and merges do not form a cycle.
 */
export async function withSurvivors<Result>(work: (survivors: Survivors) => Promise<Result>): Promise<Result> {
  for (let survivors = noSurvivors; ;) {
    try {
      return await work(survivors);
    } catch (error) {
      if (!(error instanceof Superseded)) throw error;
      survivors = new Map([...survivors, ...error.survivors]);
    }
  }
}
