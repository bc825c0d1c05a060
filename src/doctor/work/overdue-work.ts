/** The work that is due for longest: deliveries, messages, runs, and events without a position. */
import { sendQueue } from "../../crm/conversations/sending/send-queue.ts";
import { findOldestUnstamped } from "../../events/position-faults.ts";
import type { Rows } from "../../storage/rows.ts";
import { hookQueue } from "../../webhooks/deliveries/hook-queue.ts";
import { failure, ok, warning } from "../check.ts";
import type { Check, Data } from "../check.ts";
import { spanOf } from "./span.ts";

/** In milliseconds. */
const late = 60_000;
const veryLate = 3_600_000;

function overdue(name: string, noun: string, find: (rows: Rows) => Promise<Date | null>): Check<Data> {
  return {
    name,
    async examine({ database, clock }) {
      const due = await find(database);
      const age = due === null ? 0 : clock.now().getTime() - due.getTime();
      if (age < late) return ok(`no ${noun} is overdue`);
      const report = age < veryLate ? warning : failure;
      return report(
        `the ${noun} that waits longest was due ${spanOf(age)} ago`,
        "run more workers (crm worker), and read their log",
      );
    },
  };
}

async function findNextRun(rows: Rows): Promise<Date | null> {
  const [next] = await rows.rowsOnce<{ due_at: number | null }>(
    "select min(due_at) as due_at from workflow_runs where due_at is not null",
  );
  return typeof next?.due_at === "number" ? new Date(next.due_at) : null;
}

export const overdueDeliveries = overdue("due deliveries", "delivery", (rows) => hookQueue.findNextDue(rows));
export const overdueMessages = overdue("due messages", "message", (rows) => sendQueue.findNextDue(rows));
export const overdueRuns = overdue("due runs", "workflow run", findNextRun);
export const overdueEvents = overdue("due events", "event without a position", findOldestUnstamped);
