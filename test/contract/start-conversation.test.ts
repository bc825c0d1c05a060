/** POST /conversations */
import { expect } from "vitest";
import { setChannelStatus } from "../../src/crm/channels/channel.service.ts";
import { limits } from "../../src/vocabulary/limits.ts";
import { contract, row } from "../support/contract.ts";
import { givenChannel, givenContact, givenConversation } from "../support/given.ts";
import type { World } from "../support/world.ts";

async function givenTwo(world: World) {
  return {
    contact: await givenContact(world),
    channel: await givenChannel(world, { kind: "email", address: "desk@x.example" }),
  };
}

contract("startConversation", [
  row({
    name: "returns exactly the conversation and its first message",
    given: givenTwo,
    send: (world, { contact, channel }) => [
      "POST",
      "/conversations",
      {
        location_id: world.north,
        contact_id: contact.id,
        channel_id: channel.id,
        body: " Good\nmorning! ",
        subject: "Prices",
      },
    ],
    expect: { status: 201, events: ["conversation.created", "message.sent"] },
    async afterwards(world, { contact, channel }, body) {
      const now = world.clock.now().toISOString();
      const { id, name, phone_display, email } = contact;
      expect(body).toEqual({
        conversation: {
          id: expect.any(Number),
          contact: { id, name, phone_display, email },
          kind: "email",
          channel: { id: channel.id, name: channel.name },
          status: "open",
          snoozed_until: null,
          assignee: null,
          preview: "Good morning!",
          last_message_at: now,
          last_inbound_at: null,
          unread: false,
          unread_count: 0,
          subject: "Prices",
          possible_match: null,
        },
        message: {
          id: expect.any(Number),
          conversation_id: body.conversation.id,
          direction: "outbound",
          kind: "text",
          body: "Good\nmorning!",
          html: null,
          subject: "Prices",
          from_address: "desk@x.example",
          to_address: null,
          status: "sent",
          error: null,
          author: null,
          sent_at: now,
          delivered_at: null,
          created_at: now,
          ai_generated: false,
          attachments: [],
        },
      });
    },
  }),
  row({
    name: "sends nothing without a body",
    given: givenTwo,
    send: (world, { contact, channel }) => [
      "POST",
      "/conversations",
      { location_id: world.north, contact_id: String(contact.id), channel_id: channel.id, body: "" },
    ],
    expect: {
      status: 201,
      body: { conversation: { preview: null, last_message_at: null, subject: null }, message: null },
      events: ["conversation.created"],
    },
  }),
  row({
    name: "continues the one that is not closed: 200, and sends the body in it",
    async given(world) {
      const { conversation } = await givenConversation(world, { subject: "First" });
      await world.send("owner", "PATCH", `/conversations/${conversation.id}`, {
        location_id: world.north,
        status: "snoozed",
      });
      return conversation;
    },
    send: (world, { contact, channel }) => [
      "POST",
      "/conversations",
      {
        location_id: world.north,
        contact_id: contact.id,
        channel_id: channel.id,
        body: "Still there?",
        subject: "Second",
      },
    ],
    expect: {
      status: 200,
      body: (_world, given) => ({
        conversation: { id: given.id, subject: "First", status: "snoozed", preview: "Still there?" },
        message: { conversation_id: given.id, subject: "Second" },
      }),
      events: ["message.sent"],
    },
  }),
  row({
    name: "continuing without a body changes nothing",
    given: (world) => givenConversation(world),
    send: (world, { conversation: { contact, channel } }) => [
      "POST",
      "/conversations",
      { location_id: world.north, contact_id: contact.id, channel_id: channel.id },
    ],
    expect: { status: 200, body: (_world, given) => ({ conversation: given.conversation, message: null }) },
  }),
  row({
    name: "starts another one if all are closed",
    async given(world) {
      const { conversation } = await givenConversation(world);
      await world.send("owner", "PATCH", `/conversations/${conversation.id}`, {
        location_id: world.north,
        status: "closed",
      });
      return conversation;
    },
    send: (world, { contact, channel }) => [
      "POST",
      "/conversations",
      { location_id: world.north, contact_id: contact.id, channel_id: channel.id },
    ],
    expect: { status: 201, events: ["conversation.created"] },
    afterwards: async (_world, given, body) => expect(body.conversation.id).not.toBe(given.id),
  }),
  row({
    name: "reports every invalid field at once",
    send: (world) => [
      "POST",
      "/conversations",
      { location_id: world.north, contact_id: 987_654, channel_id: 987_654, body: "x" },
    ],
    expect: {
      status: 422,
      body: {
        errors: {
          contact_id: ["The contact id field must name a contact of the location."],
          channel_id: ["The channel id field must name a channel of the location."],
        },
      },
    },
  }),
  row({
    name: "a deleted contact is refused",
    async given(world) {
      const two = await givenTwo(world);
      await world.send("owner", "DELETE", `/contacts/${two.contact.id}`, { location_id: world.north });
      return two;
    },
    send: (world, { contact, channel }) => [
      "POST",
      "/conversations",
      { location_id: world.north, contact_id: contact.id, channel_id: channel.id },
    ],
    expect: { status: 422, body: { errors: { contact_id: [expect.any(String)] } } },
  }),
  row({
    name: "texts have maximum lengths",
    send: (world) => [
      "POST",
      "/conversations",
      {
        location_id: world.north,
        contact_id: [],
        body: "x".repeat(limits.messageBody + 1),
        subject: "x".repeat(256),
      },
    ],
    expect: {
      status: 422,
      body: {
        errors: {
          contact_id: ["The contact id field must be a positive integer."],
          channel_id: ["The channel id field is required."],
          body: ["The body field must not be longer than 65536 characters."],
          subject: ["The subject field must not be longer than 255 characters."],
        },
      },
    },
  }),
  row({
    name: "a paused channel is refused on its field",
    async given(world) {
      const two = await givenTwo(world);
      const caller = await world.service.inLocation(world.acme, world.north);
      await caller.change((change) => setChannelStatus(change, two.channel.id, "paused"));
      return two;
    },
    send: (world, { contact, channel }) => [
      "POST",
      "/conversations",
      { location_id: world.north, contact_id: contact.id, channel_id: channel.id, body: "Hello" },
    ],
    expect: {
      status: 422,
      body: { errors: { channel_id: ["The channel id field must name a channel that is not paused."] } },
    },
  }),
]);
