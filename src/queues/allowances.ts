/**
 * How many things may be under way in this process for one whom they wait for: a webhook, a channel, a workflow. It has to earn its places: one
 * at first, twice as many after each that succeeds, one again after a failure. So a receiver that never answers holds one place and no
 * more, and all of those together at most half of the places, however much waits for them.
 */
interface ConcurrencyLimits {
  readonly mostAtOnce: number;
  readonly mostOfOne: number;
}

/** Holders that are remembered; beyond them, those that have nothing under way are forgotten. */
const mostRemembered = 10_000;

interface HolderConcurrency {
  flying: number;
  allowed: number;
  /** Whether the last attempt failed. */
  isSuspect: boolean;
}

export interface Allowances {
  /** How many more may start, all holders together. */
  free(): number;
  /** How many more of this holder may start. `isFailing`: whether it was failing before this process knew it. */
  roomFor(holder: number, isFailing: boolean): number;
  /** The holders that may start no more just now. */
  full(): number[];
  took(holder: number): void;
  /** `succeeded` is undefined for one that was given back. */
  ended(holder: number, succeeded: boolean | undefined): void;
}

export function createAllowances({ mostAtOnce, mostOfOne }: ConcurrencyLimits): Allowances {
  const mostOfSuspects = mostAtOnce / 2;
  const standings = new Map<number, HolderConcurrency>();
  let flying = 0;
  let suspects = 0;

  function standingOf(holder: number, isFailing = false): HolderConcurrency {
    const known = standings.get(holder);
    if (known !== undefined) return known;
    const standing = { flying: 0, allowed: 1, isSuspect: isFailing };
    standings.set(holder, standing);
    return standing;
  }

  function room({ flying: own, allowed, isSuspect }: HolderConcurrency): number {
    const left = isSuspect ? mostOfSuspects - suspects : mostAtOnce - flying;
    return Math.max(0, Math.min(allowed - own, left));
  }

  function forget(): void {
    if (standings.size <= mostRemembered) return;
    for (const [holder, standing] of standings) if (standing.flying === 0) standings.delete(holder);
  }

  return {
    free: () => mostAtOnce - flying,
    roomFor: (holder, isFailing) => room(standingOf(holder, isFailing)),
    full: () => [...standings].flatMap(([holder, standing]) => (room(standing) === 0 ? [holder] : [])),
    took(holder) {
      const standing = standingOf(holder);
      standing.flying += 1;
      flying += 1;
      if (standing.isSuspect) suspects += 1;
    },
    ended(holder, succeeded) {
      const standing = standingOf(holder);
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
