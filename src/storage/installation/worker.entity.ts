/** The table of workers: a row for each process that works, so that another one on its machine sees that it is gone. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../columns.ts";

export const WorkerProcess = defineEntity({
  name: "WorkerProcess",
  tableName: "workers",
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    /** As process-mark.ts tells it. */
    machine: p.text(),
    pid: p.type(Integer),
    startedAt: p.type(Integer),
    /** When it last said that it is alive. */
    seenAt: p.datetime(3),
  },
});
