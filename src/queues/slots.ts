/** Shares out the free slots of a process among holders of items, within the limits of each. */
import type { AdaptiveConcurrency } from "./adaptive-concurrency.ts";

/** How many items to claim of a due holder. */
export interface Share<Due> {
  readonly due: Due;
  readonly take: number;
}

export interface Standing {
  /** The ID of the holder. */
  readonly holder: number;
  /** Whether it was failing before this process knew it. */
  readonly isFailing: boolean;
}

interface SlotsToShare<Due> {
  /** The most that are shared out. */
  readonly most: number;
  /** What load shedding leaves to these: those beside have a share of their own. */
  readonly room: number;
  /** Items that are about to start as well. */
  readonly beside: readonly Share<Due>[];
}

interface Slots<Due> {
  /** Divides the slots evenly among the holders. */
  divide(found: readonly Due[], slots: SlotsToShare<Due>): Share<Due>[];
  /** Those of the shares that fit as a whole, in their order. */
  whole(wanted: readonly Share<Due>[], slots: SlotsToShare<Due>): Share<Due>[];
}

interface SlotsOptions<Due> {
  readonly allowances: Pick<AdaptiveConcurrency, "plan">;
  standingOf(due: Due): Standing;
}

export function createSlots<Due>({ allowances, standingOf }: SlotsOptions<Due>): Slots<Due> {
  function begin({ most, room, beside }: SlotsToShare<Due>) {
    const plan = allowances.plan();
    for (const { due, take } of beside) plan.take(standingOf(due).holder, take);
    let left = Math.max(0, Math.min(most, room, plan.free()));
    return {
      left: () => left,
      roomFor(due: Due) {
        const { holder, isFailing } = standingOf(due);
        return Math.min(left, plan.roomFor(holder, isFailing));
      },
      take(due: Due, count: number) {
        plan.take(standingOf(due).holder, count);
        left -= count;
      },
    };
  }

  return {
    divide(found, slots) {
      const shares: Share<Due>[] = [];
      const sharing = begin(slots);
      for (const [place, due] of found.entries()) {
        const even = Math.ceil(sharing.left() / (found.length - place));
        const take = Math.min(even, sharing.roomFor(due));
        if (take === 0) continue;
        shares.push({ due, take });
        sharing.take(due, take);
      }
      return shares;
    },
    whole(wanted, slots) {
      const sharing = begin(slots);
      return wanted.filter(({ due, take }) => {
        if (take > sharing.roomFor(due)) return false;
        sharing.take(due, take);
        return true;
      });
    },
  };
}
