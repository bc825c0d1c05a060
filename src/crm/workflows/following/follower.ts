/**
 * Follows the event log for workflows: an event about a contact starts what it triggers, and wakes whoever waits for it or for a goal. One
 * follower for both, which reads heads alone where nobody wants more.
 */
import { toChange } from "../../../events/call-as.ts";
import type { Tools } from "../../../events/caller.ts";
import { lookAhead } from "../../../events/look-ahead.ts";
import type { Database } from "../../../storage/database.ts";
import type { Definitions } from "../engine/definitions.ts";
import { isOfContact } from "./contact-event.ts";
import { findRaisers } from "./raisers.ts";
import { findStarts, start } from "./starts.ts";
import type { Start } from "./starts.ts";
import { findWakes, wake } from "./wakes.ts";
import type { Wake } from "./wakes.ts";

/** The mark was set when the tables were made. */
const mark = "workflows";

/** Each of them may start runs, in one transaction. */
const atOnce = 50;

interface Wanted {
  readonly position: number;
  readonly starts: readonly Start[];
  readonly wakes: readonly Wake[];
}

interface FollowerGround {
  readonly database: Database;
  readonly tools: Tools;
  readonly definitions: Definitions;
}

/** Gives a function that looks at the next events, resolving to how many there were. */
export function createFollower({ database, tools, definitions }: FollowerGround): () => Promise<number> {
  return lookAhead<Wanted>(database, {
    name: mark,
    clock: tools.clock,
    atOnce,
    async choose(heads) {
      const events = heads.filter(isOfContact);
      const raisers = await findRaisers(database, events);
      const starts = await findStarts(database, definitions, events, raisers);
      const wakes = await findWakes(database, definitions, events, raisers);
      return events
        .filter((event) => starts.has(event) || (wakes.get(event) ?? []).length > 0)
        .map((event) => ({
          position: event.position,
          starts: starts.get(event) ?? [],
          wakes: wakes.get(event) ?? [],
        }));
    },
    positionOf: ({ position }) => position,
    async take(wanted, transaction) {
      // Contacts before runs (ADR 18).
      await start(
        (identity) => toChange(transaction, identity, tools),
        wanted.flatMap(({ starts }) => starts),
      );
      await wake(
        transaction,
        wanted.flatMap(({ wakes }) => wakes),
        tools.clock.now(),
      );
    },
  });
}
