/** A definition is read by the types of its nodes, and whatever is wrong is named with its node. */
import { describe, expect, test } from "vitest";
import { readDefinition } from "../../src/crm/workflows/definition/read-definition.ts";
import { findNode, successorsOf } from "../../src/crm/workflows/definition/successors.ts";
import { workflowNodes } from "../../src/crm/workflows/nodes/all.ts";
import { Invalid } from "../../src/vocabulary/errors.ts";
import { limits } from "../../src/vocabulary/limits.ts";

const exit = { type: "exit" };

/** A definition of one node. */
function of(node: unknown): unknown {
  return { entry: "a", nodes: { a: node } };
}

function faultsOf(value: unknown): Record<string, string[]> {
  try {
    readDefinition(value);
  } catch (error) {
    if (error instanceof Invalid) return error.errors;
    throw error;
  }
  return {};
}

const filter = [{ field: "tag", op: "eq", value: "VIP" }];

/** Every type with all of its fields, and with as few as it takes. */
const wellFormed: unknown[] = [
  { type: "send_message", channel_id: 1, body: "Hello {{contact.first_name}}", subject: "Hi", next: "a" },
  { type: "send_message", channel_id: 1, body: "Hello" },
  { type: "add_tag", tag: "VIP", next: "a" },
  { type: "remove_tag", tag: 7 },
  { type: "create_task", title: "Call", due_in: "2d", assignee_user_id: 1, next: "a" },
  { type: "create_task", title: "Call" },
  { type: "add_note", body: "Was here", next: "a" },
  { type: "update_contact", set: { company: "{{context.company}}", dnd: true, owner_user_id: null }, next: "a" },
  { type: "move_stage", pipeline_id: 1, stage_id: 2, next: "a" },
  { type: "wait", for: "1h", next: "a" },
  { type: "wait", until: "2026-03-01T12:00:00+01:00", next: "a" },
  { type: "wait", reply: true },
  { type: "wait", reply: true, timeout: "2d", on_timeout: "a", next: "a" },
  { type: "wait", event: "form.submitted", timeout: "2d", on_timeout: "a", next: "a" },
  { type: "branch", when: filter, then: "a", else: "a" },
  { type: "branch", when: { "context.plan": "pro" }, else: "a" },
  { type: "goal", when: filter, next: "a" },
  { type: "webhook", url: "https://example.com/hook", on_error: "a", next: "a" },
  { type: "webhook", url: "https://example.com/hook", headers: { "X-Api-Key": "{{secret.gateway}}" } },
  exit,
];

test.each(wellFormed)("keeps $type as it was written: %j", (node) => {
  expect(readDefinition(of(node))).toEqual({ ...(of(node) as object), trigger: undefined });
});

