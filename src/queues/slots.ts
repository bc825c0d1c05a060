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
  readonly allowances: Pick<AdaptiveConcurrency, "free" | "roomFor">;
  standingOf(due: Due): Standing;
}

export function createSlots<Due>({ allowances, standingOf }: SlotsOptions<Due>): Slots<Due> {
  function roomIn({ most, room, beside }: SlotsToShare<Due>): { left: number; of: (due: Due) => number } {
    const taken = new Map(beside.map(({ due, take }) => [standingOf(due).holder, take]));
    const free = allowances.free() - beside.reduce((sum, { take }) => sum + take, 0);
    return {
      left: Math.max(0, Math.min(most, room, free)),
      of(due) {
        const { holder, isFailing } = standingOf(due);
        return Math.max(0, allowances.roomFor(holder, isFailing) - (taken.get(holder) ?? 0));
      },
    };
  }

  return {
    divide(found, slots) {
      const shares: Share<Due>[] = [];
      const room = roomIn(slots);
      let { left } = room;
      for (const [place, due] of found.entries()) {
        const even = Math.ceil(left / (found.length - place));
        const take = Math.min(even, room.of(due));
        if (take > 0) shares.push({ due, take });
        left -= take;
      }
      return shares;
    },
    whole(wanted, slots) {
      const room = roomIn(slots);
      let { left } = room;
      return wanted.filter(({ due, take }) => {
        if (take > left || take > room.of(due)) return false;
        left -= take;
        return true;
      });
    },
  };
}
