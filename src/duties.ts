/** Every duty of the worker. Loaded when a worker starts, so other commands do not pay for it. */
import type { Settings } from "../config/settings.ts";
import { backupDuties } from "./backup/scheduled/backup.duties.ts";
import { textIndexes } from "./crm/search/text-indexes.ts";
import { textIndexDuty } from "./crm/text-index/text-index.follower.ts";
import type { Blobs } from "./blobs/blobs.ts";
import { countDuty } from "./crm/contacts/contact.duties.ts";
import { attachmentDuty } from "./crm/conversations/attachments/attachment.duties.ts";
import { snoozeDuty } from "./crm/conversations/conversation.duties.ts";
import { redactPayload } from "./crm/event-log/event-redaction.ts";
import { erasureDuty } from "./crm/erasure/erasure.duties.ts";
import { runRetentionDuty } from "./crm/workflow-runs/run-retention.ts";
import { unpublishedRunDuty } from "./crm/workflows/unpublished-run.duties.ts";
import { workflowDuties } from "./crm/workflows/workflow.duties.ts";
import type { CallAs, ChangeAcross } from "./events/call-as.ts";
import type { Tools } from "./events/caller.ts";
import { messageDuties } from "./crm/conversations/sending/message.duties.ts";
import { createTakeMail } from "./crm/conversations/inbound/take-mail.ts";
import { mailboxDuty } from "./crm/conversations/mailboxes/mailbox.duties.ts";
import { createMailParser } from "./mail/parsing/mail-parser.ts";
import { payloadDuty, positionDuty } from "./events/event.duties.ts";
import { answerDuty } from "./http/idempotency/idempotency.duties.ts";
import type { Clock } from "./kit/time/clock.ts";
import type { Duty } from "./kit/duty.ts";
import type { MasterKeys } from "./kit/secrets/master-keys.ts";
import { auditChainDuty, auditRetentionDuty } from "./operation/audit/audit.duties.ts";
import type { StripeConnection } from "./outbound/stripe.ts";
import type { Database } from "./storage/database.ts";
import { allowedScopes } from "./marketplace/oauth/grant.queries.ts";
import { platformDuties } from "./marketplace/billing/platform/platform.duties.ts";
import { pendingInstallDuty } from "./marketplace/installs/install.duties.ts";
import { oauthDuty } from "./marketplace/oauth/oauth.duties.ts";
import { sessionDuty } from "./tenancy/sessions/session.duties.ts";
import { heartbeatDuty } from "./storage/installation/installation.duties.ts";
import { mergeDuty } from "./crm/contacts/merging/merge.duties.ts";
import { createWorkers } from "./storage/installation/workers.ts";
import { webhookDuties } from "./webhooks/webhook.duties.ts";

type DutyDeps = Omit<Parameters<typeof webhookDuties>[0], "allowedScopes" | "redactPayload" | "workers" | "vault"> & {
  readonly database: Database;
  readonly callAs: CallAs;
  readonly changeAcross: ChangeAcross;
  readonly log: Parameters<typeof textIndexDuty>[2]["log"] & Parameters<typeof backupDuties>[0]["log"];
  /** The version of crm. */
  readonly version: string;
  readonly tools: Tools;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly blobs: Blobs;
  /** Null where there is no payment processor. */
  readonly stripe: StripeConnection | null;
  readonly vault: Pick<MasterKeys, "seal" | "open">;
};

export function createDuties(deps: DutyDeps): Duty[] {
  const { database, callAs, clock, settings, stripe } = deps;
  const workers = createWorkers(database, clock);
  return [
    positionDuty(database),
    countDuty(database, clock),
    mergeDuty(database, callAs, clock),
    erasureDuty({ rows: database, callAs, blobs: deps.blobs, clock }),
    textIndexDuty(database, clock, { log: deps.log, indexes: textIndexes }),
    answerDuty(database, clock),
    payloadDuty(database, clock, settings.eventRetentionDays),
    auditChainDuty(database, clock, deps.vault),
    auditRetentionDuty(database, clock, deps.vault, settings.auditRetentionDays),
    sessionDuty(database, clock, settings.sessionRetentionDays),
    oauthDuty(database, clock),
    pendingInstallDuty(database, clock),
    snoozeDuty(database, callAs, clock),
    attachmentDuty(database, deps.blobs, clock),
    ...workflowDuties({ ...deps, workers }),
    unpublishedRunDuty(deps),
    runRetentionDuty(database, clock, settings.runRetentionDays),
    ...messageDuties({ ...deps, workers }),
    mailboxDuty({
      ...deps,
      workers,
      takeMail: createTakeMail({ callAs, blobs: deps.blobs, mails: createMailParser(), log: deps.log }),
      mailLimit: settings.mailLimit,
    }),
    ...webhookDuties({ ...deps, workers, allowedScopes, redactPayload }),
    ...(stripe === null
      ? []
      : platformDuties({ ...deps, stripe, links: deps.tools.links, graceDays: settings.billingGraceDays })),
    ...backupDuties({ ...deps, workers }),
    heartbeatDuty(database, clock, workers),
  ];
}
