/** POST /inbound/{token} with a raw mail: threads, bounces, automatic mails, and mails that come twice. */
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { databaseKinds } from "../support/databases.ts";
import { findFaultsOf } from "../support/events.ts";
import { givenChannel, givenContact, givenConversation, handIn, made } from "../support/given.ts";
import { filePart, mailOf, multipart, parts, plainPart } from "../support/mails/build-mail.ts";
import { delayed, deliveryReports } from "../support/mails/delivery-reports.ts";
import { postRaw } from "../support/raw-mail.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each([...databaseKinds])("inbound mail on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind, { environment: { CRM_MAIL_LIMIT: "2000000" } });
  });
  afterAll(() => world?.close());

  const desk = () => givenChannel(world, { kind: "email", address: "desk@acme.example" });
  const shown = async (id: number) =>
    made(world.send("owner", "GET", `/conversations/${id}?location_id=${world.north}`));
  const patch = (id: number, body: object) =>
    made(world.send("owner", "PATCH", `/conversations/${id}`, { location_id: world.north, ...body }));

  /** Posts a mail and returns the response with the events, each validated against its schema. */
  async function taken(channel: { inbound_url: string }, raw: Buffer) {
    const { result, events } = await world.eventsDuring(() => postRaw(world.url, channel, raw));
    expect(events.flatMap(findFaultsOf)).toEqual([]);
    return { ...result, events: events.map(({ event }) => event), raised: events };
  }

  const messageIdOf = async ({ id }: { id: number }): Promise<string> => {
    const [row] = await world.service.database.rows<{ message_id: string }>(
      "select message_id from messages where id = ?",
      [id],
    );
    return row!.message_id;
  };

  /** A mail of ours to a contact, with its Message-ID. */
  async function givenSent(channel: { id: number }, email = "gone@y.example") {
    const contact = await givenContact(world, { email });
    const { conversation, message } = await givenConversation(world, {
      contact_id: contact.id,
      channel_id: channel.id,
      subject: "Prices",
      body: "Good morning!",
    });
    return { contact, conversation, message, messageId: await messageIdOf(message) };
  }

  it("is a message of its sender, shortened and whole", async () => {
    const channel = await desk();
    const contact = await givenContact(world);
    const raw = mailOf(
      { From: `Ada <${contact.email}>`, "Message-ID": "<first@x.example>" },
      "Hello!",
      "",
      "On Monday at 10:00, Front desk wrote:",
      "> Good morning!",
    );
    const answer = await taken(channel, raw);
    expect([answer.status, answer.events]).toEqual([201, ["conversation.created", "message.received"]]);
    const { conversation, messages } = await shown(answer.body.conversation_id);
    expect(conversation).toMatchObject({ contact: { id: contact.id }, subject: "Prices", unread_count: 1 });
    expect(messages).toMatchObject([
      { from_address: `Ada <${contact.email}>`, to_address: "desk@acme.example", body: "Hello!", subject: "Prices" },
    ]);
    const rows = await world.service.database.rows<{ message_id: string; is_shortened: unknown }>(
      "select message_id, is_shortened from messages where id = ?",
      [answer.body.id],
    );
    expect(rows).toMatchObject([{ message_id: "<first@x.example>" }]);
    expect(Boolean(rows[0]!.is_shortened)).toBe(true);
  });

  it("comes once: by Message-ID, in JSON as well, and by its bytes if it has none", async () => {
    const channel = await desk();
    const raw = mailOf({ "Message-ID": "<once@x.example>" }, "Hello!");
    const first = await taken(channel, raw);
    const again = await taken(channel, raw);
    expect([again.status, again.body, again.events]).toEqual([200, first.body, []]);
    const json = await handIn(world, channel, { from: "ada@x.example", body: "Hello!", external_id: "once@x.example" });
    expect([json.status, json.body]).toEqual([200, first.body]);
    const nameless = mailOf({ "Message-ID": undefined }, "Hello!");
    const answers = [await taken(channel, nameless), await taken(channel, nameless)];
    expect(answers.map(({ status }) => status)).toEqual([201, 200]);
    expect(answers[0]!.body).toEqual(answers[1]!.body);
  });

  it("of ours that comes back is no message", async () => {
    const channel = await desk();
    const { message, messageId } = await givenSent(channel, "back@y.example");
    const answer = await taken(channel, mailOf({ "Message-ID": messageId }, "Good morning!"));
    expect([answer.status, answer.body.id, answer.events]).toEqual([200, message.id, []]);
  });

  describe("continues", () => {
    test.each<[how: string, headers: (id: string) => Record<string, string>]>([
      ["In-Reply-To", (id) => ({ "In-Reply-To": id })],
      ["References", (id) => ({ References: `${id} <unknown@x.example>` })],
      ["In-Reply-To rather than References", (id) => ({ "In-Reply-To": id, References: "<other@x.example>" })],
    ])("the conversation that %s names, though it is older, closed, and of another subject", async (_how, headers) => {
      const channel = await desk();
      const { contact, conversation, messageId } = await givenSent(channel, `${crypto.randomUUID()}@y.example`);
      await patch(conversation.id, { status: "closed" });
      const other = await taken(channel, mailOf({ From: contact.email, "Message-ID": "<other@x.example>" }, "Else"));
      await patch(other.body.conversation_id, { status: "closed" });
      const { conversation: newer } = await givenConversation(world, {
        contact_id: contact.id,
        channel_id: channel.id,
        body: "x",
      });
      const raw = mailOf({ From: contact.email, Subject: "Anything", ...headers(messageId) }, "Thanks!");
      const answer = await taken(channel, raw);
      expect([answer.body.conversation_id, newer.id === conversation.id]).toEqual([conversation.id, false]);
      expect(answer.events).toEqual(["conversation.updated", "message.received"]);
      expect((await shown(conversation.id)).conversation).toMatchObject({ status: "open", subject: "Prices" });
    });

    it("the thread also if another address answers, and by the id of a mail that was received", async () => {
      const channel = await desk();
      const first = await taken(channel, mailOf({ "Message-ID": "<theirs@x.example>" }, "Hello?"));
      const raw = mailOf(
        { From: "eve@z.example", "Message-ID": undefined, References: "<theirs@x.example>" },
        "Me too",
      );
      expect((await taken(channel, raw)).body.conversation_id).toBe(first.body.conversation_id);
    });

    it("nothing of another channel", async () => {
      const { messageId, conversation } = await givenSent(await desk(), "foreign@y.example");
      const answer = await taken(await desk(), mailOf({ "In-Reply-To": messageId }, "Hello!"));
      expect([answer.status, answer.body.conversation_id === conversation.id]).toEqual([201, false]);
    });
  });

  describe("a bounce", () => {
    test.each(Object.entries(deliveryReports))("of %s fails the mail that it names", async (_provider, reportOf) => {
      const channel = await desk();
      const { conversation, message, messageId } = await givenSent(channel, `${crypto.randomUUID()}@y.example`);
      const answer = await taken(channel, reportOf(messageId));
      expect([answer.status, answer.body, answer.events]).toEqual([
        200,
        { id: message.id, conversation_id: conversation.id },
        ["message.failed"],
      ]);
      const { messages } = await shown(conversation.id);
      expect(messages).toMatchObject([{ status: "failed", error: expect.stringMatching(/^550[ -]5\.1\.1/) }]);
      expect((await taken(channel, reportOf(messageId))).events).toEqual([]);
    });

    it("that reports a delay is a system message, once, and nothing fails", async () => {
      const channel = await desk();
      const { conversation, messageId } = await givenSent(channel, "slow@y.example");
      const answers = [await taken(channel, delayed(messageId)), await taken(channel, delayed(messageId))];
      expect(answers.map(({ status, events }) => [status, events])).toEqual([
        [201, []],
        [200, []],
      ]);
      const { messages } = await shown(conversation.id);
      expect(messages.map((one: { kind: string; status: string }) => [one.kind, one.status])).toEqual([
        ["text", "sent"],
        ["system", "received"],
      ]);
    });

    it("of a mail that is not known is kept with the address, or dropped", async () => {
      const channel = await desk();
      const report = deliveryReports["Postfix"]!("<unknown@acme.example>");
      const dropped = await taken(channel, report);
      expect([dropped.status, dropped.body, dropped.events]).toEqual([200, { id: null, conversation_id: null }, []]);
      const { conversation } = await givenSent(channel);
      const kept = await taken(channel, report);
      expect([kept.status, kept.body.conversation_id]).toEqual([201, conversation.id]);
    });
  });

  it("that is automatic reopens nothing, and says so", async () => {
    const channel = await desk();
    const { contact, conversation, messageId } = await givenSent(channel, "away@y.example");
    await patch(conversation.id, { status: "closed" });
    const headers = { From: contact.email, "In-Reply-To": messageId, "Auto-Submitted": "auto-replied" };
    const answer = await taken(channel, mailOf(headers, "I am away."));
    expect(answer.raised.map(({ event, data }) => [event, data.automatic])).toEqual([["message.received", true]]);
    expect((await shown(conversation.id)).conversation).toMatchObject({ status: "closed", unread_count: 1 });
  });

  test.each<[what: string, raw: Buffer, status: number]>([
    ["no sender", mailOf({ From: undefined, "Message-ID": "<a@x.example>" }, "Hello!"), 201],
    ["nothing", Buffer.alloc(0), 201],
    [
      "a name of CR, LF and a header",
      mailOf({ From: "=?utf-8?B?QQ0KQmNjOiBi?= <ada@x.example>", "Message-ID": "<b@x.example>" }, "x"),
      201,
    ],
    [
      "hostile names of files",
      mailOf(
        { ...multipart("mixed", "m"), "Message-ID": "<c@x.example>" },
        ...parts("m", plainPart("x"), filePart('filename="../../x\u202egnp.exe"', "image/png", "x")),
      ),
      201,
    ],
    ["a lone surrogate and NUL", Buffer.from("From: a@x.example\r\nSubject: \0\r\n\r\n\0\ud800"), 201],
    [
      "NUL in the Content-ID of a file",
      mailOf(
        { ...multipart("mixed", "m"), "Message-ID": "<g@x.example>" },
        ...parts("m", plainPart("x"), filePart("filename=a.png", "image/png", "x", "\nContent-ID: <a\0@x.example>")),
      ),
      201,
    ],
    ["NUL in the address of a bounce", mailOf({ "X-Failed-Recipients": "a\0@x.example" }, "x"), 200],
    [
      "a long name and a long subject",
      mailOf(
        { From: `${"ü".repeat(500)} <ada@x.example>`, Subject: "ü".repeat(5000), "Message-ID": "<d@x.example>" },
        "x",
      ),
      201,
    ],
    ["a long Message-ID", mailOf({ "Message-ID": `<${"a".repeat(190)}@${"b".repeat(190)}>` }, "x"), 201],
    [
      "10,000 parts",
      mailOf(
        { ...multipart("mixed", "m"), "Message-ID": "<e@x.example>" },
        ...parts("m", ...Array.from({ length: 10_000 }, () => plainPart("x"))),
      ),
      201,
    ],
    ["a header of a megabyte", mailOf({ "X-Long": "a".repeat(1 << 20), "Message-ID": "<f@x.example>" }, "x"), 201],
    ["more bytes than the limit", mailOf({}, "x".repeat(2_000_001)), 413],
  ])("with %s: an answer, and nothing lost", async (_what, raw, status) => {
    const answer = await postRaw(world.url, await desk(), raw);
    expect(answer.status).toBe(status);
    if (status === 201) expect((await shown(answer.body.conversation_id)).messages.length).toBe(1);
  });

  it("is refused by channels of other kinds", async () => {
    const answer = await postRaw(world.url, await givenChannel(world), mailOf({}, "Hello!"));
    expect([answer.status, answer.body.error]).toEqual([415, "unsupported_media_type"]);
  });
});
