/** Reads whether two-factor sign-in is on, and where it is required. */
import type { Rows } from "../../storage/rows.ts";
import { toTimestamp } from "../../kit/time/timestamp.ts";

export async function hasSecondFactor(rows: Rows, userId: number): Promise<boolean> {
  return (await rows.rows("select id from second_factors where user_id = ?", [userId])).length > 0;
}

export interface SecondFactorView {
  readonly since: string;
  readonly recoveryCodesLeft: number;
}

const findText = `select f.created_at,
    (select count(*) from recovery_codes r where r.user_id = f.user_id and r.used_at is null) as recovery_codes_left
  from second_factors f where f.user_id = ?`;

/** Undefined while it is off. */
export async function findSecondFactor(rows: Rows, userId: number): Promise<SecondFactorView | undefined> {
  const [found] = await rows.rows<{ created_at: number; recovery_codes_left: number }>(findText, [userId]);
  return found && { since: toTimestamp(found.created_at), recoveryCodesLeft: found.recovery_codes_left };
}

/** Whether the membership `m` of the workspace `w` is withheld: the workspace requires a second factor, and the person has none. */
export const isWithheld =
  "(w.two_factor_required and not exists (select 1 from second_factors f where f.user_id = m.user_id))";

const withheldText = `select w.id, w.name from memberships m join workspaces w on w.id = m.workspace_id
  where m.user_id = ? and m.joined_at is not null and ${isWithheld} order by w.id`;

/** The workspaces that a person reaches only after setting up two-factor sign-in. */
export function findWithheldWorkspaces(rows: Rows, userId: number): Promise<{ id: number; name: string }[]> {
  return rows.rows(withheldText, [userId]);
}

const withheldAtText = `select 1 from memberships m join workspaces w on w.id = m.workspace_id
  where m.user_id = ? and m.joined_at is not null and ${isWithheld}
    and (w.id = ? or exists (select 1 from locations l where l.workspace_id = w.id and l.id = ?))`;

/** Whether a workspace, or that of a location, is one of them. */
export async function isWithheldAt(
  rows: Rows,
  userId: number,
  {
    workspaceId = 0,
    locationId = 0,
  }: { readonly workspaceId?: number | undefined; readonly locationId?: number | undefined },
): Promise<boolean> {
  return (await rows.rows(withheldAtText, [userId, workspaceId, locationId])).length > 0;
}

export async function isTwoFactorRequired(rows: Rows, workspaceId: number): Promise<boolean> {
  const text = "select id from workspaces where id = ? and two_factor_required";
  return (await rows.rows(text, [workspaceId])).length > 0;
}
