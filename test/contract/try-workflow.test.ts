/** A dry run: its report, its errors, and that it leaves nothing behind. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readDefinition } from "../../src/crm/workflows/definition/read-definition.ts";
import { tryDefinition } from "../../src/crm/workflows/dry-run/dry-run.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenChannel, givenContact, givenTag } from "../support/given.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

type Nodes = Record<string, object>;

describe.each([...databaseKinds])("a dry run on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  async function steps(contactId: number, nodes: Nodes, { context = {}, replies = false } = {}) {
    const caller = await world.service.inLocation(world.acme, world.north);
    const definition = readDefinition({ entry: Object.keys(nodes)[0], nodes });
    const taken = await tryDefinition(caller, { definition, contactId, context, replies });
    return taken.map(({ at, ...step }) => ({ ...step, hours: hoursUntil(at) }));
  }

  const hoursUntil = (at: string) => (Date.parse(at) - world.clock.now().getTime()) / 3_600_000;
  const after = (hours: number) => new Date(world.clock.now().getTime() + hours * 3_600_000).toISOString();

  test("reports each step with its time, sees the effects of earlier steps, and leaves nothing behind", async () => {
    const contact = await givenContact(world);
    const channel = await givenChannel(world);
    const tag = await givenTag(world);
    const nodes = {
      mark: { type: "add_tag", tag: tag.name, next: "who" },
      who: { type: "branch", when: { tag: tag.name }, then: "write", else: "end" },
      write: {
        type: "send_message",
        channel_id: channel.id,
        body: "Hello {{contact.first_name}}: {{context.form}}",
        next: "ask",
      },
      ask: { type: "wait", reply: true, timeout: "2d", on_timeout: "post" },
      post: { type: "webhook", url: "https://example.com/hook", next: "rename" },
      rename: { type: "update_contact", set: { email: "{{context.form}}@example.com", dnd: true }, next: "again" },
      again: { type: "send_message", channel_id: channel.id, body: "Still there?" },
      end: { type: "exit" },
    };
    const show = async () =>
      (await world.send("owner", "GET", `/contacts/${contact.id}?location_id=${world.north}`)).body;
    const before = await show();
    const { result, events } = await world.eventsDuring(() => steps(contact.id, nodes, { context: { form: "offer" } }));
    expect(result).toEqual([
      { hours: 0, node: "mark", did: { type: "add_tag", tag: tag.name, next: "who" } },
      { hours: 0, node: "who", took: "then" },
      { hours: 0, node: "write", did: { ...nodes.write, body: "Hello Ada: offer" } },
      { hours: 0, node: "ask", waits: "reply", until: after(48), event: "message.received" },
      { hours: 48, node: "post", did: nodes.post },
      { hours: 48, node: "rename", did: { ...nodes.rename, set: { email: "offer@example.com", dnd: true } } },
      { hours: 48, node: "again", ended: "dnd" },
    ]);
    expect(events).toEqual([]);
    expect(await show()).toEqual(before);
  });

  test.each<[what: string, nodes: Nodes, options: { replies?: boolean }, expected: object[]]>([
    [
      "a contact that answers",
      { ask: { type: "wait", reply: true, timeout: "1d" } },
      { replies: true },
      [{ hours: 0, node: "ask", ended: "replied" }],
    ],
    [
      "a wait that nothing ends",
      { hear: { type: "wait", event: "form.submitted" } },
      {},
      [{ hours: 0, node: "hear", waits: "event", until: null, event: "form.submitted" }],
    ],
    [
      "a node that is refused",
      { set: { type: "update_contact", set: { email: "{{contact.first_name}}" } } },
      {},
      [{ hours: 0, node: "set", ended: "error", error: "The email field must be a valid email address." }],
    ],
  ])("tells of %s", async (_what, nodes, options, expected) => {
    expect(await steps((await givenContact(world)).id, nodes, options)).toEqual(expected);
  });

  test("ends in a workflow with a loop, whatever its output", async () => {
    const { id } = await givenContact(world);
    const round = {
      rest: { type: "wait", for: "1h", next: "note" },
      note: { type: "add_note", body: "x", next: "rest" },
    };
    const taken = await steps(id, round);
    expect(taken.length).toBeLessThan(300);
    expect(taken.at(-1)).toMatchObject({ goes_on: true });
    const silent = { ask: { type: "wait", reply: true, next: "ask" } };
    expect(await steps(id, silent, { replies: true })).toEqual([{ hours: 0, node: "ask", goes_on: true }]);
  });
});
