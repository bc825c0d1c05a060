/** Random workflows and whatever happens to their contacts: a model of the engine in plain code takes the same way, does the same and ends alike. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setChannelStatus } from "../../src/crm/channels/channel.operations.ts";
import type { WorkflowNode } from "../../src/crm/workflows/nodes/all.ts";
import type { PipelineView } from "../../src/crm/pipelines/pipeline.view.ts";
import type { RunStepView } from "../../src/crm/workflow-runs/run-step.view.ts";
import { runsOf, sampleOf } from "../support/chance.ts";
import { request } from "../support/client.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenChannel, givenContact, givenOpportunity, givenTag, made, pipelineOf } from "../support/given.ts";
import { startReceiver, toLoopback } from "../support/receiver.ts";
import type { TestReceiver } from "../support/receiver.ts";
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
      "at",
      "window",
      "reply",
      "reply",
      "event",
      "event",
      "branch",
      "cases",
      "split",
      "goal",
      "send at",
      "refused send",
      "refused send",
      "start",
      "stop",
      "owner",
      "tag",
      "tag",
      "untag",
      "task",
      "update",
      "stage",
      "stage",
      "post",
      "post",
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
    /** How far the clock of the worker moves: it may be set back. */
    hours: fc.constantFrom(0, 1, 2, 3, 4, -1),
    /** How far the clock of the process that takes the request is from it, in minutes. */
    skew: fc.constantFrom(0, 0, 1, -1, -90),
    what: fc.constantFrom(
      "nothing",
      "nothing",
      "nothing",
      "boston",
      "paris",
      "dnd",
      "event",
      "event",
      "unread event",
      "other event",
      "reply",
      "retry",
      "pause",
      "resume",
    ),
  }),
  { minLength: 5, maxLength: 9 },
);

/** When a run begins: in the night in which clocks go forward, in the one in which they go back and an hour comes twice, or when the one before was over. */
const nights = fc.constantFrom(null, Date.parse("2026-03-08T04:30:00Z"), Date.parse("2026-11-01T02:30:00Z"));

interface Around {
  readonly channel: number;
  /** When the run began, in milliseconds. */
  readonly begun: number;
  /** Another workflow, whose runs wait for ever. */
  readonly helper: number;
  /** Those who own contacts in turns. */
  readonly people: readonly number[];
  /** The name of the tag that is added and removed. */
  readonly tag: string;
  readonly pipeline: PipelineView;
  /** Where posts go: it answers with the status that their header X-Answer names. */
  readonly url: string;
}

