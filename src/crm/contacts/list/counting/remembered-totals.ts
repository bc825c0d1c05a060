/**
 * Remembers how many contacts a text was found in. An event lowers such a number by one at the most, so that a number and the events since are
 * a lower bound of it: the total of a common text, which is counted up to a limit, is known without counting again, and exact.
 */
import { logPlaces } from "../../../../events/following/positioned-events.ts";
import type { LocationContext, Reader, Tools } from "../../../../events/caller.ts";
import { inOwnedOrder, inOwnedRange, ownedBy } from "../../../../storage/reading/owned-range.ts";
import { sql } from "../../../../storage/sql-text.ts";
import { limits } from "../../../../vocabulary/limits.ts";
import type { PlannedConditions } from "../contact.list-plan.ts";

/** What a total depends on. Tests use smaller ones. */
export interface TotalLimits {
  /** The highest total. */
  readonly cap: number;
  /** How many more are counted of what is asked for again, and so for how many events it is known. */
  readonly slack: number;
}

const usualLimits: TotalLimits = { cap: limits.filteredTotalCap, slack: 2000 };

interface CountedMatches {
  /** The last position of the event log before it was counted. */
  readonly position: number;
  readonly count: number;
}

const mostRemembered = 500;
const longestKey = 4000;

/** By service instance, least recently used first. */
const remembered = new WeakMap<Tools, Map<string, CountedMatches>>();

/** The events of the location after a position, up to `slack` and some, and the last position. Those without a position may be older. */
const places = logPlaces("location_id");
const changesText = (slack: number) => sql`select (select last_position from event_log where id = 1) as position,
  (select count(*) from (select 1 as one from ${ownedBy("event_positions")}
    where ${inOwnedRange(places, { ">": "?" })} order by ${inOwnedOrder(places)} limit ${slack + 1}) as stamped)
    + (select count(*) from (select 1 as one from unstamped_events where location_id = ? limit ${slack + 1}) as waiting) as changes`;

/** Resolves to the number of matching contacts, up to a cap. `count` counts them up to at least the given number. */
export type FindTotal = (count: (most: number) => Promise<number>) => Promise<number>;

/**
 * Call it before anything is read that a count includes: of events since then, a remembered count knows. Only for conditions that a contact can
 * begin or cease to meet by nothing but a change that raises an event, the others are counted each time.
 */
export async function beginTotal(
  { tools, location, rows }: Reader<LocationContext>,
  { texts, params, followsEvents }: Pick<PlannedConditions, "texts" | "params" | "followsEvents">,
  { cap, slack }: TotalLimits = usualLimits,
): Promise<FindTotal> {
  const key = JSON.stringify([location.id, texts, params]);
  if (!followsEvents || key.length > longestKey) return async (count) => Math.min(await count(cap), cap);
  const kept = remembered.get(tools) ?? new Map<string, CountedMatches>();
  remembered.set(tools, kept);
  const known = kept.get(key);
  const [now] = await rows<{ position: number; changes: number }>(changesText(slack), [
    location.id,
    known?.position ?? Number.MAX_SAFE_INTEGER,
    location.id,
  ]);
  const changes = Number(now!.changes);
  return async (count) => {
    if (known !== undefined && (changes === 0 || known.count - changes >= cap)) {
      remember(kept, key, known);
      return Math.min(known.count, cap);
    }
    const counted = await count(known === undefined ? cap : cap + slack);
    remember(kept, key, { position: now!.position, count: counted });
    return Math.min(counted, cap);
  };
}

function remember(kept: Map<string, CountedMatches>, key: string, counted: CountedMatches): void {
  kept.delete(key);
  kept.set(key, counted);
  const [oldest = ""] = kept.keys();
  if (kept.size > mostRemembered) kept.delete(oldest);
}
