/**
 * An adaptive concurrency limit per holder (webhook, channel, workflow) in this process: it starts at one, doubles with
 * each success, and falls back to one after a failure. A receiver that never responds occupies one slot, and all
 * failing and slow receivers together at most half of the slots, however much is queued for them.
 */
interface ConcurrencyLimits {
  readonly mostAtOnce: number;
  readonly mostOfOne: number;
}

/** What takes longer is slow, in milliseconds. */
const slow = 1000;
/** Maximum number of tracked holders; beyond it, idle ones are dropped. */
const mostRemembered = 10_000;

/** The slots that a plan has taken: of all holders, of the failing and slow ones, and of one holder. */
const nonePlanned = { all: 0, suspects: 0, own: 0 };

interface HolderConcurrency {
  flying: number;
  allowed: number;
  /** Whether the last attempt failed, or was slow. */
  isSuspect: boolean;
}

/** Slots while they are shared out: what the plan takes is not free for the rest of it. */
interface SlotPlan {
  /** Free slots, all holders together. */
  free(): number;
  /** Free slots of this holder. `isFailing`: whether it was failing before this process knew it. */
  roomFor(holder: number, isFailing: boolean): number;
  take(holder: number, count: number): void;
}

export interface AdaptiveConcurrency {
  /** Free slots, all holders together. */
  free(): number;
  plan(): SlotPlan;
  /** The holders without a free slot. */
  full(): number[];
  took(holder: number): void;
  /**
   * `succeeded` is undefined for work that was released; `milliseconds`: how long it took. `madeRoom`: whether this holder had no free slot, and so
   * perhaps others, with which it shares them.
   */
  ended(holder: number, succeeded: boolean | undefined, milliseconds: number): { readonly madeRoom: boolean };
}

export function createAdaptiveConcurrency({ mostAtOnce, mostOfOne }: ConcurrencyLimits): AdaptiveConcurrency {
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

  function room({ flying: own, allowed, isSuspect }: HolderConcurrency, planned = nonePlanned): number {
    const left = isSuspect ? mostOfSuspects - suspects - planned.suspects : mostAtOnce - flying - planned.all;
    return Math.max(0, Math.min(allowed - own - planned.own, left));
  }

  function plan(): SlotPlan {
    const ofHolders = new Map<number, number>();
    let [all, ofSuspects] = [0, 0];
    return {
      free: () => mostAtOnce - flying - all,
      roomFor(holder, isFailing) {
        const planned = { all, suspects: ofSuspects, own: ofHolders.get(holder) ?? 0 };
        return room(standingOf(holder, isFailing), planned);
      },
      take(holder, count) {
        ofHolders.set(holder, (ofHolders.get(holder) ?? 0) + count);
        all += count;
        if (standingOf(holder).isSuspect) ofSuspects += count;
      },
    };
  }

  function forget(): void {
    if (standings.size <= mostRemembered) return;
    for (const [holder, standing] of standings) if (standing.flying === 0) standings.delete(holder);
  }

  return {
    free: () => mostAtOnce - flying,
    plan,
    full: () => [...standings].flatMap(([holder, standing]) => (room(standing) === 0 ? [holder] : [])),
    took(holder) {
      const standing = standingOf(holder);
      standing.flying += 1;
      flying += 1;
      if (standing.isSuspect) suspects += 1;
    },
    ended(holder, succeeded, milliseconds) {
      const standing = standingOf(holder);
      const madeRoom = room(standing) === 0;
      if (standing.isSuspect) suspects -= standing.flying;
      standing.flying -= 1;
      flying -= 1;
      if (succeeded !== undefined) {
        standing.allowed = succeeded ? Math.min(mostOfOne, standing.allowed * 2) : 1;
        standing.isSuspect = !succeeded || milliseconds > slow;
      }
      if (standing.isSuspect) suspects += standing.flying;
      forget();
      return { madeRoom };
    },
  };
}
