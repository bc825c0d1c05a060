/** Finds the locations in which a person may install an app, by access and role. */
import { forShare } from "../../storage/locks.ts";
import { mayCarryOut, rolesThatMay } from "../../operation/permission.ts";
import { placeholders } from "../../storage/rows.ts";
import type { Rows } from "../../storage/rows.ts";
import { sql } from "../../storage/sql-text.ts";
import { reaches } from "../../tenancy/users/membership.reach.ts";
import { findWhomToAsk } from "../../tenancy/users/user.queries.ts";
import { findWorkplaces } from "../../tenancy/users/workplace.queries.ts";
import type { Role } from "../../vocabulary/states.ts";
import type { Client } from "../oauth/client.queries.ts";

/** Roles that may install an app. A consent grants scopes, so they are also limited to the giver's own. */
const consent = { may: { scope: "none", role: "manager" } } as const;

/** A location in which a person may install an app. */
export interface GrantableLocation {
  readonly id: number;
  readonly name: string;
  readonly address: string;
  readonly workspaceId: number;
  readonly workspace: string;
  readonly membershipId: number;
  /** The person's role in the workspace. */
  readonly role: Role;
}

/**
 * The available locations, and the workspaces in which the person must ask others. A draft is limited to its own
 * workspace.
 */
export async function findGrantableLocations(
  rows: Rows,
  userId: number,
  { isDraft, workspaceId }: Pick<Client, "isDraft" | "workspaceId">,
): Promise<{ locations: GrantableLocation[]; askIn: number[] }> {
  const within = (await findWorkplaces(rows, userId)).filter(({ id }) => !isDraft || id === workspaceId);
  const grantable = within
    .filter(({ role }) => mayCarryOut(consent, role))
    .flatMap(({ id, name: workspace, membershipId, role, locations }) =>
      locations.map((location) => ({ ...location, workspaceId: id, workspace, membershipId, role })),
    );
  return { locations: grantable, askIn: within.filter(({ locations }) => locations.length > 0).map(({ id }) => id) };
}

/** Permitted roles, highest first. */
const givers = rolesThatMay(consent);
const isGiver = `m.role in (${placeholders(givers.length)})`;

const lockText = sql`select m.id from memberships m
  where m.id = ? and ${isGiver} and ${reaches("?")}${forShare("m")}`;

/** The available location with this ID, locked until the commit; undefined for any other. */
export async function lockGrantableLocation(
  rows: Rows,
  userId: number,
  client: Pick<Client, "isDraft" | "workspaceId">,
  id: number | undefined,
): Promise<GrantableLocation | undefined> {
  const location = (await findGrantableLocations(rows, userId, client)).locations.find((one) => one.id === id);
  if (location === undefined) return undefined;
  const held = await rows.rows(lockText, [location.membershipId, ...givers, location.id]);
  return held.length === 1 ? location : undefined;
}

/** The people of the workspace who may allow an app. */
export function findGivers(rows: Rows, workspaceId: number): Promise<string[]> {
  return findWhomToAsk(rows, workspaceId, givers);
}
