/** One row that says whose database this is: a text sealed with the master key, so that a wrong key is noticed. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../columns.ts";

export const Installation = defineEntity({
  name: "Installation",
  tableName: "installation",
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    secretCheck: p.text(),
    /** When a worker last said that it is alive; null before the first time. */
    workerSeenAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
});
