/** Concurrent changes of conversations, through two instances of the service on one database, like two processes. */
import { createConsola } from "consola";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createChannel } from "../../src/crm/channels/channel.service.ts";
import { createContact, deleteContact } from "../../src/crm/contacts/contact.service.ts";
import { getConversation } from "../../src/crm/conversations/conversation.queries.ts";
import { startConversation, updateConversation } from "../../src/crm/conversations/conversation.service.ts";
import { receiveMessage } from "../../src/crm/conversations/inbound/inbound.service.ts";
import { sendMessage } from "../../src/crm/conversations/messages/message.service.ts";
import { readLastMessages } from "../../src/crm/conversations/messages/message.queries.ts";
import { endSnoozes, nextSnoozeEnd } from "../../src/crm/conversations/snooze-ends.ts";
import type { Caller, LocationContext } from "../../src/events/caller.ts";
import { openService } from "../../src/service.ts";
import type { Service } from "../../src/service.ts";
import { openLocation } from "../../src/crm/pipelines/open-location.service.ts";
import { databaseKinds } from "../support/databases.ts";
import { findFaultsOf } from "../support/events.ts";
import { unique } from "../support/given.ts";
import { meet } from "../support/meet.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each(databaseKinds)("conversations on %s", (kind) => {
  let world: World;
  let other: Service;
  beforeAll(async () => {
    world = await createWorld(kind);
    other = await openService(world.service.settings, { log: createConsola({ level: 1 }), clock: world.clock });
  });
  afterAll(async () => {
    await other?.close();
    await world?.close();
  });

  /** A fresh location seen through both instances, with a contact and a channel. */
  async function fresh() {
    const inAcme = world.service.inWorkspace(world.acme);
    const { id } = await inAcme.change((change) => openLocation(change, { name: "Busy" }));
    const callers = await Promise.all([world.service, other].map((service) => service.inLocation(world.acme, id)));
    const [one] = callers as [Caller<LocationContext>, ...Caller<LocationContext>[]];
    const email = `busy.${unique()}@x.example`;
    const contact = await one.change((change) => createContact(change, { first_name: "Busy", email }));
    const made = await one.change((change) => createChannel(change, { kind: "sms", name: "Texts" }));
    const channel = { ...made, transport: "log" as const, outbound_address: null };
    const by = (n: number) => callers[n % 2]!;
    return { one, by, email, contact_id: contact.id, channel, channel_id: channel.id };
  }

  const many = <Result>(count: number, work: (n: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: count }, (_, n) => work(n)));

  test("fifty starts with one contact on one channel open one conversation", async () => {
    const { by, contact_id, channel_id } = await fresh();
    const started = await many(50, (n) =>
      by(n).change((change) => startConversation(change, { contact_id, channel_id, body: `Text ${n}` })),
    );
    expect(new Set(started.map(({ conversation }) => conversation.id)).size).toBe(1);
    expect(started.filter(({ isNew }) => isNew).length).toBe(1);
  });

  test.each([
    ["of a contact", (email: string) => email],
    ["of somebody unknown", () => "somebody.unknown"],
  ])("fifty times one message %s is one message", async (_name, fromOf) => {
    const { one, by, email, channel } = await fresh();
    const taken = await many(50, (n) =>
      by(n).change((change) =>
        receiveMessage(change, channel, { from: fromOf(email), body: "x", external_id: "same" }),
      ),
    );
    expect(taken.filter(({ isNew }) => isNew).length).toBe(1);
    expect(new Set(taken.map(({ id }) => id)).size).toBe(1);
    expect((await readLastMessages(one, taken[0]!.conversation_id)).length).toBe(1);
  });

  test("fifty messages of an unknown sender are one conversation with fifty unread messages", async () => {
    const { one, by, channel } = await fresh();
    const taken = await many(50, (n) =>
      by(n).change((change) =>
        receiveMessage(change, channel, { from: "unknown", body: `${n}`, external_id: `id ${n}` }),
      ),
    );
    expect(new Set(taken.map(({ conversation_id }) => conversation_id)).size).toBe(1);
    expect(await getConversation(one, taken[0]!.conversation_id)).toMatchObject({ unread_count: 50 });
  });

  test("concurrent changes of one conversation all end, and the preview is that of the last message", async () => {
    const { one, by, email, contact_id, channel } = await fresh();
    const { conversation } = await one.change((change) =>
      startConversation(change, { contact_id, channel_id: channel.id }),
    );
    const another = await one.change((change) => createContact(change, { first_name: "Another" }));
    await many(60, (n) =>
      by(n).change(async (change) => {
        if (n % 5 === 0) await receiveMessage(change, channel, { from: email, body: `in ${n}` });
        else if (n % 5 === 1) await sendMessage(change, conversation.id, { body: `out ${n}` });
        else if (n % 5 === 2) await updateConversation(change, conversation.id, { status: "closed", unread: false });
        else if (n % 5 === 3)
          await updateConversation(change, conversation.id, { contact_id: n % 2 ? contact_id : another.id });
        else await updateConversation(change, conversation.id, { status: "snoozed" });
      }),
    );
    const messages = await readLastMessages(one, conversation.id);
    expect(messages.filter(({ direction }) => direction === "outbound").length).toBe(12);
    expect((await getConversation(one, conversation.id)).preview).toBe(messages.at(-1)!.body);
  });

  test("deleting a contact while messages are sent to it causes neither deadlocks nor orphans", async () => {
    for (let round = 0; round < 10; round++) {
      const { one, by, email, contact_id, channel } = await fresh();
      const { conversation } = await one.change((change) =>
        startConversation(change, { contact_id, channel_id: channel.id, body: "Hello" }),
      );
      const outcomes = await Promise.allSettled([
        by(0).change((change) => sendMessage(change, conversation.id, { body: "One" })),
        by(1).change((change) => deleteContact(change, contact_id)),
        by(0).change((change) => receiveMessage(change, channel, { from: email, body: "Two" })),
        by(1).change((change) => sendMessage(change, conversation.id, { body: "Three" })),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => "fulfilled"));
      expect((await getConversation(one, conversation.id)).contact).toBeNull();
      const timeline = await one.rows<{ event: string }>(
        "select event from events where contact_id = ? order by id desc limit 1",
        [contact_id],
      );
      expect(timeline).toEqual([{ event: "contact.deleted" }]);
    }
  });

  test("a message from an address of two contacts, of which the first is deleted at the same moment, is that of the other", async () => {
    const { one, email, contact_id, channel } = await fresh();
    const second = await one.change((change) => createContact(change, { first_name: "Second", email }));
    const received = await meet(world.service.database, one, {
      first: (change) => deleteContact(change, contact_id),
      second: (change) => receiveMessage(change, channel, { from: email, body: "Hello" }),
    });
    if (received.status === "rejected") throw received.reason;
    const conversation = await getConversation(one, received.value.conversation_id);
    expect(conversation.contact?.id).toBe(second.id);
  });

  test("two workers end each due snooze once, and no other", async () => {
    const { one, contact_id } = await fresh();
    const snooze = async (minutes: number | null) => {
      const channel = await one.change((change) => createChannel(change, { kind: "sms", name: "Texts" }));
      const { conversation } = await one.change((change) =>
        startConversation(change, { contact_id, channel_id: channel.id }),
      );
      const end = minutes === null ? null : new Date(world.clock.now().getTime() + minutes * 60_000);
      return one.change((change) =>
        updateConversation(change, conversation.id, { status: "snoozed", snoozed_until: end }),
      );
    };
    const ended = [await snooze(-1), await snooze(2), await snooze(1)];
    const others = [await snooze(600), await snooze(null)];
    world.clock.advance({ minutes: 5 });
    const { events } = await world.eventsDuring(async () => {
      for (let worked = 1; worked > 0;) {
        const counts = await Promise.all(
          [world.service, other].map(({ database, callAs }) => endSnoozes(database, callAs, world.clock.now())),
        );
        worked = Math.max(...counts);
      }
    });
    for (const { id } of ended) {
      expect(await getConversation(one, id)).toMatchObject({ status: "open", snoozed_until: null });
    }
    for (const { id, snoozed_until } of others) {
      expect(await getConversation(one, id)).toMatchObject({ status: "snoozed", snoozed_until });
    }
    expect(events.flatMap(findFaultsOf)).toEqual([]);
    const told = events.map(({ event, contact_id: whose, data }) => [event, whose, data.id]);
    expect(told).toEqual(ended.map(({ id }) => ["conversation.updated", contact_id, id]));
    expect(await nextSnoozeEnd(one)).toEqual(new Date(others[0]!.snoozed_until!));
  });
});
