/** Creates and renames workspaces. `insertWorkspace` also opens a change inside the new workspace, in the same transaction. */
import { toChange } from "../../events/call-as.ts";
import type { Change, Tools } from "../../events/caller.ts";
import type { Transaction } from "../../storage/database.ts";
import { operatorOf } from "../../operation/callers.ts";
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

/** Renames the workspace of `change`; no event is raised. */
export async function renameWorkspace(change: Change, { name }: WorkspaceInput): Promise<WorkspaceView> {
  await change.rows("update workspaces set name = ? where id = ?", [name, change.workspaceId]);
  return { id: change.workspaceId, name };
}

/** Creates a workspace and opens a change inside it, in the same transaction: for its first location, owner and key. */
export async function insertWorkspace(
  transaction: Transaction,
  tools: Tools,
  input: WorkspaceInput,
): Promise<{ workspace: WorkspaceView; change: Change<null> }> {
  const workspace = await createWorkspace({ em: transaction.em, now: tools.clock.now() }, input);
  return { workspace, change: toChange(transaction, operatorOf(workspace.id), tools) };
}