/** The same node in the words of a definition. */
function toNode(one: Drawn, place: number, count: number, around: Around): WorkflowNode {
  const { channel, begun, helper, people, tag, pipeline, url } = around;
  const to = (ahead: number): string | undefined => (place + ahead < count ? `n${place + ahead}` : undefined);
  const next = to(one.next);
  const timeout = one.timesOut ? { timeout: `${one.hours}h`, on_timeout: to(one.other) } : {};
  switch (one.kind) {
    case "note":
      return { type: "add_note", body: `n${place}`, next };
    case "send":
      return { type: "send_message", channel_id: channel, body: `n${place}`, next };
    case "send at":
      return { type: "send_message", channel_id: channel, body: `n${place}`, at: `0${one.hours}:00`, next };
    case "refused send": {
      const onError = one.timesOut ? to(one.other) : undefined;
      return { type: "send_message", channel_id: channel, body: "{{context.none}}", on_error: onError, next };
    }
    case "start":
      return { type: "start_workflow", workflow_id: helper, next };
    case "stop":
      return { type: "stop_workflow", workflow_id: helper, next };
    case "owner":
      return { type: "assign_owner", user_ids: [...people], next };
    case "tag":
      return { type: "add_tag", tag, next };
    case "untag":
      return { type: "remove_tag", tag, next };
    case "task":
      return { type: "create_task", title: `n${place}`, due_in: `${one.hours}h`, next };
    case "update": {
      const city = one.timesOut ? "Boston" : "Paris";
      return { type: "update_contact", set: { city, last_name: `n${place} of {{contact.city}}` }, next };
    }
    case "stage":
      return { type: "move_stage", pipeline_id: pipeline.id, stage_id: pipeline.stages.at(-one.hours)!.id, next };
    case "post": {
      const headers = { "X-Node": `n${place}`, "X-Answer": one.timesOut ? "200" : "503" };
      return { type: "webhook", url, headers, on_error: one.timesOut ? undefined : to(one.other), next };
    }
    case "for":
      return { type: "wait", for: `${one.hours}h`, next };
    case "until":
      return { type: "wait", until: new Date(begun + (one.hours - 2) * hour).toISOString(), next };
    case "at":
      return { type: "wait", at: `0${one.hours}:00`, next };
    case "window":
      return { type: "wait", window: { from: "22:00", to: `0${one.hours}:30` }, next };
    case "reply":
      return { type: "wait", reply: true, ...timeout, next };
    case "event":
      return { type: "wait", event: "form.submitted", ...timeout, next };
    case "branch":
      // One of both must be said.
      return { type: "branch", when: boston, then: to(one.next), else: to(one.other) ?? `n${count - 1}` };
    case "cases": {
      const last = `n${count - 1}`;
      return {
        type: "branch",
        cases: [
          { when: { city: "Rome" }, next: last },
          { when: boston, next: next ?? last },
        ],
        else: to(one.other),
      };
    }
    case "split":
      return { type: "split", weights: { [to(one.other) ?? `n${count - 1}`]: 0, [next ?? `n${count - 1}`]: 1 } };
    case "goal":
      return { type: "goal", when: boston, next };
    default:
      return { type: "exit" };
  }
}

const shownTime = new Intl.DateTimeFormat("en", {
  timeZone: "America/New_York",
  hourCycle: "h23",
  hour: "2-digit",
  minute: "2-digit",
});

type SendAt = Extract<WorkflowNode, { type: "send_message" }> & { at: string };

/** Until when it waits, by looking at the clock of the location minute by minute. */
function untilOf(node: Extract<WorkflowNode, { type: "wait" }> | SendAt, since: number): number | null {
  const hours = (span: string | undefined) => (span === undefined ? null : since + Number.parseInt(span, 10) * hour);
  if ("for" in node) return hours(node.for);
  if ("until" in node) return Date.parse(node.until);
  if (!("at" in node || "window" in node)) return hours(node.timeout);
  const minute = hour / 60;
  const comes = (moment: number) => {
    const shown = shownTime.format(moment);
    // A time that daylight saving skips comes when the gap ends.
    if ("at" in node) return moment > since && shown >= node.at && shownTime.format(moment - minute) < node.at;
    return shown >= node.window.from || shown < node.window.to;
  };
  let moment = since;
  while (!comes(moment)) moment = Math.floor(moment / minute) * minute + minute;
  return moment;
}

/** What the engine is to do, told in another way: one node after the other, by what is known at the moment. */
class Model {
  readonly #nodes: Readonly<Record<string, WorkflowNode>>;
  readonly did: string[] = [];
  at = "n0";
  end: string | null = null;
  /** How often it has ended: a run that failed may be retried. */
  ends = 0;
  /** Of a wait: since when, until when, and whether what it waits for has come. */
  wait: { since: number; until: number | null; reason: string; hasCome: boolean } | null = null;
  isBoston = false;
  isDnd = false;
  /** The channel of its messages. */
  isPaused = false;
  /** The history: `node` where it was left, and what else is told. */
  readonly steps: string[] = [];
  /** How many runs of the helper were started, and whether one is active. */
  started = 0;
  isHelped = false;
  /** The turns of owners. */
  turns = 0;
  /** Since it last sent a message, or a reply counted. */
  hasReplied = false;
  isTagged = false;
  lastName: string;
  /** Where the contact's opportunity is; undefined without one. */
  stage: PipelineView["stages"][number] | undefined;
  /** Attempts at the post at which it is. */
  #attempts = 0;
  readonly #stages: PipelineView["stages"];

