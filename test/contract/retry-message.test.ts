/** POST /conversations/{id}/messages/{messageId}/retry; the order in which a retried one is sent: worker/messages */
import { expect } from "vitest";
import { setChannelStatus } from "../../src/crm/channels/channel.service.ts";
import { moveMessage } from "../../src/crm/conversations/messages/message-status.ts";
import { contract, row } from "../support/contract.ts";
import { givenChannel, givenContact, givenConversation, made } from "../support/given.ts";
import type { World } from "../support/world.ts";

/** A message that has failed, on a channel of its own that sends to the log. */
async function givenFailed(world: World) {
  const contact = await givenContact(world);
  const channel = await givenChannel(world);
  const started = { contact_id: contact.id, channel_id: channel.id, body: "Good morning!" };
  const { conversation, message } = await givenConversation(world, started);
  const caller = await world.service.inLocation(world.acme, world.north);
  const failure = { conversationId: conversation.id, status: "failed", error: "The mailbox does not exist." } as const;
  await caller.change((change) => moveMessage(change, message.id, failure));
  world.clock.advance({ minutes: 5 });
  return { contact, channel, caller, conversation: conversation.id as number, message: message.id as number };
}

type Given = Awaited<ReturnType<typeof givenFailed>>;

const retry = (world: World, { conversation, message }: Given) =>
  ["POST", `/conversations/${conversation}/messages/${message}/retry`, { location_id: world.north }] as const;

const refused = (field: string, sentence: string) => ({
  status: 422,
  exactly: { message: sentence, errors: { [field]: [sentence] } },
});

contract("retryMessage", [
  row({
    name: "sends the message again, under its own id",
    given: givenFailed,
    send: retry,
    expect: {
      status: 200,
      body: (world, { message }) => ({
        id: message,
        body: "Good morning!",
        status: "sent",
        error: null,
        sent_at: world.clock.now().toISOString(),
      }),
      events: ["message.sent"],
    },
    async afterwards(world, { conversation }, body) {
      const { messages } = await made(
        world.send("owner", "GET", `/conversations/${conversation}?location_id=${world.north}`),
      );
      expect(messages).toEqual([body]);
    },
  }),
  row({
    name: "refuses a message that has not failed",
    async given(world) {
      const given = await givenFailed(world);
      await made(world.send("owner", ...retry(world, given)));
      return given;
    },
    send: retry,
    expect: refused("message", "Only a failed message can be retried; this one is sent."),
  }),
  row({
    name: "refuses while the channel is paused",
    async given(world) {
      const given = await givenFailed(world);
      await given.caller.change((change) => setChannelStatus(change, given.channel.id, "paused"));
      return given;
    },
    send: retry,
    expect: refused("message", "The channel is paused. Resume it, then retry the message."),
  }),
  row({
    name: "does not find a message of another conversation",
    async given(world) {
      const given = await givenFailed(world);
      return { ...given, message: (await givenFailed(world)).message };
    },
    send: retry,
    expect: { status: 404, exactly: { error: "message.not_found" } },
  }),
]);
