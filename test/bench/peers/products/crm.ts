/** crm on SQLite, filled through its own API, with its worker inside. */
import { fill } from "../../filled.ts";
import type { Ground } from "../../ground.ts";
import { startService } from "../../servers.ts";
import { newPerson, piecesOfPeople, someEmails, someNumbers, someParts } from "./people.ts";
import { post } from "./product.ts";
import type { Product } from "./product.ts";

export async function startCrm(ground: Ground): Promise<Product> {
  const filled = await fill(ground, "products", { contacts: 10, locations: 1 });
  const service = await startService(filled.url, { directory: ground.folder, worker: true });
  const location_id = filled.firstLocation;
  const { port, running } = service;
  const { apiKey } = filled;
  const ids: number[] = [];
  for (const contacts of piecesOfPeople()) {
    const path = "/api/v1/contacts/bulk";
    const { data } = await post<{ data: { id: number }[] }>(port, path, apiKey, { location_id, contacts });
    ids.push(...data.map(({ id }) => id));
  }
  const list = `/api/v1/contacts?location_id=${location_id}`;
  const where = (field: string, op: string, value: string): string =>
    `${list}&filters=${encodeURIComponent(JSON.stringify([{ field, op, value }]))}`;
  return {
    name: "crm on SQLite",
    port,
    pid: running.pid,
    apiKey,
    reads: {
      list: [list],
      get: someNumbers.map((n) => `/api/v1/contacts/${ids[n - 1]}?location_id=${location_id}`),
      email: someEmails.map((email) => where("email", "eq", email)),
      contains: someParts.map((part) => where("last_name", "contains", part)),
    },
    create: { path: "/api/v1/contacts", body: { location_id, ...newPerson }, status: 201 },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}
