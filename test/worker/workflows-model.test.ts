/** Random workflows and whatever happens to their contacts: a model of the engine in plain code takes the same way, does the same and ends alike. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { WorkflowNode } from "../../src/crm/workflows/nodes/all.ts";
import { runsOf } from "../support/chance.ts";
import { request } from "../support/client.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenChannel, givenContact, made } from "../support/given.ts";
import { givenRun, givenWorkflow, runOf } from "../support/workflows.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const hour = 3_600_000;
const boston = { city: "Boston" };

/** A node as it is drawn: its ways lead a number of nodes ahead, past the last of them nowhere. */
const drawn = fc.record({
  kind: fc.constantFrom(
    ...([
      "note",
      "note",
      "note",
      "send",
      "for",
      "until",
      "reply",
      "reply",
      "event",
      "event",
      "branch",
      "goal",
    ] as const),
    "exit",
  ),
  hours: fc.integer({ min: 1, max: 4 }),
  timesOut: fc.constantFrom(true, true, false),
  next: fc.constantFrom(1, 1, 2),
  other: fc.integer({ min: 1, max: 3 }),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer One> ? One : never;

const happenings = fc.array(
  fc.record({
    hours: fc.integer({ min: 0, max: 4 }),
    what: fc.constantFrom(
      "nothing",
      "nothing",
      "nothing",
      "boston",
      "paris",
      "dnd",
      "event",
      "event",
      "other event",
      "reply",
    ),
  }),
  { minLength: 5, maxLength: 9 },
);

/** The same node in the words of a definition; `begun` is when the run began, in milliseconds. */
function toNode(
  one: Drawn,
  place: number,
  count: number,
  { channel, begun }: { channel: number; begun: number },
): WorkflowNode {
  const to = (ahead: number): string | undefined => (place + ahead < count ? `n${place + ahead}` : undefined);
  const next = to(one.next);
  const timeout = one.timesOut ? { timeout: `${one.hours}h`, on_timeout: to(one.other) } : {};
  switch (one.kind) {
    case "note":
      return { type: "add_note", body: `n${place}`, next };
    case "send":
      return { type: "send_message", channel_id: channel, body: `n${place}`, next };
    case "for":
      return { type: "wait", for: `${one.hours}h`, next };
    case "until":
      return { type: "wait", until: new Date(begun + (one.hours - 2) * hour).toISOString(), next };
    case "reply":
      return { type: "wait", reply: true, ...timeout, next };
    case "event":
      return { type: "wait", event: "form.submitted", ...timeout, next };
    case "branch":
      // One of both must be said.
      return { type: "branch", when: boston, then: to(one.next), else: to(one.other) ?? `n${count - 1}` };
    case "goal":
      return { type: "goal", when: boston, next };
    default:
      return { type: "exit" };
  }
}

/** What the engine is to do, told in another way: one node after the other, by what is known at the moment. */
class Model {
  readonly #nodes: Readonly<Record<string, WorkflowNode>>;
  readonly did: string[] = [];
  at = "n0";
  end: string | null = null;
  /** Of a wait: since when, until when, and whether what it waits for has come. */
  wait: { since: number; until: number | null; reason: string; hasCome: boolean } | null = null;
  isBoston = false;
  isDnd = false;
  repliedAt = -1;
  #repliesAfter: number;

  constructor(nodes: Readonly<Record<string, WorkflowNode>>, now: number) {
    this.#nodes = nodes;
    this.#repliesAfter = now;
  }

  go(now: number): void {
    while (this.end === null && this.#step(now));
  }

  /** False when it waits. */
  #step(now: number): boolean {
    const node = this.#nodes[this.at]!;
    if (node.type === "add_note") return this.#do(node.body, node.next);
    if (node.type === "send_message") {
      if (this.isDnd) return this.#over("dnd");
      this.#repliesAfter = now;
      return this.#do(node.body, node.next);
    }
    if (node.type === "exit") return this.#over("exited");
    if (node.type === "branch") return this.#to(this.isBoston ? node.then : node.else);
    if (node.type === "goal") return this.#to(node.next, this.isBoston ? "goal_met" : "finished");
    if (node.type !== "wait") throw new Error(node.type);

    const hasReplied = "reply" in node && this.repliedAt > this.#repliesAfter;
    const arrives = this.wait === null;
    this.wait ??= { since: now, until: null, reason: "", hasCome: false };
    const span = "for" in node ? node.for : "until" in node ? undefined : node.timeout;
    this.wait.until =
      "until" in node
        ? Date.parse(node.until)
        : span === undefined
          ? null
          : this.wait.since + Number.parseInt(span, 10) * hour;
    this.wait.reason = "for" in node ? "delay" : "until" in node ? "until" : "reply" in node ? "reply" : "event";
    const isOver = this.wait.until !== null && this.wait.until <= now;
    // Who comes to a wait that is over already never waits, and so jumps nowhere.
    const passes = hasReplied || ("until" in node && isOver);
    const goal = this.isBoston && !(arrives && passes) ? this.#goalAhead() : undefined;
    if (goal !== undefined) {
      this.at = goal;
      return this.#to((this.#nodes[goal] as { next?: string }).next, "goal_met");
    }
    if (hasReplied) {
      this.#repliesAfter = now;
      return this.#to(node.next, "replied");
    }
    if (this.wait.hasCome) return this.#to(node.next);
    if (!isOver) return false;
    return this.#to("reply" in node || "event" in node ? (node.on_timeout ?? node.next) : node.next);
  }

  /** The one that is the fewest steps away; of those that are as near, the one that is named first. */
  #goalAhead(): string | undefined {
    const line = [this.at];
    for (let place = 0; place < line.length; place += 1) {
      const node = this.#nodes[line[place]!]! as unknown as Readonly<Record<string, string | undefined>>;
      if (place > 0 && node["type"] === "goal") return line[place];
      for (const id of [node["next"], node["then"], node["else"], node["on_timeout"]])
        if (id !== undefined && !line.includes(id)) line.push(id);
    }
    return undefined;
  }

  #do(what: string, next: string | undefined): boolean {
    this.did.push(what);
    return this.#to(next);
  }

  #to(next: string | undefined, end = "finished"): boolean {
    this.wait = null;
    if (next === undefined) return this.#over(end);
    this.at = next;
    return true;
  }

  #over(end: string): boolean {
    this.wait = null;
    this.end = end;
    return true;
  }
}

