/**
 * How many deliveries a webhook may have under way in this process. It has to earn them: one at first, twice as many after each that
 * succeeds, one again after a failure. So a receiver that never answers holds one place and no more, and all of those together at
 * most half of the places, however much waits for them.
 */
const mostAtOnce = 1024;
export const mostOfOne = 16;
const mostOfSuspects = mostAtOnce / 2;
/** Webhooks that are remembered; beyond them, those that have nothing under way are forgotten. */
const mostRemembered = 10_000;

interface Standing {
  flying: number;
  allowed: number;
  /** Whether the last attempt failed. */
  isSuspect: boolean;
}

export interface Allowances {
  /** How many more may start, all webhooks together. */
  free(): number;
  /** How many more of this webhook may start. `isFailing`: whether it was failing before this process knew it. */
  roomFor(hookId: number, isFailing: boolean): number;
  /** The webhooks that may start no more just now. */
  full(): number[];
  took(hookId: number): void;
  /** `succeeded` is undefined for one that was given back. */
  ended(hookId: number, succeeded: boolean | undefined): void;
}

export function createAllowances(): Allowances {
  const standings = new Map<number, Standing>();
  let flying = 0;
  let suspects = 0;

  function standingOf(hookId: number, isFailing = false): Standing {
    const known = standings.get(hookId);
    if (known !== undefined) return known;
    const standing = { flying: 0, allowed: 1, isSuspect: isFailing };
    standings.set(hookId, standing);
    return standing;
  }

  function room({ flying: own, allowed, isSuspect }: Standing): number {
    const left = isSuspect ? mostOfSuspects - suspects : mostAtOnce - flying;
    return Math.max(0, Math.min(allowed - own, left));
  }

  function forget(): void {
    if (standings.size <= mostRemembered) return;
    for (const [hookId, standing] of standings) if (standing.flying === 0) standings.delete(hookId);
  }

  return {
    free: () => mostAtOnce - flying,
    roomFor: (hookId, isFailing) => room(standingOf(hookId, isFailing)),
    full: () => [...standings].flatMap(([hookId, standing]) => (room(standing) === 0 ? [hookId] : [])),
    took(hookId) {
      const standing = standingOf(hookId);
      standing.flying += 1;
      flying += 1;
      if (standing.isSuspect) suspects += 1;
    },
    ended(hookId, succeeded) {
      const standing = standingOf(hookId);
      if (standing.isSuspect) suspects -= standing.flying;
      standing.flying -= 1;
      flying -= 1;
      if (succeeded !== undefined) {
        standing.allowed = succeeded ? Math.min(mostOfOne, standing.allowed * 2) : 1;
        standing.isSuspect = !succeeded;
      }
      if (standing.isSuspect) suspects += standing.flying;
      forget();
    },
  };
}
