/** POST /inbound/{token} and POST /receipts/{token}: inbound messages and delivery receipts. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { limits } from "../../src/vocabulary/limits.ts";
import { request } from "../support/client.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { findFaultsOf } from "../support/events.ts";
import { givenChannel, givenContact, givenConversation, handIn, made } from "../support/given.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each(sampleOf("inbound messages", 1, databaseKinds))("inbound on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  const shown = async (id: number) =>
    made(world.send("owner", "GET", `/conversations/${id}?location_id=${world.north}`));
  const patch = (id: number, body: object) =>
    made(world.send("owner", "PATCH", `/conversations/${id}`, { location_id: world.north, ...body }));

  /** Posts a message and returns the response with the events, each validated against its schema. */
  async function taken(channel: { inbound_url: string }, body: unknown) {
    const { result, events } = await world.eventsDuring(() => handIn(world, channel, body));
    expect(events.flatMap(findFaultsOf)).toEqual([]);
    return { ...result, events: events.map(({ event }) => event), raised: events };
  }

  test("a message of a contact starts a conversation, with the contact as the actor of its events", async () => {
    const contact = await givenContact(world, { email: `Desk.${kind}@X.example` });
    const channel = await givenChannel(world, { kind: "email", address: "desk@x.example" });
    const answer = await taken(channel, {
      from: `"Somebody" <desk.${kind}@x.EXAMPLE>`,
      to: "desk@x.example",
      body: "Could you send\n\n me a price list?",
      html: "<p>Could you</p>",
      subject: "Prices",
      external_id: "mail-1",
    });
    expect([answer.status, answer.events]).toEqual([201, ["conversation.created", "message.received"]]);
    expect(Object.keys(answer.body)).toEqual(["id", "conversation_id"]);
    expect(answer.raised.map(({ contact_id }) => contact_id)).toEqual([contact.id, contact.id]);
    expect(answer.raised[1]!.data.channel).toEqual({ id: channel.id, kind: "email", name: channel.name });
    const { conversation, messages } = await shown(answer.body.conversation_id);
    const now = world.clock.now().toISOString();
    expect(conversation).toMatchObject({
      contact: { id: contact.id },
      kind: "email",
      status: "open",
      preview: "Could you send me a price list?",
      last_message_at: now,
      last_inbound_at: now,
      unread: true,
      unread_count: 1,
      subject: "Prices",
      possible_match: null,
    });
    expect(messages).toEqual([
      {
        id: answer.body.id,
        conversation_id: conversation.id,
        direction: "inbound",
        kind: "text",
        body: "Could you send\n\n me a price list?",
        html: "<p>Could you</p>",
        subject: "Prices",
        from_address: `"Somebody" <desk.${kind}@x.EXAMPLE>`,
        to_address: "desk@x.example",
        status: "received",
        error: null,
        author: null,
        sent_at: null,
        delivered_at: null,
        created_at: now,
        ai_generated: false,
        attachments: [],
      },
    ]);
    const { activities } = await made(world.send("owner", "GET", `/contacts/${contact.id}?location_id=${world.north}`));
    expect(activities[0]).toMatchObject({
      kind: "message.received",
      actor: { type: "contact", id: contact.id, name: contact.name },
    });
  });

  test("an automatic message is stored, reopens nothing, and does not update last_inbound_at", async () => {
    const contact = await givenContact(world);
    const channel = await givenChannel(world, { kind: "email", address: "auto@x.example" });
    const first = await taken(channel, { from: contact.email, body: "Hello?" });
    const { last_inbound_at } = (await shown(first.body.conversation_id)).conversation;
    await patch(first.body.conversation_id, { status: "closed" });
    world.clock.advance({ minutes: 1 });
    const answer = await taken(channel, { from: contact.email, body: "I am away.", automatic: true });
    expect([answer.status, answer.body.conversation_id]).toEqual([201, first.body.conversation_id]);
    expect(answer.raised.map(({ event, data }) => [event, data.automatic])).toEqual([["message.received", true]]);
    const { conversation } = await shown(first.body.conversation_id);
    expect(conversation).toMatchObject({ status: "closed", preview: "I am away.", unread_count: 2, last_inbound_at });
    for (const automatic of ["yes", 1])
      expect((await handIn(world, channel, { from: "a@b.example", body: "x", automatic })).body.errors).toEqual({
        automatic: ["The automatic field must be true or false."],
      });
  });

  test("a sender of automatic messages only can be replied to", async () => {
    const channel = await givenChannel(world, {
      kind: "email",
      address: "auto@x.example",
      transport: "smtp",
      transport_url: "smtp://127.0.0.1:1",
    });
    const { body } = await taken(channel, { from: "robot@y.example", body: "Your ticket is 7.", automatic: true });
    const answer = await world.send("owner", "POST", `/conversations/${body.conversation_id}/messages`, {
      location_id: world.north,
      body: "Thanks!",
    });
    expect(answer.body).toMatchObject({ status: "queued", to_address: "robot@y.example" });
  });

  test("the same external_id is one message: 201, then 200 with the same body and no effect", async () => {
    const { email } = await givenContact(world);
    const channel = await givenChannel(world);
    const message = { from: email, body: "Once", external_id: "id-1" };
    const first = await taken(channel, message);
    const second = await taken(channel, { ...message, body: "Twice" });
    expect([first.status, second.status, second.body, second.events]).toEqual([201, 200, first.body, []]);
    const other = await taken(await givenChannel(world), message);
    expect(other.status).toBe(201);
    expect((await shown(first.body.conversation_id)).messages.length).toBe(1);
  });

  test.each([["closed"], ["snoozed"]])("opens what is %s", async (status) => {
    const { email } = await givenContact(world);
    const channel = await givenChannel(world);
    const { body: first } = await taken(channel, { from: email, body: "One" });
    await patch(first.conversation_id, { status, snoozed_until: "2026-12-01T09:00:00Z" });
    const again = await taken(channel, { from: email, body: "Two" });
    expect([again.status, again.events]).toEqual([201, ["conversation.updated", "message.received"]]);
    expect(again.body.conversation_id).toBe(first.conversation_id);
    expect((await shown(first.conversation_id)).conversation).toMatchObject({
      status: "open",
      snoozed_until: null,
      unread_count: 2,
      preview: "Two",
    });
  });

  test("continues the open conversation if a newer one is closed", async () => {
    const { id: contact_id, email } = await givenContact(world);
    const channel = await givenChannel(world);
    const { conversation: older } = await givenConversation(world, { contact_id, channel_id: channel.id });
    await patch(older.id, { status: "closed" });
    const { conversation: newer } = await givenConversation(world, { contact_id, channel_id: channel.id, body: "x" });
    await patch(newer.id, { status: "closed" });
    await patch(older.id, { status: "open" });
    expect((await taken(channel, { from: email, body: "Hello" })).body.conversation_id).toBe(older.id);
  });

  test("an unknown sender has one conversation without a contact, until a contact is set", async () => {
    const channel = await givenChannel(world);
    const first = await taken(channel, { from: "+1 212 555 7788", body: "One" });
    const second = await taken(channel, { from: "(212) 555-7788", body: "Two" });
    expect(second.body.conversation_id).toBe(first.body.conversation_id);
    expect(first.raised.map(({ contact_id }) => contact_id)).toEqual([null, null]);
    expect((await shown(first.body.conversation_id)).conversation).toMatchObject({
      contact: null,
      possible_match: null,
    });
    await givenContact(world, { phone: "212 555 7788" });
    const third = await taken(channel, { from: "+12125557788", body: "Three" });
    expect([third.events, third.body.conversation_id === first.body.conversation_id]).toEqual([
      ["conversation.created", "message.received"],
      false,
    ]);
  });

  test("null for an optional field is the same as leaving it out", async () => {
    const channel = await givenChannel(world);
    const optional = { to: null, html: null, subject: null, external_id: null, automatic: null, attachments: null };
    const { status, body } = await taken(channel, { from: "+12125557799", body: "Hello", ...optional });
    expect(status).toBe(201);
    expect((await shown(body.conversation_id)).conversation).toMatchObject({ unread_count: 1 });
  });

  describe("possible_match", () => {
    test("is the only contact with the same last seven digits or the same name", async () => {
      const channel = await givenChannel(world, { kind: "email", address: "a@b.example" });
      const byPhone = await givenContact(world, { phone: "+44 20 7946 0958" });
      const byName = await givenContact(world, { first_name: "Émilie", last_name: `Châtelet ${kind}` });
      const rows: [string, object | null][] = [
        ["+1 (617) 946-0958", { id: byPhone.id, name: byPhone.name }],
        [`émilie  CHÂTELET ${kind} <nobody@x.example>`, { id: byName.id, name: byName.name }],
        ["Somebody Else <nobody.else@x.example>", null],
        ["60958", null],
      ];
      for (const [from, possible_match] of rows) {
        const { body } = await taken(channel, { from, body: "Hello" });
        expect([from, (await shown(body.conversation_id)).conversation.possible_match]).toEqual([from, possible_match]);
      }
    });

    test("is null if two contacts match", async () => {
      const channel = await givenChannel(world);
      await givenContact(world, { phone: "+44 20 7946 0111" });
      await givenContact(world, { phone: "+44 161 946 0111" });
      const { body } = await taken(channel, { from: "+16179460111", body: "Hello" });
      expect((await shown(body.conversation_id)).conversation.possible_match).toBeNull();
    });

    test("is null once the contact is set, or deleted", async () => {
      const channel = await givenChannel(world);
      const contact = await givenContact(world, { phone: "+44 20 7946 0222" });
      const { body } = await taken(channel, { from: "+16179460222", body: "Hello" });
      const settled = await patch(body.conversation_id, { contact_id: contact.id });
      expect(settled).toMatchObject({ contact: { id: contact.id }, possible_match: null });
      const again = await taken(await givenChannel(world), { from: "+16179460222", body: "Hello" });
      await world.send("owner", "DELETE", `/contacts/${contact.id}`, { location_id: world.north });
      expect((await shown(again.body.conversation_id)).conversation).toMatchObject({ possible_match: null });
    });
  });

  test.each<[string, (url: string) => string]>([
    ["of another channel", (url) => url.replace(/\w{6}$/, "aaaaaa")],
    ["malformed", () => "/inbound/x"],
    ["NUL", () => "/inbound/%00"],
    ["well formed and unknown", () => "/inbound/crm_in_0000000000000000000000000000000WN3m6"],
  ])("a token that is %s gets the 404 of an unknown path", async (_name, pathOf) => {
    const channel = await givenChannel(world);
    for (const base of ["/inbound/", "/receipts/"]) {
      const path = pathOf(new URL(channel.inbound_url).pathname).replace("/inbound/", base);
      const answer = await request(world.url, { method: "POST", path, body: { from: "x", body: "y" } });
      const { request_id: _id, ...body } = answer.body;
      const nowhere = await request(world.url, { method: "POST", path: "/nowhere/x" });
      const { request_id: _other, ...expected } = nowhere.body;
      expect([answer.status, body]).toEqual([404, expected]);
    }
  });

  const hostile = `<p onclick="x()">Hello<script>x()</script></p><img src="https://x.example/p.gif">`;
  const safe = '<p>Hello</p><img data-src="https://x.example/p.gif" />';
  test.each<[what: string, fields: object, stored: object]>([
    ["html is sanitised", { body: "Hi", html: hostile }, { body: "Hi", html: safe }],
    ["html of any length", { body: "Hi", html: hostile.repeat(1000) }, { body: "Hi", html: safe.repeat(1000) }],
    ["html alone has its text as its body", { html: hostile }, { body: "Hello", html: safe }],
    ["html of which nothing is left", { body: "Hi", html: "<script>x()</script>" }, { body: "Hi", html: null }],
  ])("%s, as of a mail", async (_what, fields, stored) => {
    const channel = await givenChannel(world, { kind: "email", address: "desk@x.example" });
    const answer = await taken(channel, { from: "html@x.example", ...fields });
    expect(answer.status).toBe(201);
    expect((await shown(answer.body.conversation_id)).messages).toMatchObject([stored]);
    expect(answer.raised.at(-1)!.data).toMatchObject(stored);
  });

  test.each<[string, unknown, number, object]>([
    ["NUL bytes", { from: "a\0b", body: "x\0" }, 422, { from: [expect.any(String)], body: [expect.any(String)] }],
    [
      "an external_id that is an object",
      { from: "x", body: "y", external_id: {} },
      422,
      { external_id: ["The external id field must be a string."] },
    ],
    [
      "neither body nor html",
      { from: "x", body: " " },
      422,
      { body: ["The body field is required when the html is not given."] },
    ],
    ["no object", [1], 422, { body: ["The body field must be an object."] }],
    ["nothing", undefined, 422, { from: ["The from field is required."] }],
    [
      "half a surrogate pair",
      { from: "x", body: "\ud800" },
      422,
      { body: ["The body field must be valid Unicode text."] },
    ],
    [
      "a body that is too long",
      { from: "x", body: "y".repeat(limits.messageBody + 1) },
      422,
      { body: [expect.any(String)] },
    ],
  ])("%s: a clear response", async (_name, body, status, errors) => {
    const channel = await givenChannel(world);
    const answer = await handIn(world, channel, body);
    expect([answer.status, answer.body.errors]).toEqual([status, errors]);
  });

  test("a body of more than a mebibyte is 413, and a message of one 422 on its field", async () => {
    const channel = await givenChannel(world);
    const send = (size: number) => handIn(world, channel, JSON.stringify({ from: "x", body: "y".repeat(size) }));
    expect((await send(1 << 20)).status).toBe(413);
    expect((await send((1 << 20) - 100)).status).toBe(422);
  });

  describe("receipts", () => {
    const receive = (channel: { inbound_url: string }, body: object) =>
      world.eventsDuring(() =>
        request(world.url, {
          method: "POST",
          path: new URL(channel.inbound_url).pathname.replace("inbound", "receipts"),
          body,
        }),
      );

    async function givenSent() {
      const channel = await givenChannel(world);
      const { message } = await givenConversation(world, { channel_id: channel.id, body: "Good morning!" });
      return { channel, message };
    }

    const of = async ({ id, conversation_id }: { id: number; conversation_id: number }) =>
      (await shown(conversation_id)).messages.find((message: { id: number }) => message.id === id);

    test("the status of a message only moves forward", async () => {
      const { channel, message } = await givenSent();
      const steps: [string, string][] = [
        ["sent", "sent"],
        ["delivered", "delivered"],
        ["sent", "delivered"],
        ["failed", "delivered"],
        ["read", "read"],
        ["delivered", "read"],
      ];
      for (const [status, expected] of steps) {
        world.clock.advance({ seconds: 1 });
        const { result, events } = await receive(channel, { message_id: message.id, status });
        expect([result.status, result.body]).toEqual([200, { message_id: message.id, status: expected }]);
        expect(events).toEqual([]);
      }
      const { status, sent_at, delivered_at } = await of(message);
      expect([status, sent_at, delivered_at > sent_at]).toEqual(["read", message.sent_at, true]);
    });

    test("a failed message has the reason, raises message.failed, and stays failed", async () => {
      const { channel, message } = await givenSent();
      const { events } = await receive(channel, {
        message_id: message.id,
        status: "failed",
        error: "No such mailbox.",
      });
      expect(events.map(({ event }) => event)).toEqual(["message.failed"]);
      expect(events.flatMap(findFaultsOf)).toEqual([]);
      await receive(channel, { message_id: message.id, status: "read" });
      expect(await of(message)).toMatchObject({ status: "failed", error: "No such mailbox.", delivered_at: null });
    });

    test.each<[what: string, retry: object, status: string]>([
      ["about an earlier try is ignored", { retry: 0 }, "sent"],
      ["about the last one counts", { retry: 1 }, "failed"],
      ["that names none counts", {}, "failed"],
      ["whose number is null counts", { retry: null }, "failed"],
    ])("a receipt of a retried message %s", async (_what, retry, status) => {
      const { channel, message } = await givenSent();
      const failure = { message_id: message.id, status: "failed", error: "Busy." };
      await receive(channel, { ...failure, retry: 0 });
      const path = `/conversations/${message.conversation_id}/messages/${message.id}/retry`;
      await made(world.send("owner", "POST", path, { location_id: world.north }));
      const { result, events } = await receive(channel, { ...failure, ...retry });
      expect([result.status, result.body]).toEqual([200, { message_id: message.id, status }]);
      expect(events.map(({ event }) => event)).toEqual(status === "failed" ? ["message.failed"] : []);
    });

    test("a receipt for a message that the channel did not send is refused on its field", async () => {
      const { channel } = await givenSent();
      const other = await givenSent();
      const inbound = await made(handIn(world, channel, { from: "somebody", body: "x" }));
      for (const message_id of [other.message.id, inbound.id, 987_654]) {
        const { result } = await receive(channel, { message_id, status: "read" });
        expect([result.status, result.body.errors]).toEqual([
          422,
          { message_id: ["The message id field must name a text that was sent by this channel."] },
        ]);
      }
      const { result } = await receive(channel, { status: "queued" });
      expect(Object.keys(result.body.errors)).toEqual(["message_id", "status"]);
    });
  });
});

describe.each(sampleOf("limits of inbound messages", 1, databaseKinds))("limits on %s", (kind) => {
  test("invalid tokens are rate limited like invalid keys, without affecting valid ones", async () => {
    const world = await createWorld(kind, { environment: { CRM_RATE_LIMIT: "400/10s" } });
    try {
      const channel = await givenChannel(world);
      const guess = () => request(world.url, { method: "POST", path: "/inbound/x", body: {} });
      const statuses = new Set<number>();
      for (let count = 0; count < 305; count++) statuses.add((await guess()).status);
      expect([...statuses]).toEqual([404, 429]);
      expect((await guess()).headers.get("retry-after")).toMatch(/^\d+$/);
      expect((await handIn(world, channel, { from: "somebody", body: "Hello" })).status).toBe(201);
      // A channel has its own rate limit, like a key.
      let last = 201;
      for (let count = 0; count < 400 && last !== 429; count++) {
        last = (await handIn(world, channel, { from: "somebody", body: "Hello", external_id: "one" })).status;
      }
      expect(last).toBe(429);
      expect((await handIn(world, await givenChannel(world), { from: "x", body: "y" })).status).toBe(201);
    } finally {
      await world.close();
    }
  });
});