const refused: [unknown, Record<string, string>][] = [
  [null, { definition: "The definition field is required." }],
  [[], { definition: "The definition field must be an object." }],
  [
    {},
    {
      entry: "The entry field is required.",
      nodes: "The nodes field is required.",
    },
  ],
  [
    { entry: "a", nodes: {}, node: {} },
    {
      node: "The node field is unknown; there are entry, trigger, nodes. Did you mean nodes?",
      nodes: "The nodes field must have at least one node.",
    },
  ],
  [
    { entry: "__proto__", nodes: { constructor: exit } },
    {
      entry: `The entry field must be the id of a node: a letter, then letters, digits, _ or -, at most ${limits.workflow.nodeId} characters.`,
    },
  ],
  [
    JSON.parse('{"entry": "a", "nodes": {"a": {"type": "exit"}, "__proto__": {"type": "exit"}}}'),
    {
      nodes: `The nodes field has "__proto__", which must be the id of a node: a letter, then letters, digits, _ or -, at most ${limits.workflow.nodeId} characters.`,
    },
  ],
  [of("exit"), { "nodes.a": 'The node "a" must be an object.' }],
  [
    of({ next: "b" }),
    {
      "nodes.a.type":
        'The type field of the node "a" is required: one of send_message, add_tag, remove_tag, create_task, add_note, update_contact, assign_owner, move_stage, start_workflow, stop_workflow, branch, split, goal, webhook, exit, wait.',
    },
  ],
  [
    of({ type: "send_mesage" }),
    {
      "nodes.a.type":
        'The type field of the node "a" is "send_mesage"; there are send_message, add_tag, remove_tag, create_task, add_note, update_contact, assign_owner, move_stage, start_workflow, stop_workflow, branch, split, goal, webhook, exit, wait. Did you mean send_message?',
    },
  ],
  [of({ type: "constructor" }), { "nodes.a.type": expect.stringContaining('is "constructor"; there are') }],
  [
    of({
      type: "webhook",
      url: "https://example.com/hook",
      headers: Object.fromEntries(Array.from({ length: 11 }, (_, number) => [`X-${number}`, "a"])),
    }),
    { "nodes.a.headers": 'The headers field of the node "a" must not have more than 10 headers.' },
  ],
  [
    of({ type: "split", weights: { b: 0, c: 0 } }),
    { "nodes.a.weights": 'The weights field of the node "a" must have a weight above zero.' },
  ],
  [
    of({ type: "split", weights: {} }),
    { "nodes.a.weights": 'The weights field of the node "a" must have a weight above zero.' },
  ],
  [
    of({ type: "split", weights: { b: -1, c: 2 } }),
    { "nodes.a.weights.b": 'The weights.b field of the node "a" must be a whole number from 0 to 1000000.' },
  ],
  [
    of({ type: "branch", when: {}, cases: [] }),
    {
      "nodes.a.when":
        'The when field of the node "a" must not stand beside cases: each case has its own when and next.',
    },
  ],
  [
    of({ type: "branch", cases: [{ when: {}, next: "b", than: "c" }] }),
    {
      "nodes.a.cases.0.than": 'The cases.0.than field of the node "a" is unknown; there are when, next.',
    },
  ],
  [
    of({ type: "wait", at: "9 am" }),
    { "nodes.a.at": 'The at field of the node "a" must be a time of day such as 09:00.' },
  ],
  [
    of({ type: "wait", window: { from: "09:00", to: "09:00" } }),
    {
      "nodes.a.window.to": 'The window.to field of the node "a" must differ from from, or the window never opens.',
    },
  ],
  [
    of({ type: "wait", window: { days: [], from: "09:00", to: "18:00" } }),
    {
      "nodes.a.window.days":
        'The window.days field of the node "a" must name at least one day, or the window never opens.',
    },
  ],
  [
    of({ type: "wait" }),
    { "nodes.a": 'The node "a" must say what it waits for: for, until, at, window, reply, event.' },
  ],
  [
    of({ type: "wait", for: "1h", reply: true }),
    { "nodes.a.reply": 'The reply field of the node "a" must not stand beside for: a node waits for one thing.' },
  ],
  [
    of({ type: "wait", for: "soon" }),
    { "nodes.a.for": 'The for field of the node "a" must be a duration such as 30s, 15m, 12h, 90d or 4w.' },
  ],
  [
    of({ type: "wait", until: "2026-03-01" }),
    {
      "nodes.a.until":
        'The until field of the node "a" must be a timestamp with an offset or Z, such as 2026-03-01T12:00:00Z.',
    },
  ],
  [of({ type: "wait", reply: false }), { "nodes.a.reply": 'The reply field of the node "a" must be true.' }],
  [of({ type: "wait", event: "contact.deleted" }), { "nodes.a.event": expect.stringContaining("must be one of") }],
  [
    of({ type: "wait", for: "1h", timout: "2d" }),
    { "nodes.a.timout": 'The timout field of the node "a" is unknown; there are type, for, next.' },
  ],
  [
    of({ type: "send_message", chanel_id: 1, body: " " }),
    {
      "nodes.a.channel_id": 'The channel_id field of the node "a" is required.',
      "nodes.a.body": 'The body field of the node "a" is required.',
      "nodes.a.chanel_id":
        'The chanel_id field of the node "a" is unknown; there are type, channel_id, body, subject, attachment_ids, at, on_error, next. Did you mean channel_id?',
    },
  ],
  [
    of({ type: "add_tag", tag: { id: 1 } }),
    { "nodes.a.tag": 'The tag field of the node "a" must be the name of a tag, or its id as a number.' },
  ],
  [
    of({ type: "update_contact", set: { compnay: "x", city: "Boston" } }),
    { "nodes.a.set.compnay": expect.stringMatching(/is unknown; there are first_name, .* Did you mean company\?$/) },
  ],
  [
    of({ type: "update_contact", set: {} }),
    { "nodes.a.set": 'The set field of the node "a" must name at least one field.' },
  ],
  [
    of({ type: "branch", when: filter }),
    { "nodes.a.then": 'The then field of the node "a" is required where there is no else.' },
  ],
  [of({ type: "goal" }), { "nodes.a.when": 'The when field of the node "a" is required.' }],
  [of({ type: "exit", next: 7 }), { "nodes.a.next": 'The next field of the node "a" is unknown; there are type.' }],
  [
    { entry: "a", trigger: { event: "form.submited" }, nodes: { a: exit } },
    { "trigger.event": expect.stringContaining("The trigger.event field must be one of") },
  ],
];

