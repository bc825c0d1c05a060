/** DELETE /conversations/{id} */
import { expect } from "vitest";
import { contract, row } from "../support/contract.ts";
import { givenChannel, givenContact, givenConversation, handIn, made } from "../support/given.ts";
import type { World } from "../support/world.ts";

/** A conversation with a message that was sent, or waits for a gateway. */
async function givenTalk(world: World, { isQueued = false, files = [] as readonly number[] } = {}) {
  const contact = await givenContact(world);
  const gateway = { transport: "http", transport_url: "https://gateway.example.com/send" } as const;
  const channel = await givenChannel(world, isQueued ? gateway : {});
  const started = { contact_id: contact.id, channel_id: channel.id, body: "Good morning!" };
  const { conversation } = await givenConversation(world, started);
  if (files.length > 0) {
    const body = { location_id: world.north, body: "The price list", attachment_ids: files };
    await made(world.send("owner", "POST", `/conversations/${conversation.id}/messages`, body));
  }
  return { contact, channel, path: `/conversations/${conversation.id}` };
}

async function givenFile(world: World): Promise<number> {
  const path = `/attachments?location_id=${world.north}&name=prices.txt`;
  return (await made(world.send("owner", "POST", path, "1 EUR", { "content-type": "text/plain" }))).id;
}

const remove = (world: World, { path }: { path: string }) => ["DELETE", path, { location_id: world.north }] as const;

async function expectGone(world: World, path: string, contactId: number): Promise<void> {
  const query = `?location_id=${world.north}`;
  expect((await world.send("owner", "GET", path + query)).body).toEqual({ error: "conversation.not_found" });
  expect((await world.send("owner", "GET", `${path}/messages${query}`)).status).toBe(404);
  const { body } = await world.send("owner", "GET", `/contacts/${contactId}${query}`);
  expect(body.conversations).toEqual([]);
}

contract("deleteConversation", [
  row({
    name: "deletes it with its messages and raises nothing; the timeline keeps what was sent",
    given: (world) => givenTalk(world),
    send: remove,
    expect: { status: 204 },
    async afterwards(world, { contact, path }) {
      await expectGone(world, path, contact.id);
      const { body } = await world.send("owner", "GET", `/contacts/${contact.id}?location_id=${world.north}`);
      expect(body.activities.map(({ kind }: { kind: string }) => kind)).toContain("message.sent");
    },
  }),
  row({
    name: "cancels a queued message, whose failure is told",
    given: (world) => givenTalk(world, { isQueued: true }),
    send: remove,
    expect: { status: 204, events: ["message.failed"] },
    afterwards: (world, { contact, path }) => expectGone(world, path, contact.id),
  }),
  row({
    name: "cancels more than fit into one transaction, once each",
    async given(world) {
      const given = await givenTalk(world, { isQueued: true });
      const body = { location_id: world.north, body: "And one more thing" };
      for (let count = 0; count < 60; count++) await made(world.send("owner", "POST", `${given.path}/messages`, body));
      return given;
    },
    send: remove,
    expect: { status: 204, events: Array.from({ length: 61 }, () => "message.failed") },
    afterwards: (world, { contact, path }) => expectGone(world, path, contact.id),
  }),
  row({
    name: "refuses while a message is being sent, and deletes nothing",
    async given(world) {
      const given = await givenTalk(world, { isQueued: true });
      await world.service.database.transaction(({ rows }) =>
        rows("update message_sends set leased_until = ? where conversation_id = ?", [
          new Date(world.clock.now().getTime() + 60_000),
          Number(given.path.split("/").at(-1)),
        ]),
      );
      return given;
    },
    send: remove,
    expect: {
      status: 422,
      body: { errors: { message: ["A message of the conversation is being sent. Delete it in a minute."] } },
    },
    async afterwards(world, { path }) {
      expect((await world.send("owner", "GET", `${path}?location_id=${world.north}`)).body.messages).toHaveLength(1);
    },
  }),
  row({
    name: "takes away the files of its messages",
    async given(world) {
      const file = await givenFile(world);
      return { ...(await givenTalk(world, { files: [file] })), file };
    },
    send: remove,
    expect: { status: 204 },
    async afterwards(world, { file }) {
      const { status } = await world.send("owner", "GET", `/attachments/${file}?location_id=${world.north}`);
      expect(status).toBe(404);
    },
  }),
  row({
    name: "deletes one of an unknown sender, and locks in order",
    async given(world) {
      const channel = await givenChannel(world, { kind: "email", address: "desk@x.example" });
      const { conversation_id: id } = await made(handIn(world, channel, { from: "nobody@x.example", body: "Hello" }));
      return { path: `/conversations/${id}` };
    },
    send: remove,
    expect: { status: 204 },
  }),
  row({
    name: "leaves the contact to start another one",
    async given(world) {
      const given = await givenTalk(world);
      await made(world.send("owner", ...remove(world, given)));
      return given;
    },
    send: (world, { contact, channel }) => [
      "POST",
      "/conversations",
      { location_id: world.north, contact_id: contact.id, channel_id: channel.id },
    ],
    expect: { status: 201, events: ["conversation.created"] },
  }),
]);
