/** Mails the owners of a workspace, once, about a webhook that has failed every attempt for days. */
import { mailboxOf } from "../kit/input/mailbox.ts";
import { toTimestamp } from "../kit/time/timestamp.ts";
import type { Letter, Mailer } from "../mail/mailer.ts";
import type { Database } from "../storage/database.ts";
import { findOwners } from "../tenancy/users/user.queries.ts";
import { claimUnnotified, failingDays, unmarkNotified } from "./hooks/failing-hooks.ts";
import type { FailingHook } from "./hooks/failing-hooks.ts";

interface OwnerMailDeps {
  readonly database: Database;
  readonly mailer: Mailer;
  readonly log: { readonly warn: (message: string, fields: object) => void };
}

/** A failed mail is logged; it and the following ones are retried next time. */
export async function mailOwners(
  { database, mailer, log }: OwnerMailDeps,
  now: Date,
  signal: AbortSignal,
): Promise<void> {
  const untold = await claimUnnotified(database, now);
  for (const [place, hook] of untold.entries()) {
    try {
      for (const owner of await findOwners(database, hook.workspace_id))
        await mailer.send(letterTo(owner, hook), signal);
    } catch (error) {
      await unmarkNotified(database, untold.slice(place));
      signal.throwIfAborted();
      log.warn("the owners could not be notified of a failing webhook", { hook_id: hook.id, error });
      return;
    }
  }
}

function letterTo(owner: { name: string; email: string }, hook: FailingHook): Letter {
  const { host } = new URL(hook.target_url);
  return {
    to: mailboxOf(owner),
    subject: `Webhook ${hook.id} to ${host} fails`,
    text: `Hello,

for ${failingDays} days, since ${toTimestamp(hook.failing_since)}, no event could be delivered to webhook ${hook.id} at ${host}.
It stays active and is retried with each event. To see the errors:

crm hooks deliveries ${hook.id} --failed

crm hooks pause ${hook.id} or crm hooks remove ${hook.id} ends it.
`,
  };
}