  constructor(
    nodes: Readonly<Record<string, WorkflowNode>>,
    { lastName, stages, hasDeal }: { lastName: string; stages: PipelineView["stages"]; hasDeal: boolean },
  ) {
    this.#nodes = nodes;
    this.lastName = lastName;
    this.#stages = stages;
    this.stage = hasDeal ? stages[0] : undefined;
  }

  get city(): string {
    return this.isBoston ? "Boston" : "Paris";
  }

  go(now: number): void {
    while (this.end === null && this.#step(now));
  }

  /** False when it waits. */
  #step(now: number): boolean {
    const node = this.#nodes[this.at]!;
    if (node.type === "add_note") return this.#do(node.body, node.next);
    if (node.type === "start_workflow") {
      this.started += this.isHelped ? 0 : 1;
      this.isHelped = true;
      return this.#to(node.next);
    }
    if (node.type === "stop_workflow") {
      this.isHelped = false;
      return this.#to(node.next);
    }
    if (node.type === "assign_owner") {
      this.turns += 1;
      return this.#to(node.next);
    }
    if (node.type === "add_tag" || node.type === "remove_tag") {
      const isTagged = node.type === "add_tag";
      if (this.isTagged !== isTagged) this.did.push(isTagged ? "contact.tag_added" : "contact.tag_removed");
      this.isTagged = isTagged;
      return this.#to(node.next);
    }
    if (node.type === "create_task")
      return this.#do(
        `task ${node.title} ${new Date(now + Number.parseInt(node.due_in!, 10) * hour).toISOString()}`,
        node.next,
      );
    if (node.type === "update_contact") {
      this.lastName = String(node.set.last_name).replace("{{contact.city}}", this.city);
      this.isBoston = node.set.city === "Boston";
      return this.#to(node.next);
    }
    if (node.type === "move_stage") {
      // Only an open opportunity is moved.
      const isMoved = this.stage?.kind === "open" && this.stage.id !== node.stage_id;
      if (isMoved) this.stage = this.#stages.find(({ id }) => id === node.stage_id);
      return isMoved ? this.#do("opportunity.stage_changed", node.next) : this.#to(node.next);
    }
    if (node.type === "webhook") return this.#post(node, now);
    if (node.type === "send_message") {
      const isHeld = this.wait?.reason === "channel";
      if (node.at !== undefined && !isHeld && !this.#comes(node as SendAt, now)) return this.wait === null;
      if (!this.#sends(now)) return this.wait === null;
      if (this.isDnd) return this.#over("dnd");
      if (node.body.includes("{{")) return node.on_error === undefined ? this.#over("error") : this.#to(node.on_error);
      this.hasReplied = false;
      return this.#do(node.body, node.next);
    }
    if (node.type === "exit") return this.#over("exited");
    if (node.type === "branch" && "cases" in node) return this.#to(this.isBoston ? node.cases.at(-1)!.next : node.else);
    if (node.type === "branch") return this.#to(this.isBoston ? node.then : node.else);
    if (node.type === "split") return this.#to(Object.keys(node.weights).find((id) => node.weights[id]! > 0));
    if (node.type === "goal") return this.#to(node.next, this.isBoston ? "goal_met" : "finished");

    const hasReplied = "reply" in node && this.hasReplied;
    const arrives = this.wait === null;
    this.wait ??= { since: now, until: null, reason: "", hasCome: false };
    this.wait.until = untilOf(node, "window" in node ? now : this.wait.since);
    this.wait.reason = "for" in node ? "delay" : "reply" in node ? "reply" : "event" in node ? "event" : "until";
    const isOver = this.wait.until !== null && this.wait.until <= now;
    // Who comes to a wait that is over already never waits, and so jumps nowhere.
    const passes = hasReplied || (("until" in node || "window" in node) && isOver);
    const goal = this.isBoston && !(arrives && passes) ? this.#goalAhead() : undefined;
    if (goal !== undefined) return this.#jump(goal);
    if (hasReplied) {
      this.hasReplied = false;
      return this.#to(node.next, "replied");
    }
    if (this.wait.hasCome) return this.#to(node.next);
    if (!isOver) return this.#rests(arrives);
    return this.#to("reply" in node || "event" in node ? (node.on_timeout ?? node.next) : node.next);
  }

  /** Whether the time of day of a message has come; if not, it waits, or has jumped to a goal. */
  #comes(node: SendAt, now: number): boolean {
    const arrives = this.wait === null;
    this.wait ??= { since: now, until: null, reason: "until", hasCome: false };
    this.wait.until = untilOf(node, this.wait.since);
    const goal = this.isBoston ? this.#goalAhead() : undefined;
    if (goal !== undefined) {
      this.#jump(goal);
      return false;
    }
    if (this.wait.until! <= now) return true;
    this.#rests(arrives);
    return false;
  }

