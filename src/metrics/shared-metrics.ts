/** Metrics of the database, which all processes share: one of them reads them for a scrape. Every query is bounded. */
import { readNewestBackup } from "../backup/backup-record.ts";
import { sendQueue } from "../crm/conversations/sending/send-queue.ts";
import { countEndedRuns, countLivingRuns } from "../crm/workflow-run-counts.ts";
import { postQueue } from "../crm/workflows/posting/post-queue.ts";
import { findOldestUnstamped } from "../events/position-faults.ts";
import type { Clock } from "../kit/time/clock.ts";
import type { Database } from "../storage/database.ts";
import { readWorkerSeen } from "../storage/installation/installation.ts";
import { hookQueue } from "../webhooks/deliveries/hook-queue.ts";
import type { Family, Sample } from "./family.ts";

/** How long an answer of the database serves further scrapes, in milliseconds. */
const freshFor = 5000;
/** The span of `crm_workflow_runs_ended`, in milliseconds. */
const recently = 300_000;

const queues = { deliveries: hookQueue, messages: sendQueue, posts: postQueue };

/** Undefined while the database is unreachable. */
type Facts =
  | Readonly<
      Record<
        "backupAge" | "backupBytes" | "due" | "runs" | "ended" | "unstamped" | "worker" | "writable",
        readonly Sample[]
      >
    >
  | undefined;

export function sharedFamilies(database: Database, clock: Clock): Family[] {
  let read = Number.NEGATIVE_INFINITY;
  let facts: Promise<Facts> = Promise.resolve(undefined);

  function look(): Promise<Facts> {
    if (performance.now() - read >= freshFor) {
      read = performance.now();
      facts = readFacts(database, clock).catch(() => undefined);
    }
    return facts;
  }

  const of = (name: Family["name"], help: string, fact: keyof NonNullable<Facts>): Family => ({
    name,
    help,
    type: "gauge",
    read: async () => (await look())?.[fact] ?? [],
  });

  return [
    {
      name: "crm_database_up",
      help: "1 while the database answers, else 0.",
      type: "gauge",
      read: async () => [{ labels: {}, value: (await look()) === undefined ? 0 : 1 }],
    },
    of("crm_database_writable", "1 while the database accepts writes, else 0.", "writable"),
    of("crm_queue_oldest_due_seconds", "Seconds since the oldest due item of a queue was due; 0 if none is.", "due"),
    of("crm_workflow_runs", "Workflow runs that have not ended, by status; at most 10000 are counted.", "runs"),
    of("crm_workflow_runs_ended", "Runs that ended in the last five minutes; at most 10000 are counted.", "ended"),
    of("crm_events_oldest_unpositioned_seconds", "Age of the oldest event without a log position.", "unstamped"),
    of(
      "crm_backup_age_seconds",
      "Seconds since the moment that the newest backup shows; absent without one.",
      "backupAge",
    ),
    of("crm_backup_bytes", "Size of the newest backup; absent if unknown.", "backupBytes"),
    of("crm_worker_seen_seconds", "Seconds since the last heartbeat of any worker.", "worker"),
  ];
}

async function readFacts(database: Database, clock: Clock): Promise<Facts> {
  const rows = database.reserve;
  const now = clock.now();
  const age = (since: Date | null): number =>
    since === null ? 0 : Math.max(0, now.getTime() - since.getTime()) / 1000;
  const one = (value: number): Sample[] => [{ labels: {}, value }];
  const seen = await readWorkerSeen(rows);
  const backup = await readNewestBackup(rows);
  const due: Sample[] = [];
  for (const [queue, { findNextDue }] of Object.entries(queues))
    due.push({ labels: { queue }, value: age(await findNextDue(rows)) });
  const runs = await countLivingRuns(rows);
  const ended = await countEndedRuns(rows, new Date(now.getTime() - recently));
  const countOf = (counts: typeof runs, status: string) => counts.find((count) => count.status === status)?.runs ?? 0;
  return {
    backupAge: backup.takenAt === null ? [] : one(age(backup.takenAt)),
    backupBytes: backup.bytes === null ? [] : one(backup.bytes),
    due,
    runs: ["active", "waiting"].map((status) => ({ labels: { status }, value: countOf(runs, status) })),
    ended: ["completed", "failed", "canceled"].map((status) => ({ labels: { status }, value: countOf(ended, status) })),
    unstamped: one(age(await findOldestUnstamped(rows))),
    worker: seen === null ? [] : one(age(seen)),
    writable: one((await database.writeFault()) === null ? 1 : 0),
  };
}
