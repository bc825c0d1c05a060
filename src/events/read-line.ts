/** Who stands behind whom where reads take long: each waits for its own, and nobody for those of others. */
import type { Reader } from "./caller.ts";

/** The holder in whose line a read stands (src/kit/waiting/fair-lock.ts): the key, the person, or the app at its locations. */
export function lineOf({ workspaceId, location, locationIds, actor, grant }: Reader): string {
  const where = grant.appId === null ? "" : (location?.id ?? locationIds?.join() ?? "");
  return `${workspaceId} ${actor.type} ${actor.id} ${where}`;
}
