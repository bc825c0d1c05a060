/** Reads whom a person may let in where: the locations of which they are owner or manager. */
import type { Rows } from "../../storage/rows.ts";
import type { Role } from "../../vocabulary/states.ts";
import type { Client } from "./client.queries.ts";

/** A location in which somebody may let an app work. */
export interface GrantablePlace {
  readonly id: number;
  readonly name: string;
  readonly address: string;
  readonly workspaceId: number;
  readonly workspace: string;
  readonly membershipId: number;
}

interface PlaceRow {
  readonly id: number;
  readonly name: string;
  readonly address1: string;
  readonly city: string;
  readonly state: string;
  readonly workspace_id: number;
  readonly workspace: string;
  readonly membership_id: number;
  readonly role: Role;
}

const placesText = `
  select l.id, l.name, l.address1, l.city, l.state, l.workspace_id, w.name as workspace, m.id as membership_id, m.role
  from memberships m join workspaces w on w.id = m.workspace_id join locations l on l.workspace_id = m.workspace_id
  where m.user_id = ? and (m.all_locations or exists (
    select 1 from membership_locations r where r.membership_id = m.id and r.location_id = l.id))
  order by l.workspace_id, l.id`;

/** What somebody may choose from, and the workspaces in which they are a member who may not. A draft stays in its own workspace. */
export async function findGrantablePlaces(
  rows: Rows,
  userId: number,
  { isDraft, workspaceId }: Pick<Client, "isDraft" | "workspaceId">,
): Promise<{ places: GrantablePlace[]; askIn: number[] }> {
  const reached = (await rows.rows<PlaceRow>(placesText, [userId])).filter(
    (place) => !isDraft || place.workspace_id === workspaceId,
  );
  const places = reached
    .filter(({ role }) => role !== "member")
    .map((place) => ({
      id: place.id,
      name: place.name,
      address: [place.address1, place.city, place.state].filter((part) => part !== "").join(", "),
      workspaceId: place.workspace_id,
      workspace: place.workspace,
      membershipId: place.membership_id,
    }));
  return { places, askIn: [...new Set(reached.map((place) => place.workspace_id))] };
}

const whomText = `
  select u.name from memberships m join users u on u.id = m.user_id
  where m.workspace_id = ? and m.role in ('owner', 'manager') order by m.role desc, u.id limit 5`;

/** The names of those whom a member of the workspace may ask: owners first. */
export async function findWhomToAsk(rows: Rows, workspaceId: number): Promise<string[]> {
  return (await rows.rows<{ name: string }>(whomText, [workspaceId])).map(({ name }) => name);
}
