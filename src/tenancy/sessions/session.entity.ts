/** The table of sessions: signed-in people, by the hash of the token in their cookie. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../storage/columns.ts";
import { User } from "../users/user.entity.ts";

export const Session = defineEntity({
  name: "Session",
  tableName: "sessions",
  indexes: [
    { name: "sessions_of_user", properties: ["user"] },
    { name: "sessions_by_end", properties: ["expiresAt"] },
  ],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    user: () => p.manyToOne(User).deleteRule("cascade"),
    hash: p.text().unique("sessions_hash"),
    /** JSON: a flash message, shown once on the next page. */
    notice: p.text().nullable(),
    /** The User-Agent header at sign-in, cut; null for none. */
    userAgent: p.text().nullable(),
    createdAt: p.datetime(3),
    /** Coarse (session.service.ts); null: not since sign-in. */
    lastUsedAt: p.datetime(3).nullable(),
    expiresAt: p.datetime(3),
  },
});
