/** kill -9 during writes of every noun: confirmed writes are there with their events, denormalized columns match, and all others are atomic. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { databaseKinds } from "../support/databases.ts";
import { chanceOf, repetitions, sampleOf } from "../support/chance.ts";
import { openSystem } from "./tested-system.ts";
import type { TestedSystem } from "./tested-system.ts";
import { Interrupted, KeepAliveConnection, Refused } from "./keep-alive-connection.ts";
import { until } from "./until.ts";
import { ascending, expectPositions } from "./invariants.ts";
import { payloadOf } from "../support/events.ts";

const rounds = repetitions(4, 8);
const writers = 24;

/** The event of each row, with or without a response. */
const pairs = {
  "contact.created": "select id from contacts",
  "note.added": "select id from notes",
  "opportunity.created": "select id from opportunities",
  "opportunity.stage_changed": "select id from opportunities where status = 'won'",
  "task.created": "select id from tasks",
  "task.completed": "select id from tasks where completed_at is not null",
  "conversation.created": "select id from conversations",
  "message.sent": "select id from messages where direction = 'outbound'",
  "message.received": "select id from messages where direction = 'inbound'",
};

type EventName = keyof typeof pairs;

interface Written {
  /** The confirmed ids, by the event that each raised. */
  readonly answered: Map<EventName, number[]>;
  /** Inbound messages without a response: sent again they must not be duplicated. */
  readonly open: Map<string, object>;
}

interface Place {
  readonly url: string;
  /** Below `url`. */
  readonly inbound: string;
  readonly pipeline: { readonly id: number; readonly stages: readonly { id: number; kind: string }[] };
}

/** Creates contacts with all of their records, sequentially, until the service is gone. */
async function write(system: TestedSystem, place: Place, writer: string, { answered, open }: Written): Promise<void> {
  const line = new KeepAliveConnection(place.url);
  async function ask(event: EventName, method: string, path: string, body: object): Promise<{ id: number }> {
    const asked = { method, path: `/api/v1${path}`, key: system.key, body: { location_id: system.location, ...body } };
    const answer = await line.ask(asked);
    expect(answer, path).toMatchObject({ status: method === "PATCH" ? 200 : 201 });
    return note(event, answer.body);
  }
  function note<Shown extends { id: number }>(event: EventName, shown: Shown): Shown {
    const ids = answered.get(event);
    if (ids === undefined) answered.set(event, [shown.id]);
    else ids.push(shown.id);
    return shown;
  }
  const won = place.pipeline.stages.find(({ kind }) => kind === "won")!.id;
  try {
    for (let number = 0; ; number++) {
      const email = `${writer}.${number}@example.com`;
      const contact = await ask("contact.created", "POST", "/contacts", { first_name: "Kay", last_name: "", email });
      const of = { contact_id: contact.id };
      await ask("note.added", "POST", `/contacts/${contact.id}/notes`, { body: email });
      const stages = { pipeline_id: place.pipeline.id, stage_id: place.pipeline.stages[0]!.id };
      const deal = await ask("opportunity.created", "POST", "/opportunities", { ...of, ...stages, value_cents: 500 });
      await ask("opportunity.stage_changed", "PATCH", `/opportunities/${deal.id}`, { stage_id: won });
      const task = await ask("task.created", "POST", "/tasks", { ...of, title: email });
      await ask("task.completed", "PATCH", `/tasks/${task.id}`, { completed: true });
      const message = { from: email, body: "Good evening!", external_id: email };
      open.set(email, message);
      const received = await line.ask({ method: "POST", path: place.inbound, body: message });
      expect(received).toMatchObject({ status: 201 });
      open.delete(email);
      note("message.received", received.body);
      note("conversation.created", { id: received.body.conversation_id });
      await ask("message.sent", "POST", `/conversations/${received.body.conversation_id}/messages`, { body: "Hello!" });
    }
  } catch (error) {
    if (!(error instanceof Interrupted || error instanceof Refused)) throw error;
  }
}

