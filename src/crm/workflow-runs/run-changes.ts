/**
 * Finds runs that have moved, by comparing snapshots: a run that goes from timer to timer raises no event. A snapshot reads the runs of a
 * location that are due first, by an index; a run that moves leaves it or changes in it.
 */
import { listedAsGiven } from "../../storage/json.ts";
import { firstOfEach } from "../../storage/reading/lateral.ts";
import { inOwnedOrder, inOwnedRange } from "../../storage/reading/owned-range.ts";
import type { Rows } from "../../storage/rows.ts";
import { sql } from "../../storage/sql-text.ts";

export interface ChangedRun {
  readonly id: number;
  readonly workflow_id: number;
  readonly location_id: number;
}

interface DueRow extends ChangedRun {
  readonly due_at: number;
  readonly turn: number;
}

/** The runs of a location that are compared. Of more that move between two snapshots, the workflows are named by these. */
const mostOfLocation = 100;

const places = { owner: "workflow_runs.location_id", place: "workflow_runs.due_at" };
const dueText = firstOfEach({
  given: listedAsGiven,
  table: "workflow_runs",
  columns: ["id", "workflow_id", "location_id", "due_at", "turn"],
  where: sql`${inOwnedRange(places, {}, "given.value")} and workflow_runs.due_at is not null`,
  order: sql`${inOwnedOrder(places)}, workflow_runs.id`,
  limit: mostOfLocation,
});

type Snapshot = ReadonlyMap<number, DueRow>;

export interface RunWatch {
  /** Takes the first snapshot of a location, which the next ones are compared with. */
  begin(locationId: number): Promise<void>;
  /** The runs of these locations that have moved since the last call. */
  changed(locationIds: readonly number[]): Promise<ChangedRun[]>;
}

export function watchRuns({ rows }: Rows): RunWatch {
  const seen = new Map<number, Snapshot>();

  async function read(locationIds: readonly number[]): Promise<Map<number, Snapshot>> {
    const found = locationIds.length === 0 ? [] : await rows<DueRow>(dueText, [JSON.stringify(locationIds)]);
    const byLocation = Map.groupBy(found, ({ location_id }) => location_id);
    return new Map(
      locationIds.map((id) => [id, new Map((byLocation.get(id) ?? []).map((run) => [run.id, run] as const))]),
    );
  }

  return {
    async begin(locationId) {
      if (seen.has(locationId)) return;
      const taken = await read([locationId]);
      if (!seen.has(locationId)) seen.set(locationId, taken.get(locationId)!);
    },
    async changed(locationIds) {
      const now = await read(locationIds);
      const changed = [...now].flatMap(([id, snapshot]) => compare(seen.get(id) ?? snapshot, snapshot));
      for (const id of seen.keys()) if (!now.has(id)) seen.delete(id);
      for (const [id, snapshot] of now) seen.set(id, snapshot);
      return changed;
    },
  };
}

function compare(before: Snapshot, after: Snapshot): ChangedRun[] {
  const gone = [...before.values()].filter((run) => {
    const now = after.get(run.id);
    return now === undefined ? isWithin(after, run) : now.turn !== run.turn || now.due_at !== run.due_at;
  });
  const come = [...after.values()].filter((run) => !before.has(run.id) && isWithin(before, run));
  return [...gone, ...come];
}

/** Whether a snapshot would hold the run if it had been there: a full one ends at its latest run. */
function isWithin(snapshot: Snapshot, { due_at }: DueRow): boolean {
  return snapshot.size < mostOfLocation || [...snapshot.values()].some((run) => due_at <= run.due_at);
}
