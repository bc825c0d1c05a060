/** An agent with a key of two scopes lists, finds, notes and schedules over HTTP, and is refused a third thing. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApiKey } from "../../src/tenancy/api-keys/api-key.service.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenContact } from "../support/given.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each(databaseKinds)("on %s", (kind) => {
  let world: World;
  let client: Client;
  beforeAll(async () => {
    world = await createWorld(kind);
    const { key } = await world.service.inWorkspace(world.acme).change((change) =>
      createApiKey(change, {
        name: "assistant",
        scopes: ["contacts.write", "tasks.write"],
        location_ids: [world.north],
      }),
    );
    client = new Client({ name: "test", version: "1.0.0" });
    const headers = { authorization: `Bearer ${key}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${world.url}/mcp`), { requestInit: { headers } }));
  });
  afterAll(async () => {
    await client?.close();
    await world?.close();
  });

  test("it lists, finds, notes and schedules", async () => {
    const { id } = await givenContact(world, { first_name: "Grace", last_name: "Hopper" });
    const call = async (name: string, given: Record<string, unknown>) =>
      (await client.callTool({ name, arguments: given })).structuredContent;
    const listed = { data: [expect.objectContaining({ id })] };
    expect(await call("list_contacts", {})).toMatchObject(listed);
    expect(await call("list_contacts", { search: "hopper" })).toMatchObject(listed);
    expect(await call("add_note", { id, body: "Asked for a price." })).toMatchObject({ body: "Asked for a price." });
    const task = await call("create_task", { contact_id: id, title: "Call", due_at: "2030-01-02T09:00:00Z" });
    expect(task).toMatchObject({ title: "Call", contact: { id } });
    expect(await call("list_tasks", { contact_id: id })).toMatchObject({ data: [{ title: "Call" }] });
  });

  test.each([
    ["list_opportunities", {}],
    ["create_pipeline", { name: "Sales", stages: [{ name: "New" }] }],
    ["list_conversations", {}],
    ["list_hooks", {}],
  ])("it is not offered %s, and refused it", async (name, given) => {
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).not.toContain(name);
    const { result, events } = await world.eventsDuring(() => client.callTool({ name, arguments: given }));
    expect(result).toMatchObject({ isError: true, structuredContent: { status: 403, error: "insufficient_scope" } });
    expect(events).toEqual([]);
  });
});
