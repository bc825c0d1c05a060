/** Counts what becomes of the events that a trigger names, by day: why a workflow did not start. A ring buffer of eight days per workflow. */
import { listed } from "../../../storage/json.ts";
import { jsonRows } from "../../../storage/json-rows.ts";
import type { Rows, Writer } from "../../../storage/rows.ts";
import { sql } from "../../../storage/sql-text.ts";

/**
 * What becomes of an event: a run starts, or the trigger is refused by its filter, by an active run of the contact, by the depth of the chain,
 * because an import raised the event, because the workflow starts too many runs, because the event has no contact, or because its message is
 * automatic.
 */
const outcomes = [
  "started",
  "filtered",
  "reentered",
  "too_deep",
  "imported",
  "throttled",
  "without_contact",
  "automatic",
] as const;
export type TriggerOutcome = (typeof outcomes)[number];

export type TriggerCountsOfWeek = Readonly<Record<TriggerOutcome, number>>;

/** A number for each outcome. */
function countsOf(count: (outcome: TriggerOutcome) => number): Record<TriggerOutcome, number> {
  return Object.fromEntries(outcomes.map((outcome) => [outcome, count(outcome)])) as Record<TriggerOutcome, number>;
}

const dayMilliseconds = 86_400_000;
/** Today and the seven days before. */
const slots = 8;

const given = jsonRows({
  workflow_id: "integer",
  slot: "integer",
  day: "integer",
  ...(Object.fromEntries(outcomes.map((outcome) => [outcome, "integer"])) as Record<TriggerOutcome, "integer">),
});
const counted = outcomes.map(
  (name) =>
    `${name} = excluded.${name} + case when workflow_trigger_days.day = excluded.day then workflow_trigger_days.${name} else 0 end`,
);
/** A value of an earlier day is dropped. */
const keptToday = ["throttled_at", "told_at"].map(
  (name) => `${name} = case when workflow_trigger_days.day = excluded.day then workflow_trigger_days.${name} end`,
);
const columns = ["workflow_id", "slot", "day", ...outcomes].join(", ");
/** A slot of an earlier day begins anew. Ordered, like all locks of several rows. */
const writeText = sql`insert into workflow_trigger_days (${columns}) select ${columns} from ${given} as given where true
  order by workflow_id on conflict (workflow_id, slot) do update set ${[...counted, ...keptToday].join(", ")}, day = excluded.day`;
const throttledText = sql`update workflow_trigger_days set throttled_at = ? where workflow_id in ${listed} and slot = ?`;

const none: TriggerCountsOfWeek = countsOf(() => 0);

export interface TriggerCounts {
  add(workflowId: number, outcome: TriggerOutcome): void;
  /** One statement for all workflows, in the transaction that starts the runs. */
  write(writer: Writer, now: Date): void;
}

export function createTriggerCounts(): TriggerCounts {
  const counts = new Map<number, Record<TriggerOutcome, number>>();
  return {
    add(workflowId, outcome) {
      const ofWorkflow = counts.get(workflowId) ?? { ...none };
      ofWorkflow[outcome] += 1;
      counts.set(workflowId, ofWorkflow);
    },
    write(writer, now) {
      if (counts.size === 0) return;
      const day = dayOf(now);
      const rows = [...counts].map(([workflow_id, ofWorkflow]) => ({
        workflow_id,
        slot: day % slots,
        day,
        ...ofWorkflow,
      }));
      writer.send(writeText, [JSON.stringify(rows)]);
      const throttled = rows.filter((row) => row.throttled > 0).map(({ workflow_id }) => workflow_id);
      if (throttled.length > 0) writer.send(throttledText, [now, JSON.stringify(throttled), day % slots]);
    },
  };
}

/** Counts one run that was refused because the workflow starts too many. */
export function countThrottled(change: Writer & { readonly now: Date }, workflowId: number): void {
  const counts = createTriggerCounts();
  counts.add(workflowId, "throttled");
  counts.write(change, change.now);
}

function dayOf(now: Date): number {
  return Math.floor(now.getTime() / dayMilliseconds);
}

const readText = sql`select workflow_id, ${outcomes.map((name) => `sum(${name}) as ${name}`).join(", ")}
  from workflow_trigger_days where workflow_id in ${listed} and day > ? group by workflow_id`;

/** By workflow, the counts of today and the six days before, in UTC. */
export async function findTriggerCounts(
  rows: Pick<Rows, "rows">,
  workflowIds: readonly number[],
  now: Date,
): Promise<(workflowId: number) => TriggerCountsOfWeek> {
  const found = await rows.rows<Record<TriggerOutcome | "workflow_id", number>>(readText, [
    JSON.stringify(workflowIds),
    dayOf(now) - 7,
  ]);
  const counts = new Map(found.map((row) => [row.workflow_id, countsOf((outcome) => Number(row[outcome]))]));
  return (workflowId) => counts.get(workflowId) ?? none;
}
