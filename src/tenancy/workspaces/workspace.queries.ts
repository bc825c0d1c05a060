/** Reads workspaces. Not limited to a workspace, so only the terminal uses it. */
import type { Rows } from "../../storage/rows.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import type { WorkspaceView } from "./workspace.view.ts";

/** Every workspace of the service, oldest first. */
export function listWorkspaces(rows: Rows): Promise<WorkspaceView[]> {
  return rows.rows<WorkspaceView>("select id, name from workspaces order by id");
}

/** Refuses `workspace.not_found`. */
export async function getWorkspace(rows: Rows, id: number): Promise<WorkspaceView> {
  const [workspace] = await rows.rows<WorkspaceView>("select id, name from workspaces where id = ?", [id]);
  if (workspace === undefined) throw new Refusal("workspace.not_found");
  return workspace;
}

export async function hasWorkspace(rows: Rows): Promise<boolean> {
  return (await rows.rows("select id from workspaces limit 1")).length > 0;
}
