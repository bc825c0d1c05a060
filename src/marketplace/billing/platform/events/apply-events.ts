/** Applies stored events in batches: all events about one object share one read from Stripe. Failed ones are retried with backoff. */
import { createSemaphore } from "../../../../kit/waiting/semaphore.ts";
import { retryDelay } from "../../../../kit/time/retry-delay.ts";
import { forget, forgetText } from "../../../../storage/forget.ts";
import type { Writer } from "../../../../storage/rows.ts";
import { listed } from "../../../../storage/json.ts";
import { sql } from "../../../../storage/sql-text.ts";
import type { PlatformDeps } from "../platform-deps.ts";
import { applyEvent } from "./stripe-event.service.ts";

/** The most events in one run of the duty, concurrent reads, and results in one write. */
const eventsPerRun = 500;
const readsAtOnce = 32;
const resultsPerWrite = 64;

interface DueEvent {
  readonly id: number;
  readonly type: string;
  readonly subject: string;
  readonly attempts: number;
}

const dueText = `select id, type, subject, attempts from stripe_events where applied_at is null and due_at <= ? order by due_at, id limit ?`;
const nextText = "select min(due_at) as due_at from stripe_events where applied_at is null";
const appliedText = sql`update stripe_events set applied_at = ?, error = null where id in ${listed}`;
const delayedText = sql`update stripe_events set due_at = ?, attempts = attempts + 1, error = ? where id in ${listed}`;

/** Applies a batch of due events in a sliding window, so that no slow read holds up the others; resolves to its size. */
export async function applyDueEvents(deps: PlatformDeps, signal: AbortSignal): Promise<number> {
  const due = await deps.database.rows<DueEvent>(dueText, [deps.clock.now(), eventsPerRun]);
  const groups = [...Map.groupBy(due, ({ subject }) => subject).values()];
  const inWindow = createSemaphore(readsAtOnce);
  const results: AppliedGroup[] = [];
  const ended = await Promise.allSettled(
    groups.map((group) =>
      inWindow(async () => {
        if (signal.aborted) return;
        results.push(await apply(deps, group));
        if (results.length >= resultsPerWrite) await writeResults(deps, results.splice(0));
      }),
    ),
  );
  if (results.length > 0) await writeResults(deps, results);
  for (const end of ended) if (end.status === "rejected") throw end.reason;
  return due.length;
}

export async function findNextEvent({ database }: PlatformDeps): Promise<Date | null> {
  const [row] = await database.rows<{ due_at: number | null }>(nextText);
  const dueAt = row?.due_at ?? null;
  return dueAt === null ? null : new Date(dueAt);
}

/** The retention of applied events, in days; Stripe does not redeliver an event after that. */
const keptDays = 30;
const forgetEventsText = forgetText("stripe_events", "applied_at");

/** Deletes a batch of applied events past their retention; resolves to its size. */
export function forgetEvents(change: Writer, now: Date): Promise<number> {
  return forget(change, forgetEventsText, new Date(now.getTime() - keptDays * 86_400_000));
}

interface AppliedGroup {
  readonly ids: readonly number[];
  readonly attempts: number;
  readonly error: unknown;
}

/** Applies all events about one object by one read. */
async function apply(deps: PlatformDeps, group: readonly DueEvent[]): Promise<AppliedGroup> {
  const ids = group.map(({ id }) => id);
  const attempts = Math.max(...group.map((event) => event.attempts));
  const [{ type, subject }] = group as [DueEvent];
  try {
    await applyEvent(deps, type, subject);
    return { ids, attempts, error: undefined };
  } catch (error) {
    return { ids, attempts, error };
  }
}

async function writeResults({ database, clock, log }: PlatformDeps, results: readonly AppliedGroup[]): Promise<void> {
  const now = clock.now();
  const applied = results.filter(({ error }) => error === undefined).flatMap(({ ids }) => ids);
  const failed = results.filter(({ error }) => error !== undefined);
  await database.transaction(async (change) => {
    if (applied.length > 0) change.send(appliedText, [now, JSON.stringify(applied.toSorted((a, b) => a - b))]);
    for (const { ids, attempts, error } of failed)
      change.send(delayedText, [
        new Date(now.getTime() + retryDelay(attempts)),
        toSentence(error),
        JSON.stringify(ids),
      ]);
  });
  for (const { ids, attempts, error } of failed)
    log.warn("a Stripe event was not applied and will be retried", { events: ids, attempts: attempts + 1, error });
}

export function toSentence(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll("\0", "").slice(0, 500);
}
