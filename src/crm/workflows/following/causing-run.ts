/** Finds the run that raised an event, and how many stand behind that one: no run is woken by what it raised, and chains end by their depth. */
import type { EventHead } from "../../../events/following/event-reader.ts";
import { listed } from "../../../storage/json.ts";
import type { Rows } from "../../../storage/rows.ts";
import { sql } from "../../../storage/sql-text.ts";

export interface CausingRun {
  readonly runId: number;
  readonly workflowId: number;
  /** The first run of its chain, which may be itself. */
  readonly originRunId: number;
  /** How many runs stand behind what it raises, itself included. */
  readonly depth: number;
}

const runsText = sql`select id, workflow_id, depth, origin_run_id from workflow_runs where id in ${listed}`;
const payloadText = sql`select id, data from events where id in ${listed}`;

/** By event. What tells that a run began or ended counts as raised by that run, whoever began or ended it. */
export async function findCausingRuns(
  rows: Rows,
  heads: readonly EventHead[],
): Promise<ReadonlyMap<number, CausingRun>> {
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

/** The payloads of events by their ids; those that are forgotten are left out. */
export async function findPayloads(
  rows: Rows,
  events: readonly { readonly id: number }[],
): Promise<Map<number, object>> {
  if (events.length === 0) return new Map();
  const found = await rows.rows<{ id: number; data: string | null }>(payloadText, [
    JSON.stringify(events.map(({ id }) => id)),
  ]);
  return new Map(found.flatMap(({ id, data }) => (data === null ? [] : [[id, JSON.parse(data) as object] as const])));
}
