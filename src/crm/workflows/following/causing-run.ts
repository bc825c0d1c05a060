/** Finds the run that raised an event, and its depth in a chain: no run is woken by its own events, and the depth of chains is limited. */
import type { EventHead } from "../../../events/following/positioned-events.ts";
import { unpackPayload } from "../../../events/payloads/stored-payload.ts";
import type { StoredPayload } from "../../../events/payloads/stored-payload.ts";
import { listed } from "../../../storage/json.ts";
import type { Rows } from "../../../storage/rows.ts";
import { sql } from "../../../storage/sql-text.ts";

export interface CausingRun {
  readonly runId: number;
  readonly workflowId: number;
  /** The first run of the chain, possibly this one. */
  readonly originRunId: number;
  /** The length of the chain up to this run. */
  readonly depth: number;
}

/** Finds the runs that raised events, by event. Called for events that something depends on: few do. */
export type FindCauses = (events: readonly EventHead[]) => Promise<ReadonlyMap<number, CausingRun>>;

const runsText = sql`select id, workflow_id, depth, origin_run_id from workflow_runs where id in ${listed}`;
const payloadText = sql`select id, data from events where id in ${listed}`;

/** By event. The events of a run's start and end count as raised by that run. */
export async function findCausingRuns(
  rows: Rows,
  heads: readonly EventHead[],
): Promise<ReadonlyMap<number, CausingRun>> {
  if (heads.length === 0) return new Map();
  const runIds = new Map(heads.flatMap(({ id, run_id }) => (run_id === null ? [] : [[id, run_id] as const])));
  const ofRuns = heads.filter(({ event }) => event.startsWith("workflow."));
  for (const [id, data] of await findPayloads(rows, ofRuns)) runIds.set(id, (data as { id: number }).id);
  if (runIds.size === 0) return new Map();
  const runs = await rows.rows<CausingRunRow>(runsText, [JSON.stringify([...new Set(runIds.values())])]);
  const byId = new Map(runs.map((run) => [run.id, run]));
  return new Map(
    [...runIds].flatMap(([eventId, runId]) => {
      const run = byId.get(runId);
      return run === undefined ? [] : [[eventId, toCausingRun(run)] as const];
    }),
  );
}

interface CausingRunRow {
  readonly id: number;
  readonly workflow_id: number;
  readonly depth: number;
  readonly origin_run_id: number | null;
}

function toCausingRun({ id, workflow_id, depth, origin_run_id }: CausingRunRow): CausingRun {
  return { runId: id, workflowId: workflow_id, originRunId: origin_run_id ?? id, depth: depth + 1 };
}

/** The payloads of events by id, without pruned ones. */
export async function findPayloads(
  rows: Rows,
  events: readonly { readonly id: number }[],
): Promise<Map<number, object>> {
  if (events.length === 0) return new Map();
  const found = await rows.rows<{ id: number; data: StoredPayload | null }>(payloadText, [
    JSON.stringify(events.map(({ id }) => id)),
  ]);
  return new Map(
    found.flatMap(({ id, data }) => (data === null ? [] : [[id, JSON.parse(unpackPayload(data)) as object] as const])),
  );
}
