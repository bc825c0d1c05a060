/** Webhooks from the event to the acknowledgement: signed, retried in time with the same bytes, and only for receivers that may read the event. */
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from "vitest";
import type { DeliveryView } from "../../src/webhooks/deliveries/delivery.view.ts";
import { findSignatureFault } from "../../src/webhooks/signature.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenContact, made } from "../support/given.ts";
import { startMailServer } from "../support/mail-server.ts";
import { startReceiver, toLoopback } from "../support/receiver.ts";
import type { Arrival } from "../support/receiver.ts";
import { createWorld, emptyTables } from "../support/world.ts";
import type { Asker, World } from "../support/world.ts";

describe.each(sampleOf("webhooks by the worker", 1, databaseKinds))("webhooks on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind, { environment: toLoopback });
  });
  afterAll(() => world?.close());
  // Webhooks of one test would hear the events of the next.
  afterEach(() => emptyTables(world, ["delivery_attempts", "deliveries", "hook_queues", "hooks"]));

  /** Registers one over HTTP. */
  async function register(
    targetUrl: string,
    { as = "owner", event = "contact.created", ...body }: { as?: Asker; event?: string; location_id?: number } = {},
  ): Promise<{ id: number; secret: string }> {
    return made(world.send(as, "POST", "/hooks", { event, target_url: targetUrl, ...body }));
  }

  const work = () => world.service.worker.runOnce();

  async function deliveriesOf(hookId: number): Promise<DeliveryView[]> {
    const { body } = await world.send("owner", "GET", `/hooks/${hookId}/deliveries`);
    return body.data;
  }

  function faultOf({ headers, body }: Arrival, secret: string): string | undefined {
    return findSignatureFault({
      header: headers["x-service-signature"]?.toString(),
      body: Buffer.from(body),
      secret,
      now: world.clock.now().getTime(),
      toleranceSeconds: 300,
    });
  }

  it("sends the event as the specification shows it, signed", async () => {
    await using receiver = await startReceiver();
    const hook = await register(receiver.url);
    const contact = await givenContact(world, { first_name: "Ada" });
    await work();
    expect(receiver.arrivals).toHaveLength(1);
    const [arrival] = receiver.arrivals as [Arrival];
    expect(arrival.headers).toMatchObject({
      "content-type": "application/json",
      "x-service-event": "contact.created",
      "x-service-delivery": String(arrival.id),
      "x-service-signature": expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/),
    });
    expect(arrival.headerNames).toEqual(
      expect.arrayContaining(["Content-Type", "X-Service-Event", "X-Service-Delivery", "X-Service-Signature"]),
    );
    expect(Object.keys(JSON.parse(arrival.body))).toEqual(["id", "event", "created_at", "data"]);
    expect(arrival.data).toMatchObject({ id: contact.id, first_name: "Ada", location_id: world.north });
    expect(faultOf(arrival, hook.secret)).toBeUndefined();
    expect(faultOf(arrival, `${hook.secret}x`)).toMatch(/No signature/);
    expect(await deliveriesOf(hook.id)).toEqual([
      {
        id: arrival.id,
        event: "contact.created",
        state: "delivered",
        created_at: world.clock.now().toISOString(),
        next_attempt_at: null,
        attempts: [
          {
            number: 1,
            at: world.clock.now().toISOString(),
            duration_ms: expect.any(Number),
            status: 200,
            error: null,
            body: "",
          },
        ],
      },
    ]);
  });

  it("tries five times, after 1, 5, 30 and 120 minutes, with the same id and bytes, then gives up", async () => {
    await using receiver = await startReceiver(() => 500);
    const hook = await register(receiver.url);
    await givenContact(world);
    await work();
    for (const [place, minutes] of [1, 5, 30, 120].entries()) {
      expect(receiver.arrivals).toHaveLength(place + 1);
      const [waiting] = (await deliveriesOf(hook.id)) as [DeliveryView];
      expect(waiting.state).toBe("retrying");
      expect(Date.parse(waiting.next_attempt_at!) - world.clock.now().getTime()).toBe(minutes * 60_000);
      world.clock.advance({ minutes, milliseconds: -1 });
      await work();
      expect(receiver.arrivals, "never early").toHaveLength(place + 1);
      world.clock.advance({ milliseconds: 1 });
      await work();
    }
    const [given] = (await deliveriesOf(hook.id)) as [DeliveryView];
    expect(given).toMatchObject({ state: "failed", next_attempt_at: null });
    expect(given.attempts.map(({ number, error }) => [number, error])).toEqual(
      [1, 2, 3, 4, 5].map((n) => [n, "http_5xx"]),
    );
    world.clock.advance({ days: 1 });
    await work();
    expect(receiver.arrivals).toHaveLength(5);
    expect(new Set(receiver.arrivals.map(({ body }) => body)).size).toBe(1);
    expect(new Set(receiver.arrivals.map(({ headers }) => headers["x-service-delivery"])).size).toBe(1);
    // Each is signed when it is sent.
    expect(new Set(receiver.arrivals.map(({ headers }) => headers["x-service-signature"])).size).toBe(5);
  });

  test.each<[what: string, answer: Parameters<typeof startReceiver>[0], told: object]>([
    [
      "a redirect",
      () => (response) => void response.writeHead(302, { location: "/elsewhere" }).end(),
      { status: 302, error: "redirect" },
    ],
    ["410", () => 410, { status: 410, error: "http_4xx" }],
    [
      "503",
      () => (response) => void response.writeHead(503).end("later"),
      { status: 503, error: "http_5xx", body: "later" },
    ],
    ["a broken connection", () => (response) => void response.destroy(), { status: null, error: "refused" }],
  ])("%s is a failed attempt, and the next one may succeed", async (_what, answer, told) => {
    await using receiver = await startReceiver((arrival, number) => (number === 1 ? answer!(arrival, number) : 204));
    const hook = await register(receiver.url);
    await givenContact(world);
    await work();
    world.clock.advance({ minutes: 1 });
    await work();
    const [delivery] = (await deliveriesOf(hook.id)) as [DeliveryView];
    expect(delivery).toMatchObject({ state: "delivered", attempts: [told, { number: 2, status: 204, error: null }] });
  });

  it("a fifth attempt that is answered 410 disables the webhook, and cancels what waits", async () => {
    await using receiver = await startReceiver(() => 410);
    const hook = await register(receiver.url);
    await givenContact(world);
    for (const minutes of [0, 1, 5, 30]) {
      world.clock.advance({ minutes });
      await work();
    }
    await givenContact(world);
    await work();
    world.clock.advance({ minutes: 120 });
    await work();
    await work();
    expect((await world.send("owner", "GET", "/hooks")).body.data).toMatchObject([{ id: hook.id, status: "disabled" }]);
    await givenContact(world);
    world.clock.advance({ seconds: 5 });
    await work();
    expect((await deliveriesOf(hook.id)).map(({ state }) => state).toSorted()).toEqual(["canceled", "failed"]);
  });

  describe("who hears of what", () => {
    // Registered by whom, narrowed to which location, for which event; whether it hears of what happens in North and in South.
    test.each<[as: Asker, narrowed: "north" | "south" | undefined, north: boolean, south: boolean]>([
      ["owner", undefined, true, true],
      ["owner", "north", true, false],
      ["owner", "south", false, true],
      ["northOnly", undefined, true, false],
      ["northOnly", "north", true, false],
    ])("registered by %s, narrowed to %s", async (as, narrowed, north, south) => {
      await using receiver = await startReceiver();
      await register(receiver.url, { as, ...(narrowed === undefined ? {} : { location_id: world[narrowed] }) });
      await givenContact(world);
      await made(
        world.send("owner", "POST", "/contacts", { location_id: world.south, first_name: "Bob", last_name: "" }),
      );
      await made(
        world.send("stranger", "POST", "/contacts", { location_id: world.foreign, first_name: "Eve", last_name: "" }),
      );
      await work();
      const heard = receiver.arrivals.map(({ data }) => data.location_id);
      expect(heard.toSorted()).toEqual([...(north ? [world.north] : []), ...(south ? [world.south] : [])].toSorted());
    });
  });

  it("tells nothing of before it was registered, and nothing of other events", async () => {
    await using receiver = await startReceiver();
    await givenContact(world);
    await register(receiver.url);
    await register(receiver.url, { event: "contact.deleted" });
    await work();
    expect(receiver.arrivals).toEqual([]);
    await givenContact(world);
    await work();
    expect(receiver.arrivals.map(({ event }) => event)).toEqual(["contact.created"]);
  });

  it("a removed webhook gets nothing any more, and what waits is canceled", async () => {
    await using receiver = await startReceiver(() => 500);
    const hook = await register(receiver.url);
    await givenContact(world);
    await work();
    expect((await world.send("owner", "DELETE", `/hooks/${hook.id}`)).status).toBe(204);
    world.clock.advance({ days: 1 });
    await work();
    expect(receiver.arrivals).toHaveLength(1);
    expect(await world.service.database.rows("select state from deliveries")).toEqual([{ state: "canceled" }]);
    expect((await world.send("owner", "GET", `/hooks/${hook.id}/deliveries`)).status).toBe(404);
    world.clock.advance({ days: 31 });
    await work();
    await work();
    expect(await world.service.database.rows("select id from hooks")).toEqual([]);
  });

  it("a replay sends the same bytes under the same id, with five attempts anew", async () => {
    let status = 500;
    await using receiver = await startReceiver(() => status);
    const hook = await register(receiver.url);
    await givenContact(world);
    for (const minutes of [0, 1, 5, 30, 120]) {
      world.clock.advance({ minutes });
      await work();
    }
    const [failed] = (await deliveriesOf(hook.id)) as [DeliveryView];
    expect(failed.state).toBe("failed");
    const replayed = await world.send("owner", "POST", `/hooks/deliveries/${failed.id}/replay`);
    expect([replayed.status, replayed.body.state]).toEqual([202, "pending"]);
    await work();
    status = 200;
    world.clock.advance({ minutes: 1 });
    await work();
    const [again] = (await deliveriesOf(hook.id)) as [DeliveryView];
    expect(again).toMatchObject({ id: failed.id, state: "delivered" });
    expect(again.attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(new Set(receiver.arrivals.map(({ body }) => body)).size).toBe(1);
  });

  it("one whose payload is pruned cannot be replayed, and is canceled where it waits", async () => {
    await using receiver = await startReceiver(() => 500);
    const hook = await register(receiver.url);
    await givenContact(world);
    await work();
    const [delivery] = (await deliveriesOf(hook.id)) as [DeliveryView];
    await world.service.database.transaction(({ rows }) => rows("update events set data = null"));
    const answer = await world.send("owner", "POST", `/hooks/deliveries/${delivery.id}/replay`);
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ["delivery"]]);
    const before = { ...world.service.counts.deliveries };
    world.clock.advance({ minutes: 1 });
    await work();
    expect(await deliveriesOf(hook.id)).toMatchObject([{ state: "canceled" }]);
    expect(receiver.arrivals).toHaveLength(1);
    expect(world.service.counts.deliveries, "a send that never was").toEqual({
      ...before,
      released: before.released + 1,
    });
  });

  it("the log of deliveries is pruned after thirty days", async () => {
    await using receiver = await startReceiver();
    const hook = await register(receiver.url);
    await givenContact(world);
    await work();
    world.clock.advance({ days: 30 });
    await work();
    expect(await deliveriesOf(hook.id)).toHaveLength(1);
    world.clock.advance({ hours: 1 });
    await work();
    expect(await deliveriesOf(hook.id)).toEqual([]);
    expect(await world.service.database.rows("select id from delivery_attempts")).toEqual([]);
  });

  it("what failed at everything is shown with its time, until something succeeds", async () => {
    let status = 500;
    await using receiver = await startReceiver(() => status);
    const hook = await register(receiver.url);
    const failingSince = async () => (await world.send("owner", "GET", "/hooks")).body.data[0].failing_since;
    await givenContact(world);
    await work();
    const since = world.clock.now().toISOString();
    world.clock.advance({ minutes: 1 });
    await work();
    expect(await failingSince()).toBe(since);
    status = 200;
    world.clock.advance({ minutes: 5 });
    await work();
    expect(await failingSince()).toBeNull();
    expect(await deliveriesOf(hook.id)).toMatchObject([{ state: "delivered" }]);
  });

  it("what failed at everything for three days is told of in the log, once a day, by its host alone, and goes on", async () => {
    const told: unknown[] = [];
    world.service.log.setReporters([{ log: ({ type, args }) => told.push([type, ...args]) }]);
    let status = 500;
    await using receiver = await startReceiver(() => status);
    await using other = await startReceiver();
    const hook = await register(`${receiver.url}?token=sesame`);
    await register(other.url);
    await givenContact(world);
    const since = world.clock.now().toISOString();
    await work();
    world.clock.advance({ days: 3 });
    await work();
    expect(told).toEqual([]);
    world.clock.advance({ days: 1 });
    for (let round = 0; round < 3; round++) await work();
    const line = [
      "warn",
      "a webhook has failed every attempt for 3 days",
      { hook_id: hook.id, workspace_id: world.acme, host: new URL(receiver.url).host, failing_since: since },
    ];
    expect(told).toEqual([line]);
    world.clock.advance({ days: 1 });
    await givenContact(world);
    await work();
    expect(told).toEqual([line, line]);
    expect((await deliveriesOf(hook.id))[0], "it is never switched off").toMatchObject({ state: "retrying" });
    status = 200;
    world.clock.advance({ days: 1, seconds: 1 });
    await work();
    world.clock.advance({ days: 1, seconds: 1 });
    await work();
    expect(told.slice(3)).toEqual([]);
  });

  it("what failed at everything for three days is mailed to the owners once, as soon as a mail server takes it, and anew after a success or a change of the webhook", async () => {
    let puts = 1;
    await using server = await startMailServer({ data: () => (puts-- > 0 ? [451, "Try later"] : undefined) });
    const mailed = await createWorld(kind, {
      environment: { ...toLoopback, CRM_SMTP_URL: server.url, CRM_MAIL_FROM: "crm@acme.example" },
      quiet: true,
    });
    try {
      let status = 500;
      await using receiver = await startReceiver(() => status);
      const url = `${receiver.url}?token=sesame`;
      const hook = await made(mailed.send("owner", "POST", "/hooks", { event: "contact.created", target_url: url }));
      const pass = async (days: number): Promise<number> => {
        mailed.clock.advance({ days, seconds: 1 });
        await givenContact(mailed);
        await mailed.service.worker.runOnce();
        return server.mails.length;
      };
      // The third attempt to tell is one too many: they know.
      expect([await pass(0), await pass(2), await pass(2), await pass(1), await pass(1)]).toEqual([0, 0, 0, 1, 1]);
      const [mail] = server.mails;
      expect(mail).toMatchObject({ to: ["olga@acme.example"], headers: { from: ["crm@acme.example"] } });
      expect(mail!.headers["subject"]).toEqual([`Webhook ${hook.id} to ${new URL(url).host} fails`]);
      expect(mail!.raw).not.toContain("sesame");
      status = 200;
      expect(await pass(1)).toBe(1);
      status = 500;
      expect([await pass(1), await pass(4)]).toEqual([1, 2]);
      await made(mailed.send("owner", "PATCH", `/hooks/${hook.id}`, { target_url: `${receiver.url}/other` }));
      expect([await pass(1), await pass(4)]).toEqual([2, 3]);
      for (const change of [{ status: "paused" }, { status: "active" }])
        await made(mailed.send("owner", "PATCH", `/hooks/${hook.id}`, change));
      expect([await pass(1), await pass(4)]).toEqual([3, 4]);
    } finally {
      await mailed.close();
    }
  });

  it("shows no secret: neither in lists, nor in the tables", async () => {
    const hook = await register("http://127.0.0.1:1/");
    const { text } = await world.send("owner", "GET", "/hooks");
    const stored = JSON.stringify(await world.service.database.rows("select * from hooks"));
    expect(hook.secret).toMatch(/^whsec_[\w-]{43}$/);
    for (const place of [text, stored]) expect(place).not.toContain(hook.secret.slice("whsec_".length));
  });
});
