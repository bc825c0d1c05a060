/** Wakes waiting runs by events: those that wait for the event, and those that may jump to a goal. The engine decides what follows. */
import { listed } from "../../../storage/json.ts";
import { jsonKeys } from "../../../storage/json-rows.ts";
import { forUpdate } from "../../../storage/locks.ts";
import { lookUpEach } from "../../../storage/reading/lateral.ts";
import type { Rows, Writer } from "../../../storage/rows.ts";
import { sql } from "../../../storage/sql-text.ts";
import { keepToLookUps } from "../../../storage/query-plans.ts";
import type { EventName } from "../../../vocabulary/events.ts";
import { limits } from "../../../vocabulary/limits.ts";
import type { WaitReason } from "../../../vocabulary/states.ts";
import type { WorkflowDefinition } from "../definition/definition.schema.ts";
import type { NodeTypes } from "../definition/node-types.ts";
import { goalsAhead } from "../walk/goals.ts";
import type { Definitions } from "../engine/definitions.ts";
import { withoutAutomatic } from "./automatic.ts";
import type { ContactEvent } from "./contact-event.ts";
import type { FindCauses } from "./causing-run.ts";
import { endsWait, isOwnEvent } from "./event-match.ts";

export interface Wake {
  readonly runId: number;
  /** Whether the run waits for this event. */
  readonly hasCome: boolean;
  /** The version of the run that was read; a run that has moved since is not woken. */
  readonly turn: number;
}

interface WaitingRow {
  readonly id: number;
  readonly contact_id: number;
  readonly version_id: number;
  readonly current_node_id: string;
  readonly wait_reason: WaitReason;
  readonly awaited_event: EventName | null;
  readonly events_after: number | null;
  readonly turn: number;
}

const waitingColumns = "id, contact_id, version_id, current_node_id, wait_reason, awaited_event, events_after, turn";
/** The first half repeats the condition of the partial index, which both databases need to choose it. */
const isWaiting = "status in ('active', 'waiting') and status = 'waiting'";
const waitingText = lookUpEach({
  columns: waitingColumns,
  from: "workflow_runs",
  column: "contact_id",
  where: isWaiting,
  most: limits.workflowRun.ofContact,
});

/** By event. An event from before a wait wakes no run, nor does an automatic message. Replies wake runs in their own transaction (workflow-replies.ts). */
export async function findWakes(
  rows: Rows,
  types: NodeTypes,
  definitions: Definitions,
  events: readonly ContactEvent[],
  findCauses: FindCauses,
): Promise<ReadonlyMap<ContactEvent, readonly Wake[]>> {
  const contactIds = [...new Set(events.map(({ contact_id }) => contact_id))];
  if (contactIds.length === 0) return new Map();
  const waiting = await rows.rows<WaitingRow>(waitingText, [JSON.stringify(contactIds)]);
  if (waiting.length === 0) return new Map();
  const byVersion = await definitions.of(
    rows,
    waiting.map((run) => run.version_id),
  );
  const ofContact = Map.groupBy(waiting, (run) => run.contact_id);
  const ofWaiting = events.filter(({ contact_id }) => ofContact.has(contact_id));
  const causes = await findCauses(ofWaiting);
  const wakes = new Map(
    ofWaiting.map((event) => {
      const ofEvent = ofContact.get(event.contact_id)!.flatMap((run): Wake[] => {
        if (isOwnEvent(run, event, causes)) return [];
        const hasCome = endsWait(run, event);
        const mayJump = hasGoalAhead(types, byVersion.get(run.version_id), run.current_node_id);
        return hasCome || mayJump ? [{ runId: run.id, hasCome, turn: run.turn }] : [];
      });
      return [event, ofEvent] as const;
    }),
  );
  const waking = ofWaiting.filter((event) => wakes.get(event)!.length > 0);
  return new Map((await withoutAutomatic(rows, waking)).map((event) => [event, wakes.get(event)!]));
}

/** A run whose definition cannot be parsed is woken too: the engine reports why it cannot be moved. */
function hasGoalAhead(types: NodeTypes, definition: WorkflowDefinition | undefined, nodeId: string): boolean {
  try {
    return definition === undefined || goalsAhead(types, definition, nodeId).length > 0;
  } catch {
    return true;
  }
}

const lockText = sql`select id from workflow_runs where id in ${listed}
  order by id${forUpdate("workflow_runs")}`;

const given = jsonKeys({ id: "integer", turn: "integer", come: "integer" });
const wakeText = sql`update workflow_runs
  set due_at = ?, awaited_event = case when given.come = 1 then null else awaited_event end
  from ${given} as given
  where workflow_runs.id = given.id and workflow_runs.turn = given.turn and workflow_runs.status = 'waiting'`;

/** Makes the runs due. They are locked in the order in which the engine locks them. */
export async function wake(writer: Writer, wakes: readonly Wake[], now: Date): Promise<void> {
  const byRun = new Map<number, { id: number; turn: number; come: number }>();
  for (const { runId, hasCome, turn } of wakes) {
    const come = hasCome || byRun.get(runId)?.come === 1 ? 1 : 0;
    byRun.set(runId, { id: runId, turn, come });
  }
  if (byRun.size === 0) return;
  keepToLookUps(writer);
  await writer.rows(lockText, [JSON.stringify([...byRun.keys()])]);
  writer.send(wakeText, [now, JSON.stringify([...byRun.values()])]);
}
