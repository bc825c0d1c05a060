/** Messages from the API to a mail server and to a gateway: each is sent, retried in time, or fails with a reason; no channel delays another. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it, test, vi } from "vitest";
import type { ChannelInput } from "../../src/crm/channels/channel.schema.ts";
import { findChannelSettings } from "../../src/crm/channels/channel.queries.ts";
import { setChannelStatus, updateChannel } from "../../src/crm/channels/channel.service.ts";
import { testChannel } from "../../src/crm/channels/transports/transport-test.ts";
import { claimSends, reclaimDeadSends } from "../../src/crm/conversations/sending/claim.ts";
import type { DueChannel } from "../../src/crm/conversations/sending/claim.ts";
import { enqueueHeads, sendQueue } from "../../src/crm/conversations/sending/send-queue.ts";
import { openService } from "../../src/service.ts";
import { readOwnMark } from "../../src/kit/process-mark.ts";
import { createWorkers } from "../../src/storage/installation/workers.ts";
import { findSignatureFault } from "../../src/webhooks/signature.ts";
import { request } from "../support/client.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { findFaultsOf } from "../support/events.ts";
import { givenChannel, givenContact, givenConversation, handIn, made } from "../support/given.ts";
import { startMailServer } from "../support/mail-server.ts";
import type { MailServer } from "../support/mail-server.ts";
import { startReceiver, toLoopback } from "../support/receiver.ts";
import type { TestReceiver } from "../support/receiver.ts";
import { createWorld, emptyTables } from "../support/world.ts";
import type { World } from "../support/world.ts";

const delays = [60, 300, 900, 1800, 3600, 7200, 14_400];

describe.each(sampleOf("messages by channels", 1, databaseKinds))("messages on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind, { environment: toLoopback, quiet: true });
  });
  afterAll(() => world?.close());
  // What one test leaves queued, the worker of the next would send.
  afterEach(() => emptyTables(world, ["message_sends", "channel_queues"]));

  const work = () => world.service.worker.runOnce();
  const change = async (work: Parameters<Awaited<ReturnType<World["service"]["inLocation"]>>["change"]>[0]) =>
    (await world.service.inLocation(world.acme, world.north)).change(work);

  const mailChannel = (server: Pick<MailServer, "url">, fields: Partial<ChannelInput> = {}) =>
    givenChannel(world, {
      kind: "email",
      name: "Front desk",
      address: "desk@acme.example",
      transport: "smtp",
      transport_url: server.url,
      ...fields,
    });
  const gatewayChannel = (gateway: Pick<TestReceiver, "url">, fields: Partial<ChannelInput> = {}) =>
    givenChannel(world, { kind: "sms", transport: "http", transport_url: gateway.url, ...fields });

  /** A text to a contact of its own on the channel; the message as it was answered. */
  async function sent(channel: { id: number }, fields: Record<string, unknown> = {}) {
    const { message } = await givenConversation(world, { channel_id: channel.id, body: "Good morning!", ...fields });
    expect(message).toMatchObject({ status: "queued", sent_at: null });
    return message as { id: number; conversation_id: number; to_address: string };
  }

  const say = (conversation: number, body: object) =>
    world.send("owner", "POST", `/conversations/${conversation}/messages`, { location_id: world.north, ...body });

  const cancel = ({ id, conversation_id }: { id: number; conversation_id: number }) =>
    world.send("owner", "POST", `/conversations/${conversation_id}/messages/${id}/cancel`, {
      location_id: world.north,
    });

  const of = async ({ id, conversation_id }: { id: number; conversation_id: number }) => {
    const shown = await made(
      world.send("owner", "GET", `/conversations/${conversation_id}?location_id=${world.north}`),
    );
    return shown.messages.find((message: { id: number }) => message.id === id);
  };

  const waiting = () =>
    world.service.database.rows<{ attempt: number }>("select attempt from message_sends order by id");
  const statusOf = async (id: number) =>
    (await world.service.database.rows<{ status: string }>("select status from channels where id = ?", [id]))[0]!
      .status;

  test("what the worker records of them is no change of a client, to which sending would give way", async () => {
    await using gateway = await startReceiver();
    const changed = vi.spyOn(world.service.worker, "changed");
    const message = await sent(await gatewayChannel(gateway));
    const ofClients = changed.mock.calls.length;
    await work();
    expect(await of(message)).toMatchObject({ status: "sent" });
    expect([ofClients > 0, changed.mock.calls.length - ofClients]).toEqual([true, 0]);
    changed.mockRestore();
  });

  describe("by mail", () => {
    it("leaves as it was written, and is sent when the server has it", async () => {
      await using server = await startMailServer();
      const contact = await givenContact(world, { first_name: "Ada", last_name: "Lovelace", email: "Ada@X.example" });
      const channel = await mailChannel(server, { inbound_address: "in@acme.example" });
      const { result: message, events } = await world.eventsDuring(() =>
        sent(channel, { contact_id: contact.id, subject: "Prices", body: "Here is our price list.\nGrüße" }),
      );
      expect(events.map(({ event }) => event)).toEqual(["conversation.created"]);
      expect(message).toMatchObject({ from_address: "desk@acme.example", to_address: "Ada@X.example" });
      world.clock.advance({ seconds: 3 });
      const { events: told } = await world.eventsDuring(work);
      expect(told.map(({ event, contact_id }) => [event, contact_id])).toEqual([["message.sent", contact.id]]);
      expect(told.flatMap(findFaultsOf)).toEqual([]);
      expect(told[0]!.data).toMatchObject({ id: message.id, status: "sent", contact: { id: contact.id } });
      expect(await of(message)).toMatchObject({
        status: "sent",
        sent_at: world.clock.now().toISOString(),
        error: null,
      });
      expect(await waiting()).toEqual([]);
      const [mail] = server.mails;
      expect(mail).toMatchObject({ from: "desk@acme.example", to: ["Ada@X.example"] });
      expect(mail!.headers).toMatchObject({
        from: ["Front desk <desk@acme.example>"],
        to: ["Ada Lovelace <Ada@x.example>"],
        "reply-to": ["in@acme.example"],
        subject: ["Prices"],
      });
      expect(mail!.headers["in-reply-to"]).toBeUndefined();
      expect(mail!.raw).toContain("Here is our price list.\r\nGr=C3=BC=C3=9Fe");
    });

    it("stays in the thread that the contact's client shows", async () => {
      await using server = await startMailServer();
      const contact = await givenContact(world);
      const channel = await mailChannel(server);
      const first = await sent(channel, { contact_id: contact.id, subject: "Prices" });
      await work();
      await made(handIn(world, channel, { from: contact.email, body: "Thanks!", external_id: "<reply@x.example>" }));
      await made(handIn(world, channel, { from: contact.email, body: "One more.", external_id: "SM-no-mail-id" }));
      expect(
        (await say(first.conversation_id, { body: "You are welcome.", html: "<b>You are welcome.</b>" })).status,
      ).toBe(201);
      expect((await say(first.conversation_id, { body: "Bye." })).status).toBe(201);
      await work();
      const [one, two, three] = server.mails.map(({ headers }) => headers);
      const id = (headers = one) => headers!["message-id"]![0]!;
      expect(id()).toMatch(/^<[\da-f-]{36}@acme\.example>$/);
      expect(one!["subject"]).toEqual(["Prices"]);
      expect(two).toMatchObject({
        subject: ["Re: Prices"],
        "in-reply-to": ["<reply@x.example>"],
        references: [`${id()} <reply@x.example>`],
        "content-type": [expect.stringMatching(/^multipart\/alternative/)],
      });
      expect(three).toMatchObject({ references: [`${id()} <reply@x.example> ${id(two)}`] });
      expect(new Set([id(), id(two), id(three)]).size).toBe(3);
    });

    it("answers who wrote, also before anybody knows who that is", async () => {
      await using server = await startMailServer();
      const channel = await mailChannel(server);
      const from = `"Grace" <Grace@y.example>`;
      const { conversation_id: id } = await made(handIn(world, channel, { from, body: "Hello?" }));
      expect((await say(id, { body: "Hello!" })).body).toMatchObject({
        status: "queued",
        to_address: "Grace@y.example",
      });
      const contact = await givenContact(world, { email: "work@y.example" });
      await made(
        world.send("owner", "PATCH", `/conversations/${id}`, { location_id: world.north, contact_id: contact.id }),
      );
      expect((await say(id, { body: "Hello again!" })).body.to_address).toBe("Grace@y.example");
      await work();
      expect(server.mails.map(({ to }) => to)).toEqual([["Grace@y.example"], ["Grace@y.example"]]);
    });

    it("that the server puts off is tried again, later and later, by the same id, and fails in the end", async () => {
      let attempts = 0;
      const ids: string[] = [];
      await using server = await startMailServer({
        data(mail) {
          attempts += 1;
          ids.push(mail.headers["message-id"]![0]!);
          return [451, "4.7.1 Come back later"];
        },
      });
      const channel = await mailChannel(server);
      const message = await sent(channel);
      await work();
      for (const [place, seconds] of delays.entries()) {
        expect(attempts).toBe(place + 1);
        expect(await of(message)).toMatchObject({
          status: "queued",
          error: expect.stringMatching(/deferred it: 451 4\.7\.1/),
        });
        world.clock.advance({ seconds, milliseconds: -1 });
        await work();
        expect(attempts, "never early").toBe(place + 1);
        world.clock.advance({ milliseconds: 1 });
        if (place < delays.length - 1) await work();
      }
      const { events } = await world.eventsDuring(work);
      expect(attempts).toBe(delays.length + 1);
      expect(events.map(({ event }) => event)).toEqual(["message.failed"]);
      expect(await of(message)).toMatchObject({ status: "failed", error: expect.stringMatching(/451/), sent_at: null });
      expect(new Set(ids).size).toBe(1);
      expect(await waiting()).toEqual([]);
      expect(await statusOf(channel.id), "one mail that is put off is none of the channel's faults").toBe("active");
    });

    it("that the server refuses fails at once, with what it said", async () => {
      await using server = await startMailServer({ rcpt: () => [550, "5.1.1 No such user here"] });
      const message = await sent(await mailChannel(server));
      const { events } = await world.eventsDuring(work);
      expect(events.map(({ event }) => event)).toEqual(["message.failed"]);
      expect(await of(message)).toMatchObject({
        status: "failed",
        error: "The mail server refused it: 550 5.1.1 No such user here",
      });
      expect(await waiting()).toEqual([]);
    });

    it("over a server that is away: the channel says so, and works again by itself", async () => {
      let isAway = true;
      await using server = await startMailServer({ rcpt: () => (isAway ? [421, "4.3.2 Shutting down"] : undefined) });
      const channel = await mailChannel(server);
      const message = await sent(channel);
      await work();
      expect(await statusOf(channel.id)).toBe("error");
      expect((await of(message)).status).toBe("queued");
      const reader = await world.service.inLocation(world.acme, world.north);
      // It says so and closes: either may be seen first.
      expect((await findChannelSettings(reader, channel.id))!.error).toMatch(
        new RegExp(`(421 4.3.2 Shutting down|failed) \\(127.0.0.1:${server.port}\\)\\.$`),
      );
      isAway = false;
      world.clock.advance({ seconds: 60 });
      await work();
      expect([await statusOf(channel.id), (await of(message)).status]).toEqual(["active", "sent"]);
      expect((await findChannelSettings(reader, channel.id))!.error).toBeNull();
    });

    it("over a server that nobody finds: operators are told where and why, and a test that passes clears it", async () => {
      const { port } = await startMailServer().then(async (server) => (await server[Symbol.asyncDispose](), server));
      const channel = await mailChannel({ url: `smtp://127.0.0.1:${port}` });
      const message = await sent(channel);
      await work();
      const reader = await world.service.inLocation(world.acme, world.north);
      const errorOf = async () => (await findChannelSettings(reader, channel.id))!.error;
      const reason = `The connection to the mail server failed (ECONNREFUSED 127.0.0.1:${port}).`;
      expect([await statusOf(channel.id), await errorOf()]).toEqual(["error", reason]);
      expect((await of(message)).error, "clients of the API learn nothing of the network").toBe(
        "The connection to the mail server failed.",
      );
      const test = () => testChannel(reader, world.service.outside, { id: channel.id, to: "ada@x.example" });
      expect(await test()).toMatchObject({ id: channel.id, reason });
      await using server = await startMailServer({ port });
      await test();
      expect(server.mails).toHaveLength(1);
      expect([await statusOf(channel.id), await errorOf()]).toEqual(["active", null]);
    });

    it("the reason is the last one, and goes when the channel is paused", async () => {
      await using gateway = await startReceiver((_arrival, number) => (number === 1 ? 503 : 500));
      const channel = await gatewayChannel(gateway);
      await sent(channel);
      const reader = await world.service.inLocation(world.acme, world.north);
      const errorOf = async () => (await findChannelSettings(reader, channel.id))!.error;
      for (const status of [503, 500]) {
        await work();
        expect(await errorOf()).toBe(`The gateway answered ${status} (${new URL(gateway.url).host}).`);
        world.clock.advance({ seconds: 60 });
      }
      await change((open) => setChannelStatus(open, channel.id, "paused"));
      expect(await errorOf()).toBeNull();
    });

    it("a wrong password costs no message: it waits, and goes when the right one is there", async () => {
      await using server = await startMailServer({ password: "right" });
      const url = server.url.replace("smtp://", "smtp://desk@");
      const channel = await mailChannel({ url }, { transport_secret: "wrong" });
      const message = await sent(channel);
      await work();
      expect(await of(message)).toMatchObject({ status: "queued", error: expect.stringMatching(/535/) });
      await change((open) => updateChannel(open, channel.id, { transport_secret: "right" }));
      world.clock.advance({ seconds: 60 });
      await work();
      expect(server.mails.map(({ user }) => user)).toEqual(["desk"]);
      expect((await of(message)).status).toBe("sent");
    });
  });

  describe("by a gateway", () => {
    it("is posted, signed, and its receipts move it on", async () => {
      await using gateway = await startReceiver();
      const contact = await givenContact(world, { phone: "(212) 555-0123 ext. 7" });
      const channel = await gatewayChannel(gateway);
      const message = await sent(channel, { contact_id: contact.id });
      await work();
      const [arrival] = gateway.arrivals;
      expect(JSON.parse(arrival!.body)).toEqual({
        id: message.id,
        retry: 0,
        conversation_id: message.conversation_id,
        channel: { id: channel.id, kind: "sms", name: channel.name },
        contact: { id: contact.id, name: contact.name },
        from: channel.address,
        to: "+12125550123",
        subject: null,
        body: "Good morning!",
        html: null,
        attachments: [],
        in_reply_to: null,
        created_at: world.clock.now().toISOString(),
      });
      expect(arrival!.headers).toMatchObject({
        "content-type": "application/json",
        "idempotency-key": String(message.id),
      });
      expect(
        findSignatureFault({
          header: arrival!.headers["x-service-signature"]?.toString(),
          body: Buffer.from(arrival!.body),
          secret: channel.transport_secret!,
          now: world.clock.now().getTime(),
          toleranceSeconds: 300,
        }),
      ).toBeUndefined();
      expect((await of(message)).status).toBe("sent");
      const receive = (status: string) =>
        request(world.url, {
          method: "POST",
          path: new URL(channel.receipts_url!).pathname,
          body: { message_id: message.id, status },
        });
      for (const status of ["delivered", "read"]) {
        expect((await receive(status)).status).toBe(200);
        expect((await of(message)).status).toBe(status);
      }
    });

    test.each<[status: number, body: string, told: string, expected: object]>([
      [400, "", "failed", { error: "The gateway answered 400." }],
      [401, "no", "failed", { error: "The gateway answered 401." }],
      [422, `{"error":"No such number."}`, "failed", { error: "The gateway answered 422: No such number." }],
      [422, `{"error":{"a":1}}`, "failed", { error: "The gateway answered 422." }],
      [410, `{"error":"a\\u0000b\\r\\nc"}`, "failed", { error: "The gateway answered 410: a b c." }],
      [408, "", "queued", { error: "The gateway answered 408." }],
      [429, "", "queued", { error: "The gateway answered 429." }],
      [500, "", "queued", { error: "The gateway answered 500." }],
      [503, "", "queued", {}],
      [302, "", "queued", {}],
      [204, "", "sent", { error: null }],
    ])("that answers %i with %j: %s", async (status, body, told, expected) => {
      await using gateway = await startReceiver(() => (response) => void response.writeHead(status).end(body));
      const message = await sent(await gatewayChannel(gateway));
      await work();
      expect(await of(message)).toMatchObject({ status: told, ...expected });
      world.clock.advance({ days: 30 });
      await work();
      expect(gateway.arrivals.length > 1, "tried again").toBe(told === "queued");
    });

    it("that tells the end before it answers, and then lies: what was told first holds, and nothing is sent twice", async () => {
      const paths: string[] = [];
      const receipt = (id: number, status: string) =>
        request(world.url, { method: "POST", path: paths[0]!, body: { message_id: id, status } });
      await using gateway = await startReceiver(({ id }) => async (response) => {
        await receipt(id, "delivered");
        response.writeHead(500).end();
      });
      const channel = await gatewayChannel(gateway);
      paths.push(new URL(channel.receipts_url!).pathname);
      const message = await sent(channel);
      const { events } = await world.eventsDuring(work);
      expect(events.map(({ event }) => event)).toEqual(["message.sent"]);
      expect(await of(message)).toMatchObject({ status: "delivered", error: null });
      await receipt(message.id, "failed");
      world.clock.advance({ days: 1 });
      await work();
      expect(gateway.arrivals).toHaveLength(1);
      expect((await of(message)).status).toBe("delivered");
      expect(await waiting()).toEqual([]);
    });

    it("a receipt that says failed ends what waits to be tried again", async () => {
      await using gateway = await startReceiver(() => 503);
      const channel = await gatewayChannel(gateway);
      const message = await sent(channel);
      await work();
      await request(world.url, {
        method: "POST",
        path: new URL(channel.receipts_url!).pathname,
        body: { message_id: message.id, status: "failed", error: "No route." },
      });
      world.clock.advance({ days: 1 });
      await work();
      expect(gateway.arrivals).toHaveLength(1);
      expect(await of(message)).toMatchObject({ status: "failed", error: "No route." });
    });

    it("inside the network is refused when it is sent to, and the message waits for a channel that works", async () => {
      const closed = await createWorld(kind, { quiet: true });
      try {
        const channel = await givenChannel(closed, { transport: "http", transport_url: "https://127.0.0.1/gateway" });
        const { message } = await givenConversation(closed, { channel_id: channel.id, body: "Hello" });
        await closed.service.worker.runOnce();
        const [row] = await closed.service.database.rows("select status, error from messages where id = ?", [
          message.id,
        ]);
        expect(row).toEqual({ status: "queued", error: "The gateway has an address that is not public." });
      } finally {
        await closed.close();
      }
    });
  });

  describe("in line", () => {
    it("a paused channel waits, and goes on", async () => {
      await using server = await startMailServer();
      const channel = await mailChannel(server);
      const message = await sent(channel);
      await change((open) => setChannelStatus(open, channel.id, "paused"));
      await work();
      world.clock.advance({ days: 1 });
      await work();
      expect([server.mails.length, (await of(message)).status]).toEqual([0, "queued"]);
      expect(await world.service.worker.runOnce()).toBeUndefined();
      await change((open) => setChannelStatus(open, channel.id, "active"));
      await work();
      expect((await of(message)).status).toBe("sent");
    });

    it("a dead server holds one place: the others' messages do not wait for it", async () => {
      await using dead = await startMailServer({ rcpt: () => "never" });
      await using alive = await startMailServer();
      const stuck = await mailChannel(dead);
      const works = await mailChannel(alive);
      const { id: first } = await sent(stuck);
      for (let count = 1; count < 20; count++) await sent(stuck);
      for (let count = 0; count < 20; count++) await sent(works);
      await world.service.worker.start();
      try {
        await expect.poll(() => alive.mails.length, { timeout: 15_000 }).toBe(20);
        const errors = await world.service.database.rows(
          "select error from messages where id >= ? and error is not null",
          [first],
        );
        expect({ connections: dead.connections(), errors }).toEqual({ connections: 1, errors: [] });
        expect(alive.connections()).toBeLessThanOrEqual(4);
      } finally {
        await world.service.worker.stop();
      }
      // What was under way is given back, its attempt not counted.
      const rows = await world.service.database.rows<{ attempt: number; due: boolean | number }>(
        "select attempt, due_at is not null as due from message_sends",
      );
      expect(rows).toHaveLength(20);
      expect(rows.every(({ attempt, due }) => attempt === 0 && Boolean(due))).toBe(true);
    });

    const now = () => world.clock.now();
    /** As a worker takes them that has four places for each channel. */
    async function take(worker: number | null = null) {
      const { database } = world.service;
      const due = await sendQueue.findDue<DueChannel>(database, now(), []);
      const shares = due.map((one) => ({ due: one, take: 4 }));
      return claimSends(database, { shares, now: now(), leaseMilliseconds: 90_000, worker });
    }

    it("what a dead worker had is sent by another when its lease has ended, and given up when that goes on", async () => {
      await using server = await startMailServer();
      const channel = await mailChannel(server);
      const message = await sent(channel);
      const { database } = world.service;
      await enqueueHeads(database, now());
      expect(await take()).toMatchObject([{ message_id: message.id, attempt: 1, fence: 1 }]);
      expect(await take()).toEqual([]);
      world.clock.advance({ seconds: 90 });
      expect(await reclaimDeadSends(database, { now: now(), gone: [], flying: [] })).toBe(0);
      world.clock.advance({ milliseconds: 1 });
      const [{ id }] = (await database.rows<{ id: number }>("select id from message_sends")) as [{ id: number }];
      expect(
        await reclaimDeadSends(database, { now: now(), gone: [], flying: [id] }),
        "of a process that is alive",
      ).toBe(0);
      for (let attempt = 2; attempt <= delays.length + 1; attempt++) {
        expect(await reclaimDeadSends(database, { now: now(), gone: [], flying: [] })).toBe(1);
        expect(await take()).toMatchObject([{ attempt }]);
        world.clock.advance({ seconds: 91 });
      }
      const { events } = await world.eventsDuring(work);
      expect(events.map(({ event }) => event)).toEqual(["message.failed"]);
      expect(await of(message)).toMatchObject({ status: "failed", error: expect.stringMatching(/worker/) });
      expect(server.mails).toEqual([]);
    });

    it.runIf(process.platform === "linux")(
      "what a worker had whose process is gone is taken over at once, and nothing of one that runs",
      async () => {
        await using server = await startMailServer();
        const channel = await mailChannel(server);
        const { database } = world.service;
        const running = readOwnMark()!;
        const taken = [];
        for (const mark of [running, { ...running, startedAt: running.startedAt - 1 }]) {
          taken.push(await sent(channel));
          await enqueueHeads(database, now());
          expect(await take(await createWorkers(database, world.clock, mark).own())).toHaveLength(1);
        }
        // Leases of ended processes are looked for each second, and these last for ninety.
        world.clock.advance({ seconds: 1 });
        await work();
        const [alive, gone] = await Promise.all(taken.map(of));
        expect([alive.status, gone.status]).toEqual(["queued", "sent"]);
      },
    );

    it("of a cancellation and the worker that claims the message, one wins", async () => {
      await using gateway = await startReceiver();
      const channel = await gatewayChannel(gateway);
      const messages: { id: number; conversation_id: number }[] = [];
      for (let number = 0; number < 12; number += 1) messages.push(await sent(channel));
      await enqueueHeads(world.service.database, now());
      const claiming = [0, 1, 2].map(() => take());
      const canceling = messages.map((message) => cancel(message));
      const claimed = (await Promise.all(claiming)).flat().map(({ message_id }) => message_id);
      const canceled = (await Promise.all(canceling)).map(({ status, body }, place) => {
        const { id } = messages[place]!;
        if (status === 200) return id;
        expect([id, body.errors]).toEqual([id, { message: ["The message is being sent."] }]);
        expect(claimed).toContain(id);
        return undefined;
      });
      const ids = [...claimed, ...canceled.filter((id) => id !== undefined)].toSorted((one, other) => one - other);
      const left = await waiting();
      expect(ids).toEqual(messages.map(({ id }) => id));
      expect(left).toHaveLength(claimed.length);
    });

    describe("the messages of a conversation form a line: nothing overtakes", () => {
      type Happening = (first: { id: number; conversation_id: number; receipts: string }) => Promise<unknown>;
      const later: Happening = async () => void world.clock.advance({ seconds: 60 });
      const dies: Happening = async () => {
        await enqueueHeads(world.service.database, now());
        expect(await take()).toHaveLength(1);
        expect(await take(), "the second waits for the first").toEqual([]);
        world.clock.advance({ seconds: 30 });
        await work();
      };
      const leaseEnds: Happening = async () => void world.clock.advance({ seconds: 61 });
      const isFailed: Happening = ({ id, receipts }) =>
        request(world.url, { method: "POST", path: receipts, body: { message_id: id, status: "failed" } });

      const isCanceled: Happening = async (first) => made(cancel(first));

      test.each<[what: string, answers: number[], happens: Happening[], sent: string[], then: string[]]>([
        ["where all is well", [], [], ["0", "1", "2"], []],
        ["the first is put off", [503], [later], [], ["0", "1", "2"]],
        ["the first is put off twice", [503, 503], [later], [], []],
        ["the second is put off", [200, 503], [later], ["0"], ["1", "2"]],
        ["the first is refused for good", [400], [], ["1", "2"], []],
        ["the first is put off, then a receipt says that it failed", [503], [isFailed], [], ["1", "2"]],
        ["the first is put off, then canceled", [503], [isCanceled], [], ["1", "2"]],
        ["the worker that sends the first dies", [], [dies, leaseEnds], [], ["0", "1", "2"]],
      ])("%s", async (_what, answers, happens, sentFirst, then) => {
        const taken: string[] = [];
        const left = [...answers];
        await using gateway = await startReceiver(({ body }) => {
          const status = left.shift() ?? 200;
          if (status === 200) taken.push(JSON.parse(body).body);
          return status;
        });
        const channel = await gatewayChannel(gateway);
        const first = await sent(channel, { body: "0" });
        for (const body of ["1", "2"]) await made(say(first.conversation_id, { body }));
        const [starts, ...rest] = happens[0] === dies ? happens : [work, ...happens];
        const told = { ...first, receipts: new URL(channel.receipts_url!).pathname };
        await starts!(told);
        expect(taken.splice(0)).toEqual(sentFirst);
        for (const happening of rest) await happening(told);
        await work();
        expect(taken).toEqual(then);
      });

      it("a failed one that is retried follows those that wait, under its own id, once", async () => {
        const taken: [id: number, body: string][] = [];
        const left = [400, 503];
        await using gateway = await startReceiver(({ body }) => {
          const status = left.shift() ?? 200;
          const { id, body: text } = JSON.parse(body);
          if (status === 200) taken.push([id, text]);
          return status;
        });
        const channel = await gatewayChannel(gateway);
        const first = await sent(channel, { body: "0" });
        const second = await made(say(first.conversation_id, { body: "1" }));
        const retry = (id: number, conversation = first.conversation_id) =>
          world.send("owner", "POST", `/conversations/${conversation}/messages/${id}/retry`, {
            location_id: world.north,
          });
        const refusal = (sentence: string) => ({ status: 422, body: { errors: { message: [sentence] } } });
        await work();
        expect(await of(first)).toMatchObject({ status: "failed", error: "The gateway answered 400." });
        expect(await retry(second.id)).toMatchObject(
          refusal("Only a failed message can be retried; this one is queued."),
        );
        await change((a) => setChannelStatus(a, channel.id, "paused"));
        expect(await retry(first.id)).toMatchObject(
          refusal("The channel is paused. Resume it, then retry the message."),
        );
        await change((a) => setChannelStatus(a, channel.id, "active"));
        const other = await givenConversation(world);
        expect(await retry(first.id, other.conversation.id)).toMatchObject({ status: 404 });
        const both = await Promise.all([retry(first.id), retry(first.id)]);
        expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422]);
        expect(await of(first)).toMatchObject({ status: "queued", error: null, sent_at: null });
        world.clock.advance({ seconds: 60 });
        const { events } = await world.eventsDuring(work);
        expect(taken).toEqual([
          [second.id, "1"],
          [first.id, "0"],
        ]);
        expect(events.map(({ event }) => event)).toEqual(["message.sent", "message.sent"]);
        expect(await of(first)).toMatchObject({ status: "sent", error: null });
        expect(await waiting()).toEqual([]);
      });

      it("in two processes as well, and whatever else is sent on the channel", async () => {
        const taken: string[] = [];
        await using server = await startMailServer({
          data: async ({ raw }, number) => {
            await sleep((number % 3) * 10);
            taken.push(/Part (\d+-\d+)/.exec(raw)![1]!);
            return undefined;
          },
        });
        const channel = await mailChannel(server);
        const another = await openService(world.service.settings, { log: world.service.log, clock: world.clock });
        const firsts = [];
        for (let line = 0; line < 3; line++) firsts.push(await sent(channel, { body: `Part ${line}-0` }));
        await Promise.all([world.service.worker.start(), another.worker.start()]);
        try {
          for (let part = 1; part < 8; part++)
            for (const [line, { conversation_id }] of firsts.entries())
              await made(say(conversation_id, { body: `Part ${line}-${part}` }));
          await expect.poll(() => taken.length, { timeout: 15_000 }).toBe(24);
        } finally {
          await Promise.all([world.service.worker.stop(), another.worker.stop()]);
          await another.close();
        }
        for (const line of [0, 1, 2])
          expect(taken.filter((part) => part.startsWith(`${line}-`))).toEqual(
            Array.from({ length: 8 }, (_, part) => `${line}-${part}`),
          );
      });
    });

    it("two that take at the same time share what waits: nothing twice", async () => {
      await using server = await startMailServer();
      const channels = [await mailChannel(server), await mailChannel(server)];
      for (let count = 0; count < 12; count++) await sent(channels[count % 2]!);
      const { database } = world.service;
      await Promise.all([enqueueHeads(database, now()), enqueueHeads(database, now())]);
      const taken = (await Promise.all([take(), take(), take()])).flat();
      taken.push(...(await take()), ...(await take()));
      expect(taken).toHaveLength(12);
      expect(new Set(taken.map(({ message_id }) => message_id)).size).toBe(12);
    });

    it("goes on by itself soon after the message was written", async () => {
      await using server = await startMailServer();
      const channel = await mailChannel(server);
      await world.service.worker.start();
      try {
        await sent(channel);
        await expect.poll(() => server.mails.length, { timeout: 4000 }).toBe(1);
      } finally {
        await world.service.worker.stop();
      }
    });
  });

  describe("who cannot be reached", () => {
    test.each<[kind: ChannelInput["kind"], contact: Record<string, unknown>, to: string | RegExp]>([
      ["email", { email: null }, /must name a contact with an email address/],
      ["sms", { phone: null }, /must name a contact with a phone number/],
      ["sms", { phone: "call me maybe" }, /must name a contact with a phone number/],
      ["whatsapp", { phone: "+44 20 7946 0958" }, "+442079460958"],
      ["messenger", {}, /must name a contact who has written on the channel/],
      ["email", { email: "jösé@exämple.com" }, "jösé@exämple.com"],
    ])("over %s, %j", async (channelKind, fields, to) => {
      const address = channelKind === "email" ? "desk@acme.example" : "x";
      const channel = await gatewayChannel({ url: "https://gateway.example.com" }, { kind: channelKind, address });
      const contact = await givenContact(world, fields);
      const body = { location_id: world.north, contact_id: contact.id, channel_id: channel.id, body: "Hello" };
      const answer = await world.send("owner", "POST", "/conversations", body);
      if (typeof to === "string") expect(answer.body.message).toMatchObject({ status: "queued", to_address: to });
      else {
        expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ["contact_id"]]);
        expect(answer.body.message).toMatch(to);
        // The same in a conversation that is open already; a note is not sent.
        const { conversation } = await made(world.send("owner", "POST", "/conversations", { ...body, body: null }));
        expect((await say(conversation.id, { body: "Hello" })).status).toBe(422);
        expect((await say(conversation.id, { body: "Hello", kind: "note" })).status).toBe(201);
      }
    });
  });

  it("shows no secret: neither in the API, nor in the tables", async () => {
    await using server = await startMailServer();
    const url = server.url.replace("smtp://", "smtp://desk@");
    const mail = await mailChannel({ url }, { transport_secret: "a-password-of-ours" });
    const gateway = await gatewayChannel({ url: "https://gateway.example.com" });
    const secrets = ["a-password-of-ours", gateway.transport_secret!];
    expect(JSON.stringify(mail)).not.toContain("a-password-of-ours");
    const listed = await made(world.send("owner", "GET", `/channels?location_id=${world.north}`));
    const rows = await world.service.database.rows("select * from channels");
    for (const secret of secrets) expect(JSON.stringify([listed, rows])).not.toContain(secret);
  });
});
