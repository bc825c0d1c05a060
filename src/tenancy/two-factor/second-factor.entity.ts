/** The tables of two-factor sign-in: the TOTP secret of a person, sealed, and the hashes of their recovery codes. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../storage/columns.ts";
import { User } from "../users/user.entity.ts";

export const SecondFactor = defineEntity({
  name: "SecondFactor",
  tableName: "second_factors",
  uniques: [{ name: "second_factors_of_user", properties: ["user"] }],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    user: () => p.manyToOne(User).deleteRule("cascade").index(false),
    /** Encrypted with the master key. */
    secret: p.text(),
    /** The time step of the last accepted code: no code of this or an earlier step is accepted. */
    lastStep: p.type(Integer),
    createdAt: p.datetime(3),
  },
});

export const RecoveryCode = defineEntity({
  name: "RecoveryCode",
  tableName: "recovery_codes",
  uniques: [{ name: "recovery_codes_of_user", properties: ["user", "hash"] }],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    user: () => p.manyToOne(User).deleteRule("cascade").index(false),
    /** SHA-256. */
    hash: p.text(),
    usedAt: p.datetime(3).nullable(),
  },
});