describe.each([...databaseKinds])("random workflows on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  test("follow the model", { timeout: 120_000 }, async () => {
    const runs = runsOf(`random workflows on ${kind}`, 8, 25);
    const channel = await givenChannel(world);
    const inbound = new URL(channel.inbound_url).pathname;
    const work = () => world.service.worker.runOnce();
    const ends = new Set<string | null>();
    const script = fc.record({ nodes: fc.array(drawn, { minLength: 5, maxLength: 10 }), happenings });
    const property = fc.asyncProperty(script, async ({ nodes, happenings: happened }) => {
      const begun = world.clock.now().getTime();
      const definition = Object.fromEntries(
        nodes.map((one, place) => [`n${place}`, toNode(one, place, nodes.length, { channel: channel.id, begun })]),
      );
      // A last branch may lead to itself: a way to nowhere is what is meant.
      const last = definition[`n${nodes.length - 1}`]!;
      if (last.type === "branch") definition[`n${nodes.length - 1}`] = { type: "exit" };
      const contact = await givenContact(world, { city: "Paris" });
      const run = await givenRun(world, await givenWorkflow(world, definition), contact.id);
      const model = new Model(definition, begun);
      const patch = (body: object) =>
        made(world.send("owner", "PATCH", `/contacts/${contact.id}`, { location_id: world.north, ...body }));
      const report = (event: string) =>
        made(
          world.send("owner", "POST", "/events", { location_id: world.north, contact_id: contact.id, event, data: {} }),
        );
      for (const { hours, what } of [{ hours: 0, what: "nothing" }, ...happened]) {
        world.clock.advance({ hours });
        // The worker runs after time has passed, before the next step.
        await work();
        model.go(world.clock.now().getTime());
        world.clock.advance({ minutes: 1 });
        const now = world.clock.now().getTime();
        if (what === "boston" || what === "paris") await patch({ city: what === "boston" ? "Boston" : "Paris" });
        if (what === "dnd") await patch({ dnd: true });
        if (what === "event") await report("form.submitted");
        if (what === "other event") await report("page.viewed");
        if (what === "reply")
          await made(
            request(world.url, {
              method: "POST",
              path: inbound,
              key: undefined,
              body: { from: contact.email, body: "Yes" },
            }),
          );
        if (what === "boston" || what === "paris") model.isBoston = what === "boston";
        if (what === "dnd") model.isDnd = true;
        if (what === "reply") model.repliedAt = now;
        if (what === "event" && model.wait?.reason === "event") model.wait.hasCome = true;
        await work();
        model.go(now);
      }
      const shown = await runOf(world, run);
      const { body } = await world.send("owner", "GET", `/contacts/${contact.id}?location_id=${world.north}`);
      const did = await world.service.database.rows<{ body: string }>(
        `select body from (select 'note.added' as event, id, body, created_at from notes where contact_id = ?
         union all select 'message.sent', messages.id, messages.body, messages.created_at from messages
           join conversations on conversations.id = messages.conversation_id
           where conversations.contact_id = ? and direction = 'outbound') as done order by body`,
        [contact.id, contact.id],
      );
      expect(did.map((one) => one.body)).toEqual(model.did.toSorted());
      expect(shown).toMatchObject({
        current_node_id: model.at,
        ended_reason: model.end,
        wait_reason: model.wait?.reason ?? "none",
        wake_at: model.wait?.until ? new Date(model.wait.until).toISOString() : null,
      });
      expect(body.activities.filter((one: { kind: string }) => one.kind === "workflow.run_finished")).toHaveLength(
        model.end === null ? 0 : 1,
      );
      ends.add(model.end);
    });
    await fc.assert(property, runs);
    // A model in which everything ends alike would have shown nothing; a sample may be too small for three.
    expect(ends.size).toBeGreaterThan(runs.numRuns < 25 ? 1 : 2);
  });
});
