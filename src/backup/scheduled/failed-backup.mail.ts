/** Mails the owners of the first workspace, whose owners run the installation, that scheduled backups fail. */
import { mailboxOf } from "../../kit/input/mailbox.ts";
import { toTimestamp } from "../../kit/time/timestamp.ts";
import type { Mailer } from "../../mail/mailer.ts";
import type { Database } from "../../storage/database.ts";
import { findOwners } from "../../tenancy/users/user.queries.ts";

interface FailureMail {
  readonly database: Database;
  readonly mailer: Mailer;
  readonly log: { readonly warn: (message: string, fields: object) => void };
}

const firstText = "select min(id) as id from workspaces";

/** Whether it was mailed; a mail that fails is logged, and tried again with the next failure. */
export async function mailFailure(
  { database, mailer, log }: FailureMail,
  { error, at }: { readonly error: string; readonly at: Date },
): Promise<boolean> {
  const [first] = await database.rows<{ id: number | null }>(firstText);
  if (typeof first?.id !== "number") return false;
  try {
    for (const owner of await findOwners(database, first.id))
      await mailer.send({
        to: mailboxOf(owner),
        subject: "The scheduled backup of crm failed",
        text: `Hello,

the backup of ${toTimestamp(at.getTime())} failed: ${error}

It is tried again in ten minutes and at its next time. No further mail follows until one has succeeded. On the machine of the service:

crm doctor
`,
      });
    return true;
  } catch (fault) {
    log.warn("the owners could not be notified of a failed backup", { error: fault });
    return false;
  }
}
