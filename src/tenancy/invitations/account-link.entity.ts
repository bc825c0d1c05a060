/** The table of one-time links: invitations to a workspace, and password resets. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../storage/columns.ts";
import { Membership } from "../users/membership.entity.ts";
import { User } from "../users/user.entity.ts";

export const AccountLink = defineEntity({
  name: "AccountLink",
  tableName: "account_links",
  indexes: [
    { name: "account_links_of_user", properties: ["user"] },
    { name: "account_links_of_membership", properties: ["membership"] },
    { name: "account_links_by_end", properties: ["expiresAt"] },
  ],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    kind: p.enum(["invitation", "reset", "setup"]),
    user: () => p.manyToOne(User).deleteRule("cascade"),
    /** The membership that its holder joins, deleted with it; null for a reset that a person asked for themselves. */
    membership: () => p.manyToOne(Membership).deleteRule("cascade").nullable(),
    hash: p.text().unique("account_links_hash"),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
    usedAt: p.datetime(3).nullable(),
  },
});
