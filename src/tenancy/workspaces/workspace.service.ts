/** Creates, renames and locks workspaces. `insertWorkspace` also opens a change inside the new workspace, in the same transaction. */
import { toChange } from "../../events/call-as.ts";
import type { Change, Tools } from "../../events/caller.ts";
import type { TransactionStatements } from "../../storage/database.ts";
import { operatorOf } from "../../operation/callers.ts";
import { Invalid, Refusal } from "../../vocabulary/errors.ts";
import { hasSecondFactor } from "../two-factor/second-factor.queries.ts";
import { Workspace } from "./workspace.entity.ts";
import type { WorkspaceInput } from "./workspace.schema.ts";
import type { WorkspaceView } from "./workspace.view.ts";

/** Creates a workspace; two may share a name. No event is raised. */
export async function createWorkspace(
  { em, now }: Pick<Change, "em" | "now">,
  { name }: WorkspaceInput,
): Promise<WorkspaceView> {
  const workspace = em.create(Workspace, { name, createdAt: now });
  await em.flush();
  return { id: workspace.id, name };
}

/** Locks the workspace of `change` until its commit: changes of its people run one after the other. */
export async function lockWorkspace(change: Change): Promise<void> {
  await change.rows("update workspaces set name = name where id = ?", [change.workspaceId]);
}

/** Renames the workspace of `change`; no event is raised. */
export async function renameWorkspace(change: Change, { name }: WorkspaceInput): Promise<WorkspaceView> {
  await change.rows("update workspaces set name = ? where id = ?", [name, change.workspaceId]);
  return { id: change.workspaceId, name };
}

/**
 * Requires two-factor sign-in, or no longer: members who have not set it up reach nothing of the workspace in the
 * browser, from their next request on. Refuses, on `required`, a person who has not set it up.
 */
export async function requireTwoFactor(
  change: Change,
  { required }: { readonly required: boolean },
): Promise<{ id: number; name: string; two_factor_required: boolean }> {
  if (required && change.user !== null && !(await hasSecondFactor(change, change.user.id))) {
    throw new Invalid({ required: ["Set up two-factor sign-in for yourself first."] });
  }
  const text = "update workspaces set two_factor_required = ? where id = ? returning name";
  const [workspace] = await change.rows<{ name: string }>(text, [required, change.workspaceId]);
  if (workspace === undefined) throw new Refusal("workspace.not_found");
  return { id: change.workspaceId, name: workspace.name, two_factor_required: required };
}

/** Creates a workspace and opens a change inside it, in the same transaction: for its first location, owner and key. */
export async function insertWorkspace(
  transaction: TransactionStatements,
  tools: Tools,
  input: WorkspaceInput,
): Promise<{ workspace: WorkspaceView; change: Change<null> }> {
  const workspace = await createWorkspace({ em: transaction.em, now: tools.clock.now() }, input);
  return { workspace, change: toChange(transaction, operatorOf(workspace.id), tools) };
}
