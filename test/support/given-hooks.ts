/** Webhooks and deliveries that tests begin with. */
import { sendTest } from "../../src/webhooks/deliveries/delivery.service.ts";
import { made } from "./given.ts";
import type { Asker, World } from "./world.ts";

/** An address that nobody looks up and nothing is sent to. */
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

/** A ping that waits for a webhook of Acme; its id. */
export async function givenDelivery(world: World, hookId: number): Promise<number> {
  return (await world.service.inWorkspace(world.acme).change((change) => sendTest(change, hookId))).id;
}
