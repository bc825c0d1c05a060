/** Metrics of this process: its use of the database, its sends, its followers of the event log, and failed sign-ins. */
import { findLastPosition } from "../events/positions.ts";
import type { SendCounts, WorkCounts } from "../kit/observing/work-counts.ts";
import type { Database } from "../storage/database.ts";
import { single } from "./family.ts";
import type { Family, Sample } from "./family.ts";

interface ProcessFacts {
  readonly version: string;
  readonly database: Pick<Database, "dialect" | "load" | "reserve">;
  readonly counts: WorkCounts;
}

const counter = (name: Family["name"], help: string) => ({ name, help, type: "counter" }) as const;
const gauge = (name: Family["name"], help: string) => ({ name, help, type: "gauge" }) as const;

export function processFamilies({ version, database, counts }: ProcessFacts): Family[] {
  return [
    {
      ...gauge("crm_build_info", "Version of crm and Node, and kind of the database; always 1."),
      aggregator: "first",
      read: () => [{ labels: { version, node: process.versions.node, database: database.dialect }, value: 1 }],
    },
    single(gauge("crm_processes", "Processes whose metrics these are."), () => 1),
    single(
      gauge("crm_database_waiting", "Statements and changes that wait for a connection to the database."),
      () => database.load.waiting,
    ),
    single(counter("crm_database_waits_total", "How often work has got its connection."), () => database.load.waits),
    single(
      counter("crm_database_wait_seconds_total", "Seconds that this work has waited for its connection."),
      () => database.load.waitedMilliseconds / 1000,
    ),
    single(counter("crm_database_commits_total", "Committed transactions."), () => database.load.commits),
    single(
      counter("crm_database_changes_total", "Changes in these transactions: several may share one."),
      () => database.load.changes,
    ),
    {
      ...counter("crm_sends_total", "Attempts to send a delivery, a message or a workflow's post, by outcome."),
      read: () => (["deliveries", "messages", "posts"] as const).flatMap((queue) => outcomesOf(queue, counts[queue])),
    },
    {
      ...gauge("crm_event_log_lag_events", "Events that a follower of the event log has not read yet."),
      // Of several workers, the one that has read the furthest: each event is processed once.
      aggregator: "min",
      read: () => lagsOf(database, counts.followers),
    },
    {
      ...counter("crm_sign_ins_failed_total", "Sign-ins with a wrong password, or a wrong code of the second factor."),
      read: () => Object.entries(counts.failedSignIns).map(([factor, value]) => ({ labels: { factor }, value })),
    },
  ];
}

function outcomesOf(queue: string, sends: SendCounts): Sample[] {
  return Object.entries(sends).map(([outcome, value]) => ({ labels: { queue, outcome }, value }));
}

/** Nothing in a process without a worker, or while the database is unreachable. */
async function lagsOf(database: Pick<Database, "reserve">, followers: ReadonlyMap<string, number>): Promise<Sample[]> {
  if (followers.size === 0) return [];
  const last = await findLastPosition(database.reserve).catch(() => undefined);
  if (last === undefined) return [];
  return [...followers].map(([follower, position]) => ({ labels: { follower }, value: Math.max(0, last - position) }));
}
