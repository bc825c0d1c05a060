/** Who pays for an app: a location for itself, or a company, which is a workspace, once for all of its own. */
import type { Rows } from "../../storage/rows.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import type { InstallType } from "../../vocabulary/states.ts";

export interface Payer {
  readonly workspaceId: number;
  /** null: the company. */
  readonly locationId: number | null;
}

const locationText = "select workspace_id from locations where id = ?";
const companyText = "select id as workspace_id from workspaces where id = ?";

/** Refuses `location.not_found` and `company.not_found`; whether the app is installed there does not matter, since the payment comes first. */
export async function getPayer(rows: Rows, installType: InstallType, id: number | undefined): Promise<Payer> {
  const isLocation = installType === "location";
  const found =
    id === undefined ? [] : await rows.rows<{ workspace_id: number }>(isLocation ? locationText : companyText, [id]);
  if (id === undefined || found[0] === undefined) throw new Refusal(`${installType}.not_found`);
  return { workspaceId: found[0].workspace_id, locationId: isLocation ? id : null };
}
