/** What comes after what in a workflow, in a world of plain values whose clock jumps. */
import { expect, test } from "vitest";
import { workflowNodes } from "../../src/crm/workflows/nodes/all.ts";
import type { WorkflowNode } from "../../src/crm/workflows/nodes/all.ts";
import type { Performed } from "../../src/crm/workflows/definition/node-type.ts";
import { readDefinition } from "../../src/crm/workflows/definition/read-definition.ts";
import { chooseByWeight } from "../../src/crm/workflows/walk/choose.ts";
import { initialState } from "../../src/crm/workflows/walk/run-state.ts";
import type { RunState } from "../../src/crm/workflows/walk/run-state.ts";
import { fillTemplates } from "../../src/crm/workflows/walk/template.ts";
import { NodeFault, walk } from "../../src/crm/workflows/walk/walk.ts";
import type { World } from "../../src/crm/workflows/walk/world.ts";

const hour = 3_600_000;
const when = { city: "Boston" };

interface Given {
  readonly nodes: Readonly<Record<string, WorkflowNode>>;
  /** What happens at a time, in hours: the filter begins to hold, the contact replies, the awaited event comes. */
  readonly at?: Readonly<Record<number, "holds" | "replies" | "event">>;
  readonly performs?: Performed;
  /** How late the engine is, in hours, for the first that is due. */
  readonly late?: number;
}

/** Walks until the run is over or waits for ever; gives what it did and when, in hours, and how it ended. */
async function tell({ nodes, at = {}, performs = "done", late = 0 }: Given): Promise<string> {
  const definition = readDefinition({ entry: Object.keys(nodes)[0], nodes });
  const told: string[] = [];
  let state: RunState = initialState(definition.entry, 0);
  let holds = false;
  const happenings = Object.entries(at).map(([time, what]) => ({ time: Number(time) * hour, what }));
  for (let now: number | null = 0; now !== null && state.endedReason === null;) {
    const moment: number = now;
    for (const { what } of happenings.filter((one) => one.time === moment)) {
      if (what === "holds") holds = true;
      else state = what === "replies" ? { ...state, hasReplied: true } : received(state);
    }
    const world: World = {
      types: workflowNodes,
      now: moment,
      timeZone: "America/New_York",
      choose: (nodeId, weights) => chooseByWeight(`1 ${nodeId}`, weights),
      holds: async () => holds,
      hasReplied: (current) => current.hasReplied,
      async perform(node) {
        told.push(`${node.type}@${moment / hour}`);
        return performs;
      },
    };
    ({ state } = await walk(definition, state, world, 100));
    const next = [state.dueAt, ...happenings.map(({ time }) => time)].filter((time) => time !== null && time > moment);
    now = next.length === 0 ? null : Math.min(...(next as number[])) + (moment === 0 ? late * hour : 0);
  }
  return [...told, state.endedReason ?? `${state.waitReason} in ${state.nodeId}`].join(" ");
}

function received(state: RunState): RunState {
  return { ...state, awaitedEvent: null };
}

const mark = (next?: string): WorkflowNode => ({ type: "add_tag", tag: "VIP", next });
const rest = (next?: string): WorkflowNode => ({ type: "wait", for: "2h", next });
const until = (moment: string, next?: string): WorkflowNode => ({ type: "wait", until: moment, next });
const send = (next?: string): WorkflowNode => ({ type: "send_message", channel_id: 1, body: "Hello", next });
const note: WorkflowNode = { type: "add_note", body: "Done" };

