/** The table of people: one row per e-mail address in the whole service. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../storage/columns.ts";

export const User = defineEntity({
  name: "User",
  tableName: "users",
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    name: p.text(),
    email: p.text(),
    emailKey: p.text().unique("users_email_key"),
    /** argon2id; null: this person cannot sign in. */
    passwordHash: p.text().nullable(),
    createdAt: p.datetime(3),
  },
});
