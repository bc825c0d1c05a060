/** Audit entries about a person's own account: they appear in the log of each workspace that the person has joined. */
import type { AuditFacts } from "../../operation/audit/audit-facts.ts";
import { recordAudit } from "../../operation/audit/record-audit.ts";
import type { AuditEntry } from "../../operation/audit/record-audit.ts";
import type { Rows, Writer } from "../../storage/rows.ts";

/** More workspaces than a person has. */
const mostWorkspaces = 100;

const workspacesText = `select workspace_id from memberships where user_id = ? and joined_at is not null order by workspace_id limit ${mostWorkspaces}`;

/** The workspaces that a person has joined; for one without any: null, the service's own log. */
async function findWorkspaces({ rows }: Pick<Rows, "rows">, userId: number): Promise<(number | null)[]> {
  const found = await rows<{ workspace_id: number }>(workspacesText, [userId]);
  return found.length === 0 ? [null] : found.map(({ workspace_id: id }) => id);
}

/** The facts of an operation within an account. */
export async function factsOfPerson(
  rows: Pick<Rows, "rows">,
  userId: number,
  details: AuditEntry["details"] = {},
): Promise<NonNullable<AuditFacts>> {
  return { noun: "user", id: userId, details, workspaceIds: await findWorkspaces(rows, userId) };
}

interface PersonEntry extends Pick<AuditEntry, "operation" | "address" | "details"> {
  /** Undefined if no account has the address that was typed. */
  readonly userId: number | undefined;
  /** The workspace that it is about, whose log alone has it; by default each one of the person. */
  readonly workspaceId?: number;
}

/** Writes what happened to an account outside of the operations, such as a sign-in. The actor of a failed one is unknown. */
export async function recordPersonAudit(
  writer: Writer,
  now: Date,
  { userId, workspaceId: only, ...entry }: PersonEntry,
): Promise<void> {
  const isUnknown = userId === undefined || entry.operation === "signInFailed";
  const actor = isUnknown ? ({ type: "anonymous", id: null } as const) : ({ type: "user", id: userId } as const);
  const subject = userId === undefined ? null : { noun: "user", id: userId };
  const workspaceIds = only === undefined ? await findWorkspaces(writer, userId ?? 0) : [only];
  recordAudit(
    writer,
    now,
    ...workspaceIds.map((workspaceId) => ({ ...entry, actor, subject, workspaceId, locationId: null })),
  );
}