test.each<[string, Given, string]>([
  ["one node", { nodes: { a: mark() } }, "add_tag@0 finished"],
  ["nodes in a row", { nodes: { a: mark("b"), b: rest("c"), c: note } }, "add_tag@0 add_note@2 finished"],
  ["exit", { nodes: { a: mark("b"), b: { type: "exit" } } }, "add_tag@0 exited"],
  [
    "a branch that holds",
    { nodes: { a: { type: "branch", when, then: "b", else: "c" }, b: mark(), c: note }, at: { 0: "holds" } },
    "add_tag@0 finished",
  ],
  [
    "a branch that does not",
    { nodes: { a: { type: "branch", when, then: "b", else: "c" }, b: mark(), c: note } },
    "add_note@0 finished",
  ],
  ["a branch to nowhere", { nodes: { a: { type: "branch", when, then: "b" }, b: mark() } }, "finished"],
  [
    "the first case that holds",
    {
      nodes: {
        a: {
          type: "branch",
          cases: [
            { when, next: "b" },
            { when, next: "c" },
          ],
        },
        b: mark(),
        c: note,
      },
      at: { 0: "holds" },
    },
    "add_tag@0 finished",
  ],
  [
    "no case that holds",
    { nodes: { a: { type: "branch", cases: [{ when, next: "b" }], else: "c" }, b: mark(), c: note } },
    "add_note@0 finished",
  ],
  ["no case and no else", { nodes: { a: { type: "branch", cases: [{ when, next: "b" }] }, b: mark() } }, "finished"],
  [
    "a split with all the weight on one",
    { nodes: { a: { type: "split", weights: { b: 0, c: 1 } }, b: mark(), c: note } },
    "add_note@0 finished",
  ],
  // In New York it is 19:00 on a Wednesday.
  ["at a time of day", { nodes: { a: { type: "wait", at: "21:00", next: "b" }, b: note } }, "add_note@2 finished"],
  [
    "at a time of the next day",
    { nodes: { a: { type: "wait", at: "19:00", next: "b" }, b: note } },
    "add_note@24 finished",
  ],
  [
    "within a window",
    { nodes: { a: { type: "wait", window: { from: "09:00", to: "20:00" }, next: "b" }, b: note } },
    "add_note@0 finished",
  ],
  [
    "until a window opens",
    { nodes: { a: { type: "wait", window: { days: ["fri"], from: "09:00", to: "20:00" }, next: "b" }, b: note } },
    "add_note@38 finished",
  ],
  [
    "until a window opens again that has closed meanwhile",
    { nodes: { a: { type: "wait", window: { from: "21:00", to: "22:00" }, next: "b" }, b: note }, late: 2 },
    "add_note@26 finished",
  ],
  [
    "until a window opens that is still open later",
    { nodes: { a: { type: "wait", window: { from: "21:00", to: "22:00" }, next: "b" }, b: note }, late: 0.5 },
    "add_note@2.5 finished",
  ],
  ["until a moment", { nodes: { a: until("1970-01-01T05:00:00Z", "b"), b: note } }, "add_note@5 finished"],
  [
    "until a moment that is just ahead",
    { nodes: { a: until("1970-01-01T00:00:00.900Z", "b"), b: note } },
    "add_note@0.00025 finished",
  ],
  ["until a moment that is past", { nodes: { a: until("1960-01-01T05:00:00Z", "b"), b: note } }, "add_note@0 finished"],
  ["for a reply that never comes", { nodes: { a: { type: "wait", reply: true } } }, "reply in a"],
  [
    "for a reply, and on",
    { nodes: { a: { type: "wait", reply: true, next: "b" }, b: note }, at: { 3: "replies" } },
    "add_note@3 finished",
  ],
  ["for a reply, to the end", { nodes: { a: { type: "wait", reply: true } }, at: { 3: "replies" } }, "replied"],
  [
    "for a reply that came before the wait",
    { nodes: { a: rest("b"), b: { type: "wait", reply: true, next: "c" }, c: note }, at: { 1: "replies" } },
    "add_note@2 finished",
  ],
  [
    "for a reply to the last send alone",
    {
      nodes: { a: rest("b"), b: send("c"), c: { type: "wait", reply: true, timeout: "1h" } },
      at: { 1: "replies" },
      performs: "sent",
    },
    "send_message@2 finished",
  ],
  [
    "for two replies, of which each counts once",
    { nodes: { a: { type: "wait", reply: true, next: "b" }, b: { type: "wait", reply: true } }, at: { 3: "replies" } },
    "reply in b",
  ],
  [
    "for a reply, in vain",
    { nodes: { a: { type: "wait", reply: true, timeout: "2h", on_timeout: "b", next: "c" }, b: mark(), c: note } },
    "add_tag@2 finished",
  ],
  [
    "in vain, with nothing said of that",
    { nodes: { a: { type: "wait", reply: true, timeout: "2h", next: "b" }, b: note } },
    "add_note@2 finished",
  ],
  [
    "for an event",
    {
      nodes: {
        a: { type: "wait", event: "form.submitted", timeout: "9h", on_timeout: "b", next: "c" },
        b: mark(),
        c: note,
      },
      at: { 3: "event" },
    },
    "add_note@3 finished",
  ],
  [
    "for an event, in vain",
    {
      nodes: {
        a: { type: "wait", event: "form.submitted", timeout: "9h", on_timeout: "b", next: "c" },
        b: mark(),
        c: note,
      },
    },
    "add_tag@9 finished",
  ],
  ["who is not to be disturbed", { nodes: { a: send("b"), b: note }, performs: "dnd" }, "send_message@0 dnd"],
  [
    "a goal that holds when it is reached",
    { nodes: { a: { type: "goal", when, next: "b" }, b: note }, at: { 0: "holds" } },
    "add_note@0 finished",
  ],
  ["a goal that is the end", { nodes: { a: { type: "goal", when } }, at: { 0: "holds" } }, "goal_met"],
  ["a goal that is passed through", { nodes: { a: { type: "goal", when } } }, "finished"],
  [
    "a goal that is met during a wait",
    { nodes: { a: rest("b"), b: mark("g"), g: { type: "goal", when, next: "c" }, c: note }, at: { 1: "holds" } },
    "add_note@1 finished",
  ],
  [
    "a goal that holds before the wait",
    { nodes: { a: rest("b"), b: mark("g"), g: { type: "goal", when } }, at: { 0: "holds" } },
    "goal_met",
  ],
  [
    "a goal that lies behind",
    { nodes: { g: { type: "goal", when, next: "a" }, a: rest("b"), b: note }, at: { 1: "holds" } },
    "add_note@2 finished",
  ],
  [
    "a goal in a circle rests at its wait",
    {
      nodes: {
        a: rest("g"),
        g: { type: "goal", when, next: "b" },
        b: mark("c"),
        c: { type: "wait", event: "form.submitted", next: "a" },
      },
      at: { 0: "holds" },
    },
    "add_tag@2 event in c",
  ],
])("%s", async (_name, given, expected) => {
  expect(await tell(given)).toBe(expected);
});

