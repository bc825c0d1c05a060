/** The installation's single row: a text encrypted with the master key, to detect a wrong key. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../columns.ts";

export const Installation = defineEntity({
  name: "Installation",
  tableName: "installation",
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    secretCheck: p.text(),
    /** Last heartbeat of any worker; null before the first. */
    workerSeenAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
});
