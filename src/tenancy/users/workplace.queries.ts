/** Reads the workspaces that a person has joined: roles and locations. */
import type { Rows } from "../../storage/rows.ts";
import type { Role } from "../../vocabulary/states.ts";
import { isWithheld } from "../two-factor/second-factor.queries.ts";
import { reaches } from "./membership.reach.ts";

export interface WorkplaceView {
  /** The workspace's id. */
  readonly id: number;
  readonly name: string;
  readonly membershipId: number;
  readonly role: Role;
  /** The locations that the membership gives access to; null for all, including future ones. */
  readonly locationIds: readonly number[] | null;
  readonly locations: readonly {
    readonly id: number;
    readonly name: string;
    readonly address: string;
    readonly timezone: string;
  }[];
}

interface WorkplaceRow {
  readonly workspace_id: number;
  readonly workspace: string;
  readonly membership_id: number;
  readonly role: Role;
  readonly all_locations: boolean | number;
  readonly location_id: number | null;
  readonly name: string | null;
  readonly address1: string;
  readonly city: string;
  readonly state: string;
  readonly timezone: string;
}

const findText = `
  select w.id as workspace_id, w.name as workspace, m.id as membership_id, m.role, m.all_locations, l.id as location_id, l.name, l.address1, l.city, l.state, l.timezone
  from memberships m join workspaces w on w.id = m.workspace_id
  left join locations l on l.workspace_id = m.workspace_id and ${reaches("l.id")}
  where m.user_id = ? and m.joined_at is not null and not ${isWithheld} order by w.id, l.id`;

/** Without workspaces that require two-factor sign-in of a person who has not set it up. */
export async function findWorkplaces(rows: Rows, userId: number): Promise<WorkplaceView[]> {
  const byWorkspace = Map.groupBy(await rows.rows<WorkplaceRow>(findText, [userId]), (row) => row.workspace_id);
  return [...byWorkspace].map(([id, all]) => ({
    id,
    name: all[0]!.workspace,
    membershipId: all[0]!.membership_id,
    role: all[0]!.role,
    locationIds: all[0]!.all_locations ? null : all.flatMap(({ location_id: location }) => location ?? []),
    locations: all.flatMap(({ location_id, name, address1, city, state, timezone }) =>
      location_id === null
        ? []
        : [
            {
              id: location_id,
              name: name ?? "",
              address: [address1, city, state].filter(Boolean).join(", "),
              timezone,
            },
          ],
    ),
  }));
}
