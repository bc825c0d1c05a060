/**
 * Follows the event log for workflows: an event about a contact starts the runs that it triggers, and wakes those that wait for it or for a
 * goal. An event without a contact is only counted. One follower for both, which reads payloads only when a trigger or a wait needs them.
 */
import { toChange } from "../../../events/call-as.ts";
import type { Identity } from "../../../events/call-as.ts";
import type { LocationContext, Tools } from "../../../events/caller.ts";
import { createEventReader } from "../../../events/following/event-reader.ts";
import type { DutyOutcome } from "../../../kit/duty.ts";
import type { Database } from "../../../storage/database.ts";
import { listed } from "../../../storage/json.ts";
import { forUpdate } from "../../../storage/locks.ts";
import { sql } from "../../../storage/sql-text.ts";
import type { NodeTypes } from "../definition/node-types.ts";
import type { Definitions } from "../engine/definitions.ts";
import { isLocated, isOfContact } from "./contact-event.ts";
import type { LocatedEvent } from "./contact-event.ts";
import { findCausingRuns } from "./causing-run.ts";
import type { FindCauses } from "./causing-run.ts";
import { findFailedMessages, moveAfterFailures } from "./failed-messages.ts";
import type { FailedMessage } from "./failed-messages.ts";
import { findStarts, start } from "./starts.ts";
import type { RefusedStart, Start } from "./starts.ts";
import { createTriggerCounts } from "./trigger-counts.ts";
import { findWakes, wake } from "./wakes.ts";
import type { Wake } from "./wakes.ts";

/** The name of its mark, which the migration created. */
const mark = "workflows";

const atOnce = 50;
/** The most runs that a transaction starts, unless a single event starts more: others wait for its locks, on SQLite for all of it. */
const mostStarted = 200;

const lockText = sql`select id from contacts where id in ${listed} order by id${forUpdate("contacts")}`;

/** An effect of an event: a run that starts, runs that wake, a run whose message failed, or triggers that are refused, which are counted. */
type Wanted = { readonly event: LocatedEvent } & (
  | { readonly start: Start }
  | { readonly wakes: readonly Wake[] }
  | { readonly failed: FailedMessage }
  | { readonly refused: readonly RefusedStart[] }
);

interface Log {
  readonly error: (message: string, fields: object) => void;
  readonly warn: (message: string, fields: object) => void;
}

interface FollowerDeps {
  readonly database: Database;
  readonly tools: Tools;
  readonly types: NodeTypes;
  readonly definitions: Definitions;
  readonly followers?: Map<string, number>;
  readonly log: Log;
}

/** The result processes the next events. */
export function createFollower({
  database,
  tools,
  types,
  definitions,
  followers,
  log,
}: FollowerDeps): () => Promise<DutyOutcome> {
  function passOverStart(error: unknown, { id, event, contact_id }: LocatedEvent, workflowId: number): void {
    const fields = { event_id: id, event, workflow_id: workflowId, contact_id, error };
    log.error("an event could not start a workflow and is skipped", fields);
  }

  return createEventReader<Wanted>(database, {
    name: mark,
    clock: tools.clock,
    followers,
    atOnce,
    async choose(heads) {
      const located = heads.filter(isLocated);
      const events = located.filter(isOfContact);
      const findCauses: FindCauses = (some) => findCausingRuns(database, some);
      const { starts, refused } = await findStarts(database, definitions, located, findCauses, passOverStart);
      const wakes = await findWakes(database, types, definitions, events, findCauses);
      const refusedOf = Map.groupBy(refused, ({ event }) => event);
      const failed = await findFailedMessages(database, events, findCauses);
      return located.flatMap((event): Wanted[] => {
        const ofRefusals = refusedOf.has(event) ? [{ event, refused: refusedOf.get(event)! }] : [];
        if (!isOfContact(event)) return ofRefusals;
        const ofEvent = wakes.get(event) ?? [];
        return [
          ...(starts.get(event) ?? []).map((one) => ({ event, start: one })),
          ...(ofEvent.length > 0 ? [{ event, wakes: ofEvent }] : []),
          ...ofRefusals,
          ...(failed.has(event) ? [{ event, failed: failed.get(event)! }] : []),
        ];
      });
    },
    positionOf: ({ event }) => event.position,
    locationOf: ({ event }) => event.location_id,
    batchSize: mostStarted,
    async take(wanted, transaction, survivors) {
      const counts = createTriggerCounts();
      for (const one of wanted)
        if ("refused" in one) for (const { workflowId, outcome } of one.refused) counts.add(workflowId, outcome);
      const as = (identity: Identity<LocationContext>) => toChange(transaction, identity, tools, survivors);
      const failed = wanted.flatMap((one) => ("failed" in one ? [one.failed] : []));
      const starts = wanted.flatMap((one) => ("start" in one ? [one.start] : []));
      // Each locks its contacts in ascending order; together they do so at once.
      if (failed.length > 0 && starts.length > 0) {
        const ids = [...failed, ...starts].map(({ contactId }) => contactId);
        await transaction.rows(lockText, [JSON.stringify(ids)]);
      }
      // Contacts before workflows, and these before runs (docs/lock-order.md).
      await start(as, starts, counts);
      await moveAfterFailures({ types, definitions, as }, transaction, failed);
      await wake(
        transaction,
        wanted.flatMap((one) => ("wakes" in one ? one.wakes : [])),
        tools.clock.now(),
      );
      counts.write(transaction, tools.clock.now());
    },
    onSkipped(error, passed) {
      if ("head" in passed) {
        const { id, event } = passed.head;
        log.error("an event could not be processed for workflows and is skipped", { event_id: id, event, error });
      } else if ("start" in passed.wanted) {
        passOverStart(error, passed.wanted.event, passed.wanted.start.workflow.id);
      } else if ("failed" in passed.wanted) {
        const { event, failed } = passed.wanted;
        const fields = { event_id: event.id, event: event.event, run_id: failed.runId, error };
        log.error("a run could not continue after its message failed", fields);
      } else if ("wakes" in passed.wanted) {
        const { event, wakes } = passed.wanted;
        const fields = { event_id: event.id, event: event.event, run_ids: wakes.map(({ runId }) => runId), error };
        log.error("an event could not wake workflow runs and is skipped", fields);
      }
    },
  });
}
