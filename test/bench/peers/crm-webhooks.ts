/** The side of crm: contacts that are created through the API, each of which is an event for the webhooks. */
import type { Filled } from "../filled.ts";
import type { Ground } from "../ground.ts";
import { metersOf, timeOf } from "../processor.ts";
import { startService, startWorker } from "../servers.ts";
import type { DrainingWorker, Receiver } from "./arrivals.ts";
import { clientOf } from "./crm.ts";

export interface CrmWebhooks extends AsyncDisposable {
  register(count: number): Promise<void>;
  removeAll(): Promise<void>;
  create(contact: object): Promise<object>;
  createAll(contacts: readonly object[]): Promise<void>;
  startWorker(): Promise<DrainingWorker>;
}

/** `crm serve`, with its worker inside or without any. */
export async function openCrmWebhooks(
  ground: Ground,
  filled: Filled,
  receiver: Receiver,
  { worker }: { readonly worker: boolean },
): Promise<CrmWebhooks> {
  const environment = { CRM_WEBHOOK_ALLOW_HTTP: "on", CRM_WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1" };
  const place = { directory: ground.folder, environment };
  const service = await startService(filled.url, { ...place, worker });
  const client = clientOf(service.port, filled.apiKey);
  const location_id = filled.firstLocation;
  let hooks: number[] = [];
  return {
    async register(count) {
      for (let n = 0; n < count; n++) {
        const hook = { event: "contact.created", target_url: `${receiver.url}/ok?${n}` };
        hooks.push((await client.call<{ id: number }>("POST", "/hooks", hook)).id);
      }
    },
    async removeAll() {
      for (const id of hooks) await client.call("DELETE", `/hooks/${id}`);
      hooks = [];
    },
    create: (contact) => client.call("POST", "/contacts", { location_id, ...contact }),
    createAll: (contacts) => client.call("POST", "/contacts/bulk", { location_id, contacts }),
    async startWorker() {
      const running = await startWorker(filled.url, place);
      const { service: own, database } = await metersOf(ground, filled.url, () => timeOf(running.pid));
      return {
        time: async () => (await own()) + ((await database?.()) ?? 0),
        async [Symbol.asyncDispose]() {
          running.signal("SIGTERM");
          await running.finished;
        },
      };
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await service[Symbol.asyncDispose]();
    },
  };
}
