/** The website form and the missed call of the examples, outside of the clone, against a real service. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleOf } from "../../test/support/chance.ts";
import { databaseKinds } from "../../test/support/databases.ts";
import { freePort } from "../../test/support/free-port.ts";
import { givenChannel } from "../../test/support/given.ts";
import { installClient } from "../../test/support/installed-client.ts";
import type { ClientFolder } from "../../test/support/installed-client.ts";
import { startNode } from "../../test/support/node-process.ts";
import { toLoopback } from "../../test/support/receiver.ts";
import { createApiKey } from "../../src/tenancy/api-keys/api-key.service.ts";
import { createWorld } from "../../test/support/world.ts";
import type { World } from "../../test/support/world.ts";

describe.each(sampleOf("examples", 1, databaseKinds))("on %s", (kind) => {
  let world: World;
  let folder: ClientFolder;
  beforeAll(async () => {
    folder = await installClient(["h3"]);
    world = await createWorld(kind, { environment: toLoopback });
    world.clock.advance({ milliseconds: Date.now() - world.clock.now().getTime() });
  }, 60_000);
  afterAll(async () => {
    await world?.close();
    await folder?.[Symbol.asyncDispose]();
  });

  type Scopes = NonNullable<Parameters<typeof createApiKey>[1]["scopes"]>;

  /** Starts an example with a key of these scopes alone. */
  async function start(file: string, scopes: Scopes, environment: Record<string, string> = {}, port?: number) {
    const listens = port ?? (await freePort());
    const { key } = await world.service
      .inWorkspace(world.acme)
      .change((change) => createApiKey(change, { name: file, scopes: [...scopes] }));
    const example = startNode([await folder.copy(file)], {
      directory: folder.path,
      environment: {
        CRM_URL: world.url,
        CRM_KEY: key,
        CRM_LOCATION: String(world.north),
        PORT: String(listens),
        ...environment,
      },
      timeoutSeconds: 60,
    });
    await example.match(new RegExp(String(listens)));
    return {
      at: `http://localhost:${listens}`,
      printed: () => example.printed().stdout,
      [Symbol.asyncDispose]: () => example[Symbol.asyncDispose](),
    };
  }

  const list = async (path: string) =>
    (await world.send("owner", "GET", `${path}?location_id=${world.north}`)).body.data;

  test("a website form upserts, shows what is refused beside its field, and ignores programs", async () => {
    await using site = await start("examples/website-form/site.ts", ["contacts.write"]);
    const { at } = site;
    const send = async (fields: Record<string, string>) => {
      const form = new URLSearchParams({
        first_name: "Ada",
        last_name: "Lovelace",
        message: "Hello",
        website: "",
        ...fields,
      });
      const response = await fetch(at, { method: "POST", body: form });
      return { status: response.status, text: await response.text() };
    };
    expect(await (await fetch(at)).text()).toContain('name="email"');
    expect(await send({ email: "ada@example.com" })).toMatchObject({
      status: 200,
      text: expect.stringContaining("Thank you"),
    });
    expect(await send({ email: "ADA@example.com", first_name: "Augusta" })).toMatchObject({ status: 200 });
    expect(await send({ email: "program@example.com", website: "x" })).toMatchObject({ status: 200 });
    const refused = await send({ email: "nobody", first_name: '"><script>' });
    expect(refused).toMatchObject({ status: 422, text: expect.stringContaining("must be a valid email address") });
    expect(refused.text).not.toContain("<script>");
    expect(await send({ email: "" })).toMatchObject({ status: 422 });

    const contacts = await list("/contacts");
    expect(contacts).toMatchObject([{ email: "ADA@example.com", name: "Augusta Lovelace", source: "Website" }]);
    expect((await list(`/contacts/${contacts[0].id}/notes`)).length).toBe(2);
  });

  test("a missed call is answered by one text, and its answer comes back", async () => {
    const port = await freePort();
    const channel = await givenChannel(world, { transport: "http", transport_url: `http://127.0.0.1:${port}/send` });
    const environment = {
      CRM_CHANNEL: String(channel.id),
      CRM_CHANNEL_SECRET: channel.transport_secret!,
      CRM_INBOUND_URL: channel.inbound_url,
      CRM_RECEIPTS_URL: channel.receipts_url!,
      PROVIDER_TOKEN: "guess-me",
    };
    const scopes = ["contacts.write", "conversations.write"] as const;
    await using gateway = await start("examples/missed-call/gateway.ts", scopes, environment, port);
    const { at } = gateway;
    const post = async (path: string, body: object) =>
      (await fetch(at + path, { method: "POST", body: JSON.stringify(body) })).status;
    const call = { id: "call-1", from: "+12125550123", status: "no-answer" };

    expect(await post("/calls/guess-me", { ...call, id: "call-0", status: "answered" })).toBe(204);
    expect(await post("/calls/other", call)).toBe(404);
    expect(await post("/send", { id: 1, retry: 0, to: "+12125550123", body: "forged" })).toBe(401);
    expect([await post("/calls/guess-me", call), await post("/calls/guess-me", call)]).toEqual([204, 204]);
    for (let round = 0; round < 3; round += 1) await world.service.worker.runOnce();
    expect(await post("/texts/guess-me", { id: "text-1", from: call.from, body: "A table for two?" })).toBe(204);

    expect(gateway.printed().match(/^to .*$/gm)).toEqual([
      "to +12125550123: Sorry that we missed your call. How can we help? Answer here, or we call you back.",
    ]);
    const [conversation] = await list("/conversations");
    const messages = await list(`/conversations/${conversation.id}/messages`);
    expect(messages.filter(({ kind }: { kind: string }) => kind === "text")).toMatchObject([
      { direction: "inbound", body: "A table for two?" },
      { direction: "outbound", status: "delivered" },
    ]);
  });
});
