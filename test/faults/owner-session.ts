/** A session of the owner, who has joined, opened beside the service: its token. */
import { entities } from "../../src/entities.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { openSession } from "../../src/tenancy/sessions/session.service.ts";
import type { TestedSystem } from "./tested-system.ts";

export async function openSessionOfOwner({ place }: TestedSystem): Promise<string> {
  const database = await openDatabase(place.url, entities);
  try {
    return await database.transaction(async (change) => {
      const [owner] = await change.rows<{ id: number }>("select min(id) as id from users");
      await change.rows("update memberships set joined_at = created_at where user_id = ?", [owner!.id]);
      return openSession(change, owner!.id, { now: new Date(), userAgent: null });
    });
  } finally {
    await database.close();
  }
}