  /** Whether the channel takes a message; if not, the run waits for it, or has jumped to a goal. What may meet a goal makes it look again. */
  #sends(now: number): boolean {
    const isHeld = this.wait?.reason === "channel";
    const arrives = this.wait === null && this.isPaused && !this.isDnd;
    const goal = this.#goalAhead();
    if (this.isBoston && goal !== undefined && (isHeld || arrives)) return !this.#jump(goal);
    if (!this.isPaused || (this.isDnd && (!isHeld || goal !== undefined))) return true;
    if (!isHeld) this.wait = { since: now, until: null, reason: "channel", hasCome: false };
    return this.#rests(!isHeld);
  }

  /** Three attempts, one and five minutes apart, and a goal ahead is looked for between them. */
  #post(node: Extract<WorkflowNode, { type: "webhook" }>, now: number): boolean {
    const goal = this.wait !== null && this.isBoston ? this.#goalAhead() : undefined;
    if (goal !== undefined) {
      this.#attempts = 0;
      return this.#jump(goal);
    }
    if (this.wait !== null && this.wait.until! > now) return false;
    this.did.push(`post ${this.at} of ${this.city}`);
    const minutes = [1, 5][this.#attempts];
    const hasFailed = node.headers!["X-Answer"] !== "200";
    if (hasFailed && minutes !== undefined) {
      this.#attempts += 1;
      this.steps.push(this.at);
      this.wait = { since: now, until: now + minutes * (hour / 60), reason: "delay", hasCome: false };
      return true;
    }
    this.#attempts = 0;
    return hasFailed ? this.#to(node.on_error, "error") : this.#to(node.next);
  }

  #rests(arrives: boolean): false {
    if (arrives) this.steps.push(`${this.at} waits`);
    return false;
  }

  #jump(goal: string): boolean {
    this.#leave();
    this.at = goal;
    const { next } = this.#nodes[goal] as { next?: string };
    if (next !== undefined) this.at = next;
    else [this.end, this.ends] = ["goal_met", this.ends + 1];
    return true;
  }

  #leave(): void {
    this.steps.push(this.at);
    this.wait = null;
  }

  retry(): void {
    if (this.end !== "error") return;
    this.end = null;
    this.steps.push(`${this.at} retried`);
  }

  /** The one that is the fewest steps away; of those that are as near, the one that is named first. */
  #goalAhead(): string | undefined {
    const line = [this.at];
    for (let place = 0; place < line.length; place += 1) {
      const node = this.#nodes[line[place]!]! as unknown as Readonly<Record<string, string | undefined>>;
      if (place > 0 && node["type"] === "goal") return line[place];
      const { cases = [], weights = {} } = node as { cases?: readonly { next: string }[]; weights?: object };
      const ways = [...cases.map(({ next }) => next), ...Object.keys(weights)];
      for (const id of [node["next"], node["then"], ...ways, node["else"], node["on_timeout"]])
        if (id !== undefined && !line.includes(id)) line.push(id);
    }
    return undefined;
  }

  #do(what: string, next: string | undefined): boolean {
    this.did.push(what);
    return this.#to(next);
  }

  #to(next: string | undefined, end = "finished"): boolean {
    if (next === undefined) return this.#over(end);
    this.#leave();
    this.at = next;
    return true;
  }

  #over(end: string): boolean {
    this.#leave();
    this.ends += 1;
    this.end = end;
    return true;
  }
}

