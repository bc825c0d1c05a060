/** The duties of webhooks: fan out events, send deliveries, reclaim leases of dead workers, and delete old data. */
import type { Settings } from "../../config/settings.ts";
import { periodic } from "../kit/duty.ts";
import type { Duty } from "../kit/duty.ts";
import type { MasterKeys } from "../kit/secrets/master-keys.ts";
import type { Clock } from "../kit/time/clock.ts";
import type { WorkCounts } from "../kit/observing/work-counts.ts";
import { toTimestamp } from "../kit/time/timestamp.ts";
import { createOutbound } from "../outbound/outbound.ts";
import type { Mailer } from "../mail/mailer.ts";
import type { Outside } from "../outbound/outside.ts";
import { createAdaptiveConcurrency } from "../queues/adaptive-concurrency.ts";
import { createSender } from "../queues/sender.ts";
import { reclaimDuty } from "../queues/reclaim-leases.ts";
import { sql } from "../storage/sql-text.ts";
import type { Database } from "../storage/database.ts";
import type { Workers } from "../storage/installation/workers.ts";
import { hookQueue, mostDeliveriesOfHook } from "./deliveries/hook-queue.ts";
import { mayBeTold, scopesOfApp } from "./hooks/app-access.ts";
import type { AllowedScopes } from "./hooks/app-access.ts";
import { failingDays, findFailing } from "./hooks/failing-hooks.ts";
import type { AttemptResult } from "./sending/acknowledge.ts";
import type { Claimed, DueHook } from "./sending/take-deliveries.ts";
import { mailOwners } from "./failing-hook.mail.ts";
import { createFanOut } from "./sending/fan-out.ts";
import { createSend } from "./sending/send-delivery.ts";
import type { RedactPayload } from "./sending/send-delivery.ts";
import { reclaimDeliveries } from "./sending/reclaim-deliveries.ts";
import { settleAndClaim } from "./sending/settle-and-claim.ts";
import { cancelOrphans, pruneDeliveries } from "./sending/cleanup.ts";

interface WebhookDuties {
  readonly database: Database;
  readonly clock: Clock;
  readonly workers: Workers;
  readonly vault: Pick<MasterKeys, "open">;
  readonly outside: Outside;
  /** Null if owners are not notified by mail. */
  readonly mailer: Mailer | null;
  readonly settings: Pick<Settings, "webhookRetryDelays" | "webhookRetentionDays">;
  /** Passed in: webhooks lie below the marketplace, which knows the grants of apps. */
  readonly allowedScopes: AllowedScopes;
  readonly redactPayload: RedactPayload;
  readonly counts: WorkCounts;
  readonly log: {
    readonly warn: (message: string, fields: object) => void;
    readonly error: (message: string, fields: object) => void;
  };
}

const dayMilliseconds = 86_400_000;
/** Longer than the response timeout. */
const leaseMilliseconds = 12_000;

export function webhookDuties({
  database,
  clock,
  workers,
  vault,
  outside,
  mailer,
  settings,
  allowedScopes,
  redactPayload,
  counts,
  log,
}: WebhookDuties): Duty[] {
  const { webhookRetryDelays: delays, webhookRetentionDays: days } = settings;
  const send = createSend({
    outbound: createOutbound({ guard: outside.targets }),
    vault,
    clock,
    redactPayload,
    report: (error) => log.error("a delivery could not be created", { error }),
  });
  // Checked again when sending: deliveries for an app that has lost its access, or some of its scopes, are not sent.
  const findDue = hookQueue.findDueWhere(mayBeTold(allowedScopes), sql`${scopesOfApp(allowedScopes)} as app_scopes`);
  const sender = createSender<DueHook, Claimed, AttemptResult>({
    name: "deliver webhooks",
    // Beside its queue: what decides whether an app may be told.
    wokenBy: ["hook_queues", "hooks", "app_installs", "oauth_grants", "memberships", "membership_locations"],
    clock,
    counts: counts.deliveries,
    database,
    allowances: createAdaptiveConcurrency({ mostAtOnce: 1024, mostOfOne: mostDeliveriesOfHook }),
    findDue: (now, full) => findDue<DueHook>(database, now, full),
    findNextDue: () => hookQueue.findNextDue(database),
    standingOf: ({ hook_id, failing_since }) => ({ holder: hook_id, isFailing: failing_since !== null }),
    settleAndClaim: async (turn) =>
      settleAndClaim(database, { ...turn, leaseMilliseconds, worker: await workers.own(), delays }),
    holderOf: ({ hook }) => hook.hook_id,
    send,
    // Without its payload, which was deleted, nothing is sent.
    hasSucceeded: ({ delivery, outcome }) =>
      outcome === undefined || delivery.data === null ? undefined : outcome.error === null,
  });
  const fanOut = createFanOut({
    database,
    clock,
    allowedScopes,
    followers: counts.followers,
    sender,
    leaseMilliseconds,
    worker: workers.own,
  });

  return [
    {
      name: "create deliveries of events",
      wokenBy: ["event_positions"],
      run: fanOut,
      nextDue: async () => null,
    },
    sender.duty,
    reclaimDuty({
      name: "reclaim deliveries of dead workers",
      database,
      clock,
      queue: hookQueue,
      workers,
      takeBack: (dead) => reclaimDeliveries(database, { ...dead, delays, flying: sender.flying() }),
    }),
    periodic({
      name: "cancel obsolete deliveries",
      everySeconds: 5,
      clock,
      run: async () => ((await cancelOrphans(database, mayBeTold(allowedScopes), clock.now())) > 0 ? "more" : "done"),
    }),
    periodic({
      name: "delete old deliveries",
      everySeconds: 600,
      clock,
      async run() {
        const before = new Date(clock.now().getTime() - days * dayMilliseconds);
        return (await pruneDeliveries(database, before)) > 0 ? "more" : "done";
      },
    }),
    periodic({
      name: "report failing webhooks",
      everySeconds: 86_400,
      clock,
      async run(signal) {
        const now = clock.now();
        for (const { id, workspace_id, target_url, failing_since } of await findFailing(database, now))
          log.warn(`a webhook has failed every attempt for ${failingDays} days`, {
            hook_id: id,
            workspace_id,
            host: new URL(target_url).host,
            failing_since: toTimestamp(failing_since),
          });
        if (mailer !== null) await mailOwners({ database, mailer, log }, now, signal);
        return "done";
      },
    }),
  ];
}
