/** Tells the owners of a workspace, once a day, of a workflow that was refused further runs because it starts too many. */
import { mailboxOf } from "../../../kit/input/mailbox.ts";
import { jsonKeys } from "../../../storage/json-rows.ts";
import type { Letter, Mailer } from "../../../mail/mailer.ts";
import type { Database } from "../../../storage/database.ts";
import { sql } from "../../../storage/sql-text.ts";
import { findOwners } from "../../../tenancy/users/user.queries.ts";
import { limits } from "../../../vocabulary/limits.ts";

interface ThrottleReportDeps {
  readonly database: Database;
  /** Null if owners are not notified by mail. */
  readonly mailer: Mailer | null;
  readonly log: { readonly warn: (message: string, fields: object) => void };
}

interface ThrottledDay {
  readonly workflow_id: number;
  readonly slot: number;
  readonly name: string;
  readonly workspace_id: number;
}

const dayMilliseconds = 86_400_000;
const atOnce = 100;

const untoldText = `select days.workflow_id, days.slot, workflows.name, locations.workspace_id
  from workflow_trigger_days as days
    join workflows on workflows.id = days.workflow_id join locations on locations.id = workflows.location_id
  where days.throttled_at is not null and days.told_at is null and days.throttled_at > ?
    and not exists (select 1 from workflow_trigger_days as told where told.workflow_id = days.workflow_id and told.told_at > ?)
  order by days.workflow_id limit ${atOnce}`;

const given = jsonKeys({ workflow_id: "integer", slot: "integer" });
const claimText = sql`update workflow_trigger_days set told_at = ? from ${given} as given
  where workflow_trigger_days.workflow_id = given.workflow_id and workflow_trigger_days.slot = given.slot and told_at is null
  returning workflow_trigger_days.workflow_id`;
const unclaimText = sql`update workflow_trigger_days set told_at = null from ${given} as given
  where workflow_trigger_days.workflow_id = given.workflow_id and workflow_trigger_days.slot = given.slot`;

/** Of several workers one claims a workflow. A failed mail is logged; it and the following ones are retried next time. */
export async function reportThrottled(
  { database, mailer, log }: ThrottleReportDeps,
  now: Date,
  signal: AbortSignal,
): Promise<void> {
  const dayAgo = new Date(now.getTime() - dayMilliseconds);
  const untold = await database.rows<ThrottledDay>(untoldText, [dayAgo, dayAgo]);
  if (untold.length === 0) return;
  const claimed = await database.transaction(({ rows }) =>
    rows<{ workflow_id: number }>(claimText, [now, JSON.stringify(untold)]),
  );
  const isClaimed = new Set(claimed.map(({ workflow_id }) => workflow_id));
  const mine = untold.filter(({ workflow_id }) => isClaimed.has(workflow_id));
  for (const [place, { workflow_id, name, workspace_id }] of mine.entries()) {
    log.warn("a workflow is throttled", { workflow_id, name, workspace_id });
    if (mailer === null) continue;
    try {
      for (const owner of await findOwners(database, workspace_id))
        await mailer.send(letterTo(owner, { id: workflow_id, name }), signal);
    } catch (error) {
      const left = JSON.stringify(mine.slice(place));
      await database.transaction(({ rows }) => rows(unclaimText, [left]));
      signal.throwIfAborted();
      log.warn("the owners could not be notified of a throttled workflow", { workflow_id, error });
      return;
    }
  }
}

function letterTo(owner: { name: string; email: string }, { id, name }: { id: number; name: string }): Letter {
  const { chain, ofMinute } = limits.workflowRun;
  return {
    to: mailboxOf(owner),
    subject: `Workflow ${id} (${name}) is throttled`,
    text: `Hello,

workflow ${id} (${name}) was to start more runs than it may: ${ofMinute} a minute for one contact, and ${chain} that one run causes, directly or
through others. Further ones were refused. Usually workflows, or a workflow and another program, start each other. To see what started it:

crm workflows show ${id}

Change its trigger, or end it with crm workflows unpublish ${id}.
`,
  };
}