/** A step of a history as the model tells it. */
function toldOf({ node_id, outcome }: RunStepView): string {
  return outcome === "waits" || outcome === "retried" ? `${node_id} ${outcome}` : node_id;
}

describe.each(sampleOf("random workflows by database", 1, databaseKinds))("random workflows on %s", (kind) => {
  let world: World;
  let receiver: TestReceiver;
  beforeAll(async () => {
    world = await createWorld(kind, { environment: toLoopback });
    receiver = await startReceiver(({ headers }) => Number(headers["x-answer"]));
  });
  afterAll(async () => {
    await world?.close();
    await receiver?.[Symbol.asyncDispose]();
  });

  test("follow the model", { timeout: 120_000 }, async () => {
    const runs = runsOf(`random workflows on ${kind}`, 8, 25);
    const channel = await givenChannel(world);
    const inbound = new URL(channel.inbound_url).pathname;
    const work = () => world.service.worker.runOnce();
    const people = [world.users.nora, world.users.olga];
    const { id: tagId, name: tag } = await givenTag(world);
    const pipeline = await pipelineOf(world);
    const ends = new Set<string | null>();
    const setStatus = async (status: "active" | "paused") =>
      world.service.carryOut(setChannelStatus, await world.service.inLocation(world.acme, world.north), {
        channel: channel.id,
        input: { status },
      });
    const script = fc.record({
      night: nights,
      hasDeal: fc.constantFrom(true, true, false),
      isTagged: fc.boolean(),
      nodes: fc.array(drawn, { minLength: 5, maxLength: 10 }),
      happenings,
    });
    const property = fc.asyncProperty(script, async ({ night, hasDeal, isTagged, nodes, happenings: happened }) => {
      if (night !== null) world.clock.advance({ milliseconds: night - world.clock.now().getTime() });
      await setStatus("active");
      const begun = world.clock.now().getTime();
      const helper = await givenWorkflow(world, { hold: { type: "wait", event: "invoice.paid" } });
      const around = { channel: channel.id, begun, helper, people, tag, pipeline, url: receiver.url };
      const definition = Object.fromEntries(
        nodes.map((one, place) => [`n${place}`, toNode(one, place, nodes.length, around)]),
      );
      // A last branch or split may lead to itself: a way to nowhere is what is meant.
      const last = definition[`n${nodes.length - 1}`]!;
      if (last.type === "branch" || last.type === "split") definition[`n${nodes.length - 1}`] = { type: "exit" };
      const contact = await givenContact(world, { city: "Paris" });
      if (isTagged)
        await made(
          world.send("owner", "POST", `/contacts/${contact.id}/tags`, { location_id: world.north, tag_id: tagId }),
        );
      if (hasDeal) await givenOpportunity(world, { contact_id: contact.id });
      const run = await givenRun(world, await givenWorkflow(world, definition), contact.id);
      const { stages } = pipeline;
      const model = new Model(definition, { lastName: contact.last_name, stages, hasDeal });
      model.isTagged = isTagged;
      if (isTagged) model.did.push("contact.tag_added");
      const patch = (body: object) =>
        made(world.send("owner", "PATCH", `/contacts/${contact.id}`, { location_id: world.north, ...body }));
      const report = (event: string) =>
        made(
          world.send("owner", "POST", "/events", {
            location_id: world.north,
            contact_id: contact.id,
            event,
            data: {},
          }),
        );
      for (const { hours, skew, what } of [{ hours: 0, skew: 0, what: "nothing" }, ...happened]) {
        world.clock.advance({ hours });
        // The worker runs after time has passed, before the next step.
        await work();
        model.go(world.clock.now().getTime());
        world.clock.advance({ minutes: 1 });
        const now = world.clock.now().getTime();
        world.clock.advance({ minutes: skew });
        if (what === "boston" || what === "paris") await patch({ city: what === "boston" ? "Boston" : "Paris" });
        if (what === "dnd") await patch({ dnd: true });
        if (what === "event" || what === "unread event") await report("form.submitted");
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
        if (what === "pause" || what === "resume") await setStatus(what === "pause" ? "paused" : "active");
        world.clock.advance({ minutes: -skew });
        // Refused, unless it has failed.
        if (what === "retry")
          await world.send("owner", "POST", `/workflow-runs/${run}/retry`, { location_id: world.north });
        if (what === "retry") model.retry();
        if (what === "boston" || what === "paris") model.isBoston = what === "boston";
        if (what === "dnd") model.isDnd = true;
        if (what === "pause" || what === "resume") model.isPaused = what === "pause";
        if (what === "reply") model.hasReplied = true;
        const isAwaited = model.wait?.reason === "event";
        if ((what === "event" || what === "unread event") && isAwaited) model.wait!.hasCome = true;
        // The wait may be over before the follower of the log and the engine, which run concurrently, go on.
        if (what === "unread event" && isAwaited) continue;
        await work();
        model.go(now);
      }
      const shown = await runOf(world, run);
      const { body } = await world.send("owner", "GET", `/contacts/${contact.id}?location_id=${world.north}`);
      const did = await world.service.database.rows<{ body: string }>(
        `select body from (select 'note.added' as event, id, body, created_at from notes where contact_id = ?
         union all select 'message.sent', messages.id, messages.body, messages.created_at from messages
           join conversations on conversations.id = messages.conversation_id
           where conversations.contact_id = ? and direction = 'outbound'
         union all select event, id, event, created_at from events where contact_id = ?
           and event in ('contact.tag_added', 'contact.tag_removed', 'opportunity.stage_changed')) as done`,
        [contact.id, contact.id, contact.id],
      );
      const tasks = body.tasks.map((one: { title: string; due_at: string }) => `task ${one.title} ${one.due_at}`);
      const posts = receiver.arrivals
        .map((arrival) => JSON.parse(arrival.body))
        .flatMap(({ run_id: of, contact: { city } }, place) =>
          of === run ? [`post ${receiver.arrivals[place]!.headers["x-node"]} of ${city}`] : [],
        );
      expect([...did.map((one) => one.body), ...tasks, ...posts].toSorted()).toEqual(model.did.toSorted());
      expect({
        city: body.city,
        last_name: body.last_name,
        tags: body.tags.map(({ name }: { name: string }) => name),
        stages: body.opportunities.map((one: { stage: { id: number } }) => one.stage.id),
      }).toEqual({
        city: model.city,
        last_name: model.lastName,
        tags: model.isTagged ? [tag] : [],
        stages: model.stage === undefined ? [] : [model.stage.id],
      });
      expect(shown).toMatchObject({
        current_node_id: model.at,
        ended_reason: model.end,
        wait_reason: model.wait?.reason ?? "none",
        wake_at: model.wait?.until ? new Date(model.wait.until).toISOString() : null,
      });
      const { body: history } = await world.send("owner", "GET", `/workflow-runs/${run}?location_id=${world.north}`);
      expect(history.steps.map(toldOf)).toEqual(model.steps);
      expect(body.owner?.id ?? null).toBe(model.turns === 0 ? null : people[(model.turns - 1) % people.length]);
      const helped = await world.service.database.rows<{ status: string }>(
        "select status from workflow_runs where workflow_id = ? order by id",
        [helper],
      );
      expect(helped.map(({ status }) => status)).toEqual(
        Array.from({ length: model.started }, (_, place) =>
          place === model.started - 1 && model.isHelped ? "waiting" : "canceled",
        ),
      );
      expect(body.activities.filter((one: { kind: string }) => one.kind === "workflow.run_finished")).toHaveLength(
        model.ends + model.started - (model.isHelped ? 1 : 0),
      );
      ends.add(model.end);
    });
    await fc.assert(property, runs);
    // A model in which everything ends alike would have shown nothing; a sample may be too small for three.
    expect(ends.size).toBeGreaterThan(runs.numRuns < 25 ? 1 : 2);
  });
});
