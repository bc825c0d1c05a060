/** The keys of fair queues: work of one holder queues behind its own, and never behind that of other holders. */
import type { Database } from "../storage/database.ts";
import type { Reader } from "./caller.ts";

/** The holder of a read (src/kit/waiting/fair-lock.ts): the API key, the person, or the app at its locations. */
export function queueKeyOf({ workspaceId, location, locationIds, actor, grant }: Reader): string {
  const where = grant.appId === null ? "" : (location?.id ?? locationIds?.join() ?? "");
  return `${workspaceId} ${actor.type} ${actor.id} ${where}`;
}

/**
 * The holder of slices of the event loop (src/kit/waiting/time-slice.ts) and of connections (`forHolder` of the database): the credential or
 * person, wherever it reads.
 */
export function sliceHolderOf({ actor }: Pick<Reader, "actor">): string {
  return `${actor.type} ${actor.id}`;
}

/** The database as it serves this identity. */
export function databaseFor(database: Database, identity: Pick<Reader, "actor">): ReturnType<Database["forHolder"]> {
  return database.forHolder(sliceHolderOf(identity));
}
