/** The number of statements of conversation operations: no change reads back a row that it wrote. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databaseKinds } from "../support/databases.ts";
import { givenChannel, givenContact, givenConversation, unique } from "../support/given.ts";
import { request } from "../support/client.ts";
import { statementsDuring } from "../support/statements.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each([...databaseKinds])("statements of conversations on %s", (kind) => {
  let world: World;
  let channel: number;
  let inboundUrl: string;
  beforeAll(async () => {
    world = await createWorld(kind);
    const made = await givenChannel(world, { kind: "email", address: "desk@example.com" });
    channel = made.id;
    inboundUrl = made.inbound_url;
  });
  afterAll(() => world?.close());

  const start = async (contactId: number, body: object = {}) => {
    const answer = await world.send("owner", "POST", "/conversations", {
      location_id: world.north,
      contact_id: contactId,
      channel_id: channel,
      ...body,
    });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.body;
  };
  const receive = async (from: string, body = "Hello") => {
    const { pathname } = new URL(inboundUrl);
    const answer = await request(world.url, {
      method: "POST",
      path: pathname,
      body: { from, body, external_id: `m${unique()}` },
    });
    expect(answer.status, answer.text).toBe(201);
  };

  /** Including the authentication. */
  test.each<[what: string, work: () => Promise<() => Promise<unknown>>, most: number]>([
    [
      "a start with a text",
      async () => {
        const { id } = await givenContact(world);
        return () => start(id, { body: "Hello" });
      },
      10,
    ],
    [
      "a start without one",
      async () => {
        const { id } = await givenContact(world);
        return () => start(id);
      },
      8,
    ],
    [
      "going on with one",
      async () => {
        const { id } = await givenContact(world);
        await start(id, { body: "One" });
        return () => start(id, { body: "Two" });
      },
      9,
    ],
    // One of them marks the runs that it replies to.
    [
      "a first message of a contact",
      async () => {
        const { email } = await givenContact(world);
        return () => receive(email);
      },
      10,
    ],
    [
      "a further message of a contact",
      async () => {
        const { email } = await givenContact(world);
        await receive(email);
        return () => receive(email);
      },
      10,
    ],
    [
      "a message that opens one again",
      async () => {
        const { id, email } = await givenContact(world);
        const { conversation } = await givenConversation(world, { contact_id: id, channel_id: channel });
        await world.send("owner", "PATCH", `/conversations/${conversation.id}`, {
          location_id: world.north,
          status: "closed",
        });
        return () => receive(email);
      },
      10,
    ],
    [
      "a further message of a stranger",
      async () => {
        const from = `stranger${unique()}@example.com`;
        await receive(from);
        return () => receive(from);
      },
      9,
    ],
  ])("%s", async (_what, prepare, most) => {
    const work = await prepare();
    const sent = await statementsDuring(world, work);
    expect(sent.length, sent.join("\n")).toBeGreaterThan(4);
    // PostgreSQL needs extra statements to lock keys and to keep to an index, SQLite three that give new events their positions.
    const statements = sent.filter(
      (text) =>
        !/pg_advisory_xact_lock|set_config|into event_positions|update event_log|into unstamped_events/.test(text),
    );
    expect(statements.length, statements.join("\n")).toBeLessThanOrEqual(most);
  });
});