async function expectInvariants(system: TestedSystem, { answered }: Written): Promise<void> {
  const events = await system.rows<{ event: EventName; data: string }>("select event, data from events");
  for (const [event, text] of Object.entries(pairs) as [EventName, string][]) {
    const rows = (await system.rows<{ id: number }>(text)).map(({ id }) => id).toSorted(ascending);
    const told = events.filter((one) => one.event === event).map(({ data }) => payloadOf(data).id as number);
    expect(told.toSorted(ascending), event).toEqual(rows);
    const there = new Set(rows);
    const lost = (answered.get(event) ?? []).filter((id) => !there.has(id));
    expect(lost, `${event}: answered and not there`).toEqual([]);
  }
  // Denormalized columns are written atomically with their source. Each contact has at most one of each.
  const torn = await system.rows(`select contacts.id from contacts
    left join opportunities on opportunities.contact_id = contacts.id
    left join tasks on tasks.contact_id = contacts.id and tasks.completed_at is null
    where coalesce(contacts.stage_id, 0) <> coalesce(opportunities.stage_id, 0)
      or contacts.value_cents <> coalesce(opportunities.value_cents, 0)
      or coalesce(contacts.next_task_id, 0) <> coalesce(tasks.id, 0)`);
  expect(torn, "contacts that show another stage, value or task than they have").toEqual([]);
  const uneven = await system.rows(`select conversations.id from conversations where preview is null or unread_count <>
      (select count(*) from messages where conversation_id = conversations.id and direction = 'inbound') -
      (select count(*) from messages where conversation_id = conversations.id and direction = 'outbound')`);
  expect(uneven, "conversations that count otherwise than they have messages").toEqual([]);
}

describe.each(sampleOf("Faults: killed writers", 1, databaseKinds))("kill -9 of crm serve on %s", (kind) => {
  test(`${rounds} times under ${writers} writers of every noun loses no confirmed write`, async () => {
    const chance = chanceOf(`kill -9 among writers of every noun on ${kind}`);
    await using system = await openSystem(kind);
    const made = await system.run(
      "channels",
      "create",
      "Desk",
      "--kind",
      "email",
      "--address",
      "desk@example.com",
      "--json",
    );
    const channel: { inbound_url: string } = JSON.parse(made.stdout);
    const shown = await system.run("pipelines", "list", "--json");
    const [pipeline] = JSON.parse(shown.stdout);
    const placeOf = (url: string): Place => ({
      url,
      inbound: new URL(channel.inbound_url).pathname,
      pipeline,
    });
    const written: Written = { answered: new Map(), open: new Map() };
    const count = () => [...written.answered.values()].flat().length;

    for (let round = 0; round < rounds; round++) {
      const serving = await system.serve();
      const before = count();
      const writing = Array.from({ length: writers }, (_, writer) =>
        write(system, placeOf(serving.url), `w${writer}.${round}`, written),
      );
      await until("the writers are under way", () => count() > before + writers * 8);
      await sleep(chance() * 400);
      await serving.kill();
      await Promise.all(writing);
      await expectInvariants(system, written);
    }

    const serving = await system.serve("--no-worker");
    const line = new KeepAliveConnection(serving.url);
    for (const body of written.open.values()) {
      const { status } = await line.ask({ method: "POST", path: placeOf(serving.url).inbound, body });
      expect([200, 201]).toContain(status);
    }
    line.close();
    await expectInvariants(system, written);
    const [messages] = await system.rows<{ all: number; different: number }>(
      `select count(external_id) as "all", count(distinct external_id) as different from messages`,
    );
    expect(messages!.all).toBe(messages!.different);
    expect(await system.run("worker", "--once")).toMatchObject({ code: 0 });
    await expectPositions(system);
    expect((await serving.terminate()).code).toBe(0);
    for (const event of Object.keys(pairs)) expect(written.answered.has(event as EventName), event).toBe(true);
    process.stdout.write(`${count()} answered, ${written.open.size} messages handed in again\n`);
  });
});
