/** POST /conversations/{id}/messages/{messageId}/cancel; its race with a worker, and the order of what follows: worker/messages */
import { contract, row } from "../support/contract.ts";
import { givenChannel, givenContact, givenConversation, made } from "../support/given.ts";
import type { World } from "../support/world.ts";

/** A message that waits for a gateway, or was sent at once by a channel that needs none. */
async function givenMessage(world: World, { isQueued = true } = {}) {
  const contact = await givenContact(world);
  const gateway = { transport: "http", transport_url: "https://gateway.example.com/send" } as const;
  const channel = await givenChannel(world, isQueued ? gateway : {});
  const started = { contact_id: contact.id, channel_id: channel.id, body: "Good morning!" };
  const { conversation, message } = await givenConversation(world, started);
  return { contact, conversation: conversation.id as number, message: message.id as number };
}

type Given = Awaited<ReturnType<typeof givenMessage>>;

const cancel = (world: World, { conversation, message }: Given) =>
  ["POST", `/conversations/${conversation}/messages/${message}/cancel`, { location_id: world.north }] as const;

const refused = (sentence: string) => ({
  status: 422,
  exactly: { message: sentence, errors: { message: [sentence] } },
});

contract("cancelMessage", [
  row({
    name: "fails a queued message, by the caller",
    given: (world) => givenMessage(world),
    send: cancel,
    expect: {
      status: 200,
      body: (_world, { message }) => ({
        id: message,
        status: "failed",
        error: "Canceled before it was sent.",
        sent_at: null,
      }),
      events: ["message.failed"],
    },
  }),
  row({
    name: "refuses a message that was sent",
    given: (world) => givenMessage(world, { isQueued: false }),
    send: cancel,
    expect: refused("Only a queued message can be canceled; this one is sent."),
  }),
  row({
    name: "refuses a message that was canceled",
    async given(world) {
      const given = await givenMessage(world);
      await made(world.send("owner", ...cancel(world, given)));
      return given;
    },
    send: cancel,
    expect: refused("Only a queued message can be canceled; this one is failed."),
  }),
  row({
    name: "does not find a message of another conversation",
    async given(world) {
      const given = await givenMessage(world);
      return { ...given, message: (await givenMessage(world)).message };
    },
    send: cancel,
    expect: { status: 404, exactly: { error: "message.not_found" } },
  }),
]);
