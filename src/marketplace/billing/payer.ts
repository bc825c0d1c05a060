/** The payer of an app: a location for itself, or a company (a workspace) once for all of its locations. */
import type { Rows } from "../../storage/rows.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import type { Client } from "../oauth/client.queries.ts";
import type { InstallType } from "../../vocabulary/states.ts";

export interface Payer {
  readonly workspaceId: number;
  /** Null if the company pays. */
  readonly locationId: number | null;
}

const locationText = "select workspace_id from locations where id = ?";
const companyText = "select id as workspace_id from workspaces where id = ?";

/**
 * Finds the payer by its id; refuses `location.not_found` and `company.not_found`. The app need not be installed yet, since the payment
 * comes first. A draft can be installed only in its own workspace, so any other payer is not found.
 */
export async function getPayer(
  rows: Rows,
  { isDraft, workspaceId }: Pick<Client, "isDraft" | "workspaceId">,
  installType: InstallType,
  id: number | undefined,
): Promise<Payer> {
  const isLocation = installType === "location";
  const [payer] =
    id === undefined ? [] : await rows.rows<{ workspace_id: number }>(isLocation ? locationText : companyText, [id]);
  if (id === undefined || payer === undefined || (isDraft && payer.workspace_id !== workspaceId)) {
    throw new Refusal(`${installType}.not_found`);
  }
  return { workspaceId: payer.workspace_id, locationId: isLocation ? id : null };
}
