/** Makes workspaces. A workspace is born outside of any workspace; what follows it in the same transaction gets a change inside it. */
import { toChange } from "../../events/call-as.ts";
import type { Change, Tools } from "../../events/caller.ts";
import type { Database, Transaction } from "../../storage/database.ts";
import { operatorOf } from "../../operation/callers.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import { Workspace } from "./workspace.entity.ts";
import type { WorkspaceInput } from "./workspace.schema.ts";
import type { WorkspaceView } from "./workspace.queries.ts";

/** Where a workspace is made: it has no caller, and raises no event. */
export interface Ground {
  readonly database: Database;
  readonly tools: Tools;
}

/** Creates a workspace; two may share a name. */
export async function createWorkspace({ database, tools }: Ground, input: WorkspaceInput): Promise<WorkspaceView> {
  return database.transaction(async (transaction) => (await insertWorkspace(transaction, tools, input)).workspace);
}

/** Renames a workspace; no event tells of it. Refuses `workspace.not_found`. */
export async function renameWorkspace(
  { database }: Ground,
  id: number,
  { name }: WorkspaceInput,
): Promise<WorkspaceView> {
  return database.transaction(async (transaction) => {
    const [renamed] = await transaction.rows<WorkspaceView>(
      "update workspaces set name = ? where id = ? returning id, name",
      [name, id],
    );
    if (renamed === undefined) throw new Refusal("workspace.not_found");
    return renamed;
  });
}

/** Inserts a workspace and opens it inside the same transaction, for its first location, owner and key. */
export async function insertWorkspace(
  transaction: Transaction,
  tools: Tools,
  { name }: WorkspaceInput,
): Promise<{ workspace: WorkspaceView; change: Change<null> }> {
  const workspace = transaction.em.create(Workspace, { name, createdAt: tools.clock.now() });
  await transaction.em.flush();
  return { workspace: { id: workspace.id, name }, change: toChange(transaction, operatorOf(workspace.id), tools) };
}
