/** The tables of memberships: a person's role in a workspace and access to its locations. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../storage/columns.ts";
import { roles } from "../../vocabulary/states.ts";
import { Location } from "../locations/location.entity.ts";
import { User } from "./user.entity.ts";
import { Workspace } from "../workspaces/workspace.entity.ts";

export const Membership = defineEntity({
  name: "Membership",
  tableName: "memberships",
  uniques: [{ name: "memberships_of_workspace", properties: ["workspace", "user"] }],
  indexes: [{ name: "memberships_of_user", properties: ["user"] }],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    workspace: () => p.manyToOne(Workspace).deleteRule("restrict").index(false),
    user: () => p.manyToOne(User).deleteRule("restrict"),
    role: p.enum(roles),
    /** Always true for owners; true for others unless they are limited to locations. */
    allLocations: p.boolean(),
    createdAt: p.datetime(3),
    /** Null until the person accepts the invitation: until then, it gives access to nothing. */
    joinedAt: p.datetime(3).nullable(),
  },
});

export const MembershipLocation = defineEntity({
  name: "MembershipLocation",
  tableName: "membership_locations",
  uniques: [{ name: "membership_locations_once", properties: ["membership", "location"] }],
  indexes: [{ name: "membership_locations_of_location", properties: ["location"] }],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    membership: () => p.manyToOne(Membership).deleteRule("cascade").index(false),
    location: () => p.manyToOne(Location).deleteRule("restrict"),
  },
});
