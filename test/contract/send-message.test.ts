/** POST /conversations/{id}/messages */
import { expect } from "vitest";
import { setChannelStatus } from "../../src/crm/channels/channel.service.ts";
import { contract, row } from "../support/contract.ts";
import { givenChannel, givenContact, givenConversation, handIn, made } from "../support/given.ts";
import type { World } from "../support/world.ts";

/** A conversation with two inbound messages. */
async function givenUnread(world: World) {
  const contact = await givenContact(world);
  const channel = await givenChannel(world);
  await made(handIn(world, channel, { from: contact.email, body: "Hello?" }));
  const { conversation_id: id } = await made(handIn(world, channel, { from: contact.email, body: "Anybody?" }));
  world.clock.advance({ minutes: 5 });
  return { contact, channel, id };
}

const shown = async (world: World, id: number) =>
  made(world.send("owner", "GET", `/conversations/${id}?location_id=${world.north}`));

contract("sendMessage", [
  row({
    name: "sends a text, which becomes the preview and marks the conversation as read",
    given: givenUnread,
    send: (world, { id }) => [
      "POST",
      `/conversations/${id}/messages`,
      { location_id: world.north, body: "Yes, here." },
    ],
    expect: {
      status: 201,
      body: (world) => ({
        direction: "outbound",
        kind: "text",
        status: "sent",
        sent_at: world.clock.now().toISOString(),
      }),
      events: ["message.sent"],
    },
    async afterwards(world, { id, contact }, body) {
      const { conversation, messages } = await shown(world, id);
      const now = world.clock.now().toISOString();
      expect(conversation).toMatchObject({
        preview: "Yes, here.",
        last_message_at: now,
        unread: false,
        unread_count: 0,
      });
      expect(messages.at(-1)).toEqual(body);
      const { last_activity_at, activities } = await made(
        world.send("owner", "GET", `/contacts/${contact.id}?location_id=${world.north}`),
      );
      expect(last_activity_at).toBe(now);
      expect(activities[0]).toMatchObject({
        kind: "message.sent",
        data: [{ field: "message", old: null, new: "Yes, here." }],
      });
    },
  }),
  row({
    name: "sanitises html, whose images its recipient sees",
    given: givenUnread,
    send: (world, { id }) => [
      "POST",
      `/conversations/${id}/messages`,
      {
        location_id: world.north,
        body: "Yes, here.",
        html: `<p onclick="x()">Yes, <b>here</b>.<script>x()</script></p><img src="https://x.example/p.png"><img src="data:x">`,
      },
    ],
    expect: {
      status: 201,
      body: { html: '<p>Yes, <b>here</b>.</p><img src="https://x.example/p.png" /><img />' },
      events: ["message.sent"],
    },
  }),
  row({
    name: "adds an internal note without changing the preview, raising an event or marking as read",
    given: givenUnread,
    send: (world, { id }) => [
      "POST",
      `/conversations/${id}/messages`,
      { location_id: world.north, body: "She is in a hurry.", kind: "note" },
    ],
    expect: { status: 201, body: { direction: "outbound", kind: "note", status: "sent", from_address: null } },
    async afterwards(world, { id }) {
      const { conversation, messages } = await shown(world, id);
      expect(conversation).toMatchObject({ preview: "Anybody?", unread: true, unread_count: 2 });
      expect(conversation.last_message_at < world.clock.now().toISOString()).toBe(true);
      expect(messages.map((message: { kind: string }) => message.kind)).toEqual(["text", "text", "note"]);
    },
  }),
  row({
    name: "a paused channel only accepts notes",
    async given(world) {
      const unread = await givenUnread(world);
      const caller = await world.service.inLocation(world.acme, world.north);
      await caller.change((change) => setChannelStatus(change, unread.channel.id, "paused"));
      return unread;
    },
    send: (world, { id }) => ["POST", `/conversations/${id}/messages`, { location_id: world.north, body: "x" }],
    expect: { status: 422, body: { errors: { kind: ["The kind field must be note while the channel is paused."] } } },
    async afterwards(world, { id }) {
      const note = { location_id: world.north, body: "x", kind: "note" };
      expect((await world.send("owner", "POST", `/conversations/${id}/messages`, note)).status).toBe(201);
    },
  }),
  row({
    name: "works after the contact was deleted, with a null contact",
    async given(world) {
      const unread = await givenUnread(world);
      await world.send("owner", "DELETE", `/contacts/${unread.contact.id}`, { location_id: world.north });
      return unread;
    },
    send: (world, { id }) => ["POST", `/conversations/${id}/messages`, { location_id: world.north, body: "x" }],
    expect: { status: 201, events: ["message.sent"] },
    async afterwards(world, { id, contact }) {
      const { conversation } = await shown(world, id);
      expect(conversation.contact).toBeNull();
      const found = await made(
        world.send("owner", "GET", `/conversations?location_id=${world.north}&search=${contact.email}`),
      );
      expect(found.data).toEqual([]);
    },
  }),
  row({
    name: "refuses other kinds and empty texts",
    given: async (world) => (await givenConversation(world)).conversation,
    send: (world, { id }) => [
      "POST",
      `/conversations/${id}/messages`,
      { location_id: world.north, body: "\u200b", kind: "system" },
    ],
    expect: {
      status: 422,
      body: { errors: { body: ["The body field is required."], kind: ["The kind field must be one of text, note."] } },
    },
  }),
]);