test.each(refused)("refuses %j", (value, errors) => {
  const expected = Object.fromEntries(Object.entries(errors).map(([field, sentence]) => [field, [sentence]]));
  expect(faultsOf(value)).toEqual(expected);
});

describe("what is too much of anything", () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, place) => [`n${place}`, exit]));

  test("as many nodes as a definition may have are read, and one more is told", () => {
    expect(faultsOf({ entry: "n0", nodes: many(limits.workflow.nodes) })).toEqual({});
    expect(faultsOf({ entry: "n0", nodes: many(limits.workflow.nodes + 1) })).toEqual({
      nodes: [`The nodes field must not have more than ${limits.workflow.nodes} nodes.`],
    });
  });

  test("a definition is refused by its size, its depth, half a character and NUL, before anything else is read", () => {
    let deep: unknown = [];
    for (let level = 0; level < 100_000; level++) deep = [deep];
    const texts: [unknown, RegExp][] = [
      [of({ type: "add_note", body: "x".repeat(limits.workflow.definitionBytes) }), /larger than 262144 bytes/],
      [of({ type: "goal", when: deep }), /nested at most \d+ levels deep/],
      [of({ type: "add_note", body: "\ud800" }), /valid Unicode/],
      [of({ type: "add_note", body: "a\0b" }), /NUL/],
    ];
    for (const [value, sentence] of texts) expect(faultsOf(value)["definition"]?.[0]).toMatch(sentence);
  });

  test("of endless faults the first hundred are told", () => {
    const unknown = Object.fromEntries(Array.from({ length: 20_000 }, (_, place) => [`x${place}`, 1]));
    expect(Object.keys(faultsOf({ ...unknown, entry: "a", nodes: { a: exit } }))).toHaveLength(100);
  });
});

test("a node leads where its fields say, and what every object has is no node", () => {
  const definition = readDefinition({
    entry: "ask",
    nodes: {
      ask: { type: "wait", reply: true, timeout: "1d", on_timeout: "call", next: "end" },
      call: { type: "webhook", url: "https://example.com", on_error: "end" },
      end: exit,
    },
  });
  expect(successorsOf(workflowNodes, definition.nodes["ask"]!)).toEqual([
    { field: "next", id: "end" },
    { field: "on_timeout", id: "call" },
  ]);
  expect(findNode(definition, "call")?.type).toBe("webhook");
  expect(findNode(definition, "toString")).toBeUndefined();
});
