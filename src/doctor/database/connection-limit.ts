/** The connections that the processes may open, against those that the server allows. */
import { connectionsOf, readConnections } from "../../storage/inspection/server-settings.ts";
import { failure, ok, warning } from "../check.ts";
import type { Check, Installation } from "../check.ts";

export const connectionLimit: Check<Installation> = {
  name: "connections",
  async examine({ database, settings: { processes } }) {
    const connections = await readConnections(database);
    if (connections === null) return ok("an embedded database has no limit");
    const { most, used } = connections;
    const { needed, whileReplacing } = connectionsOf(processes);
    const sentence = `crm serve with CRM_PROCESSES=${processes} opens up to ${needed} connections, and the server allows ${most}`;
    const remedy = "raise max_connections, or the limit of the role or the database, or set a lower CRM_PROCESSES";
    if (needed > most) return failure(sentence, remedy);
    if (whileReplacing > most)
      return warning(`${sentence}: too few for the ${whileReplacing} while a process is replaced`, remedy);
    return ok(`${sentence}; ${used} are open`);
  },
};
