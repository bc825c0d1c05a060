/** The last heartbeat of a worker: without one, webhooks, messages and workflows stand still. */
import { readWorkerSeen } from "../../storage/installation/installation.ts";
import { failure, ok, warning } from "../check.ts";
import type { Check, Data } from "../check.ts";
import { spanOf } from "./span.ts";

/** In milliseconds; a heartbeat is written every ten seconds. */
const late = 60_000;

export const workerHeartbeat: Check<Data> = {
  name: "worker",
  async examine({ database, clock }) {
    const seen = await readWorkerSeen(database);
    if (seen === null) return warning("no worker has run yet", "crm serve, or crm worker");
    const age = clock.now().getTime() - seen.getTime();
    return age > late
      ? failure(`no worker was seen for ${spanOf(age)}`, "crm serve, or crm worker")
      : ok(`a worker was seen ${spanOf(Math.max(age, 0))} ago`);
  },
};