test("what a node threw is told with the node, and what came before it", async () => {
  const definition = readDefinition({ entry: "a", nodes: { a: mark("b"), b: note } });
  const world: World = {
    types: workflowNodes,
    now: 0,
    timeZone: "UTC",
    choose: (nodeId, weights) => chooseByWeight(nodeId, weights),
    holds: async () => false,
    hasReplied: () => false,
    perform: async (node) => (node.type === "add_note" ? Promise.reject(new Error("no")) : "done"),
  };
  const fault: unknown = await walk(definition, initialState("a", 0), world, 100).catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(NodeFault);
  expect(fault).toMatchObject({ state: { nodeId: "b" }, cause: new Error("no") });
  expect(await walk(definition, initialState("a", 0), world, 1)).toMatchObject({
    stopped: "more",
    state: { nodeId: "b" },
  });
});

test.each([
  ["Hello {{contact.first_name}} {{ contact.owner.name }}!", "Hello Ada Olga!"],
  ["{{context.form.name}} {{context.count}} {{context.yes}} {{context.list}}", "Offer 3 true a, 1"],
  [
    "[{{contact.nobody}}{{context.none}}{{context.form}}{{whatever}}{{context.form.name.length}}{{contact.constructor}}]",
    "[]",
  ],
  ["{{context.template}} {{contact.first_name", "{{contact.first_name}} {{contact.first_name"],
  ["{ {contact.first_name} }", "{ {contact.first_name} }"],
])("%s is filled", (text, expected) => {
  const contact = { first_name: "Ada", owner: { id: 1, name: "Olga" } };
  const context = {
    form: { name: "Offer" },
    count: 3,
    yes: true,
    none: null,
    list: ["a", 1, {}],
    template: "{{contact.first_name}}",
  };
  expect(fillTemplates(text, { contact, context })).toBe(expected);
});

test("what a text names thousands of times is put together once", () => {
  let asked = 0;
  const context = {
    get list() {
      asked += 1;
      return ["a", 1];
    },
  };
  expect(fillTemplates("{{context.list}}{{ context.list }}".repeat(2000), { contact: {}, context })).toHaveLength(
    "a, 1".length * 4000,
  );
  expect(asked).toBe(1);
});

test("a text that would become endless is cut off", () => {
  const context = { large: "x".repeat(60_000) };
  const filled = fillTemplates("{{context.large}}".repeat(3000), { contact: {}, context });
  expect(filled.length).toBeLessThan(1_100_000);
});
