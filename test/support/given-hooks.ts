/** Webhooks and deliveries that tests begin with. */
import { sendTest } from "../../src/webhooks/deliveries/delivery.service.ts";
import { insertRows } from "../../src/storage/inserting/insert.ts";
import { made } from "./given.ts";
import type { Asker, World } from "./world.ts";

/** A target without DNS lookups, to which no test sends anything. */
export const someTarget = "https://192.0.3.1/hooks/crm";

interface HookFields {
  readonly as?: Asker;
  readonly event?: string;
  readonly location_id?: number;
}

export function givenHook(
  world: World,
  { as = "owner", event = "contact.created", ...fields }: HookFields = {},
): Promise<{ id: number; secret: string }> {
  return made(world.send(as, "POST", "/hooks", { event, target_url: someTarget, ...fields }));
}

/** So many webhooks at once of the workspace that has the location, or there of an app: rows, to which nothing is sent. */
export async function givenManyHooks(
  { service }: World,
  count: number,
  { location, app = null }: { readonly location: number; readonly app?: number | null },
): Promise<void> {
  const [place] = await service.database.rows<{ workspace_id: number }>(
    "select workspace_id from locations where id = ?",
    [location],
  );
  const { workspace_id } = place!;
  await service.inWorkspace(workspace_id).change((change) =>
    insertRows(
      change,
      manyHooks,
      Array.from({ length: count }, () => ({
        workspace_id,
        app_id: app,
        location_ids: app === null ? null : JSON.stringify([location]),
        events: '["ping"]',
        scopes: "[]",
        target_url: someTarget,
        secret: "",
        status: "active",
        after_position: 0,
        created_at: change.now,
      })),
    ),
  );
}

const manyHooks = {
  table: "hooks",
  columns: [
    "workspace_id",
    "app_id",
    "location_ids",
    "events",
    "scopes",
    "target_url",
    "secret",
    "status",
    "after_position",
    "created_at",
  ],
} as const;

/** A ping that waits for a webhook of Acme; its id. */
export async function givenDelivery(world: World, hookId: number): Promise<number> {
  return (await world.service.inWorkspace(world.acme).change((change) => sendTest(change, hookId))).id;
}
