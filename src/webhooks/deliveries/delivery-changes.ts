/**
 * Finds the webhooks whose deliveries have changed, by comparing snapshots: deliveries are not in the event log. A snapshot reads the queue
 * row of each webhook and the deliveries in flight, never the deliveries that are over.
 */
import { listed } from "../../storage/json.ts";
import type { Rows } from "../../storage/rows.ts";
import { sql } from "../../storage/sql-text.ts";
import { ofLastDelivery } from "./last-delivery.ts";

/** A webhook whose deliveries have changed. */
export interface ChangedHook {
  readonly hookId: number;
  readonly workspaceId: number;
  /** The locations that it covers; null for the whole workspace. */
  readonly locationIds: readonly number[] | null;
}

interface SnapshotRow {
  readonly id: number;
  readonly workspace_id: number;
  readonly location_ids: string | null;
  readonly status: string;
  readonly failing_since: number | null;
  readonly due_at: number | null;
  readonly served_at: number | null;
  readonly newest: number | null;
}

/** A claim changes `served_at`, a retry or replay `due_at`, a new delivery `newest`. */
const hooksText = sql`select hooks.id, hooks.workspace_id, hooks.location_ids, hooks.status, hooks.failing_since, queue.due_at, queue.served_at,
    ${ofLastDelivery("id", "hooks.id")} as newest
  from hooks left join hook_queues queue on queue.hook_id = hooks.id
  where hooks.workspace_id in ${listed} and hooks.removed_at is null`;

/** An acknowledgement ends the lease. */
const leasedText = sql`select deliveries.hook_id, deliveries.id, deliveries.attempt from deliveries join hooks on hooks.id = deliveries.hook_id
  where deliveries.leased_until is not null and hooks.workspace_id in ${listed}
  order by deliveries.hook_id, deliveries.id`;

/** Returns a function that resolves to the webhooks of these workspaces that changed since its last call. */
export function watchDeliveries(rows: Rows): (workspaceIds: readonly number[]) => Promise<ChangedHook[]> {
  let seen = new Map<number, string>();
  let watched = new Set<number>();
  return async (workspaceIds) => {
    const ids = JSON.stringify(workspaceIds);
    const [hooks, leased] = await Promise.all([
      rows.rows<SnapshotRow>(hooksText, [ids]),
      rows.rows<{ hook_id: number; id: number; attempt: number }>(leasedText, [ids]),
    ]);
    const inFlight = Map.groupBy(leased, ({ hook_id }) => hook_id);
    const now = new Map(hooks.map((hook) => [hook.id, JSON.stringify([hook, inFlight.get(hook.id)])]));
    // The first snapshot of a workspace has nothing to be compared with.
    const changed = hooks.filter((hook) => watched.has(hook.workspace_id) && seen.get(hook.id) !== now.get(hook.id));
    [seen, watched] = [now, new Set(workspaceIds)];
    return changed.map(({ id, workspace_id, location_ids }) => ({
      hookId: id,
      workspaceId: workspace_id,
      locationIds: location_ids === null ? null : (JSON.parse(location_ids) as number[]),
    }));
  };
}
