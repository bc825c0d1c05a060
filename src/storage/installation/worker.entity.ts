/** The registry of workers: a row per process, so that another process of the same machine detects its end. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../columns.ts";

export const WorkerProcess = defineEntity({
  name: "WorkerProcess",
  tableName: "workers",
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    /** From process-mark.ts. */
    machine: p.text(),
    pid: p.type(Integer),
    startedAt: p.type(Integer),
    /** Last heartbeat. */
    seenAt: p.datetime(3),
  },
});
