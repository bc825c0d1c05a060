/** Every duty of the worker on one screen. Loaded when a worker starts: what a duty needs costs no other command anything. */
import type { Settings } from "../config/settings.ts";
import { countDuty } from "./crm/contacts/contact.duties.ts";
import { snoozeDuty } from "./crm/conversations/conversation.duties.ts";
import type { CallAs } from "./events/call-as.ts";
import { payloadDuty, positionDuty } from "./events/event.duties.ts";
import { answerDuty } from "./http/idempotency/idempotency.duties.ts";
import type { Clock } from "./kit/time/clock.ts";
import type { Duty } from "./kit/duty.ts";
import type { Database } from "./storage/database.ts";
import { oauthDuty } from "./marketplace/oauth/oauth.duties.ts";
import { sessionDuty } from "./tenancy/sessions/session.duties.ts";
import { heartbeatDuty } from "./storage/installation/installation.duties.ts";

export function createDuties({
  database,
  callAs,
  clock,
  settings,
}: {
  database: Database;
  callAs: CallAs;
  clock: Clock;
  settings: Pick<Settings, "eventRetentionDays">;
}): Duty[] {
  return [
    positionDuty(database),
    countDuty(database, clock),
    answerDuty(database, clock),
    payloadDuty(database, clock, settings.eventRetentionDays),
    sessionDuty(database, clock),
    oauthDuty(database, clock),
    snoozeDuty(database, callAs, clock),
    heartbeatDuty(database, clock),
  ];
}
