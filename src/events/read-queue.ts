/** The fair-queue key of long reads: reads of one holder queue behind each other, and never behind those of other holders. */
import type { Reader } from "./caller.ts";

/** The holder of a read (src/kit/waiting/fair-lock.ts): the API key, the person, or the app at its locations. */
export function queueKeyOf({ workspaceId, location, locationIds, actor, grant }: Reader): string {
  const where = grant.appId === null ? "" : (location?.id ?? locationIds?.join() ?? "");
  return `${workspaceId} ${actor.type} ${actor.id} ${where}`;
}
