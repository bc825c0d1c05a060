/** What is wrong with a definition that reads: where its nodes lead, what its texts and filters say. */
import { expect, test } from "vitest";
import { judgeContents } from "../../src/crm/workflows/checks/contents.ts";
import { toFieldErrors } from "../../src/crm/workflows/checks/faults.ts";
import { judgeGraph } from "../../src/crm/workflows/checks/graph.ts";
import { readDefinition } from "../../src/crm/workflows/definition/read-definition.ts";
import { workflowNodes } from "../../src/crm/workflows/nodes/all.ts";
import type { EventName } from "../../src/vocabulary/events.ts";
import { limits } from "../../src/vocabulary/limits.ts";

const exit = { type: "exit" };
const note = (next?: string) => ({ type: "add_note", body: "Hello", ...(next === undefined ? {} : { next }) });
const pause = (next: string) => ({ type: "wait", for: "1h", next });

type Nodes = Record<string, object>;

/** Entry is the first node. */
function define(nodes: Nodes, trigger?: object) {
  return readDefinition({ entry: Object.keys(nodes)[0], nodes, ...(trigger === undefined ? {} : { trigger }) });
}

const graphs: [what: string, nodes: Nodes, faults: Record<string, string>][] = [
  ["a path to the end", { a: note("b"), b: pause("c"), c: exit }, {}],
  ["a loop with a wait", { a: note("b"), b: pause("a") }, {}],
  ["a loop that waits for a reply", { a: note("b"), b: { type: "wait", reply: true, next: "a" } }, {}],
  [
    "a loop by a timeout",
    { a: note("b"), b: { type: "wait", event: "form.submitted", timeout: "1d", on_timeout: "a" } },
    {},
  ],
  [
    "a node that two paths lead to",
    { a: { type: "branch", when: {}, then: "b", else: "c" }, b: note("c"), c: exit },
    {},
  ],
  [
    "a next that is no node",
    { greet: note("wait_for_repli"), wait_for_reply: pause("greet") },
    {
      "nodes.greet.next":
        'The next field of the node "greet" names "wait_for_repli", and there is no such node. Did you mean wait_for_reply?',
      "nodes.wait_for_reply": 'The node "wait_for_reply" is unreachable: no path from the entry leads to it.',
    },
  ],
  [
    "a member that every object has",
    { a: note("toString") },
    { "nodes.a.next": 'The next field of the node "a" names "toString", and there is no such node.' },
  ],
  [
    "every field that leads somewhere",
    {
      a: { type: "branch", when: {}, then: "x1", else: "b" },
      b: { type: "webhook", url: "https://example.com", on_error: "x2", next: "c" },
      c: { type: "wait", reply: true, timeout: "1d", on_timeout: "x3", next: "d" },
      d: { type: "goal", when: {}, next: "x4" },
    },
    Object.fromEntries(
      [
        ["a", "then", "x1"],
        ["b", "on_error", "x2"],
        ["c", "on_timeout", "x3"],
        ["d", "next", "x4"],
      ].map(([id, field, target]) => [
        `nodes.${id}.${field}`,
        `The ${field} field of the node "${id}" names "${target}", and there is no such node.`,
      ]),
    ),
  ],
  [
    "a case and a weight that are no nodes",
    {
      a: {
        type: "branch",
        cases: [
          { when: {}, next: "b" },
          { when: {}, next: "x1" },
        ],
      },
      b: { type: "split", weights: { x2: 1 } },
    },
    {
      "nodes.a.cases.1.next": 'The cases.1.next field of the node "a" names "x1", and there is no such node.',
      "nodes.b.weights.x2": 'The weights.x2 field of the node "b" names "x2", and there is no such node.',
    },
  ],
  [
    "a loop whose only wait is an open window",
    { a: { type: "wait", window: { from: "09:00", to: "18:00" }, next: "b" }, b: note("a") },
    { "nodes.a": 'The node "a" is part of a loop without a timed wait: a → b → a.' },
  ],
  ["a daily loop", { a: { type: "wait", at: "09:00", next: "b" }, b: note("a") }, {}],
  [
    "a loop without a wait",
    { a: note("b"), b: { type: "branch", when: {}, then: "a", else: "c" }, c: exit },
    { "nodes.a": 'The node "a" is part of a loop without a timed wait: a → b → a.' },
  ],
  [
    "a node that leads to itself",
    { a: note("a") },
    { "nodes.a": 'The node "a" is part of a loop without a timed wait: a → a.' },
  ],
  [
    "a loop that sends again whatever is refused",
    { a: note("b"), b: { type: "wait", event: "message.failed", timeout: "1d", next: "a", on_timeout: "c" }, c: exit },
    { "nodes.a": 'The node "a" is part of a loop without a timed wait: a → b → a.' },
  ],
  [
    "a loop whose only wait ends once and for all",
    { a: { type: "wait", until: "2026-03-01T12:00:00Z", next: "b" }, b: note("a") },
    { "nodes.a": 'The node "a" is part of a loop without a timed wait: a → b → a.' },
  ],
  [
    "an island with a loop",
    { a: exit, b: note("c"), c: note("b") },
    {
      "nodes.b": 'The node "b" is unreachable: no path from the entry leads to it.',
      "nodes.c": 'The node "c" is unreachable: no path from the entry leads to it.',
    },
  ],
];

test.each(graphs)("%s", (_what, nodes, faults) => {
  const errors = toFieldErrors(judgeGraph(workflowNodes, define(nodes)));
  expect(Object.fromEntries(Object.entries(errors).map(([place, [first]]) => [place, first]))).toEqual(faults);
});

test("an entry that names no node is told, and not that every node is unreachable", () => {
  const definition = readDefinition({ entry: "b", nodes: { a: exit } });
  expect(toFieldErrors(judgeGraph(workflowNodes, definition))).toEqual({
    entry: ['The entry field names "b", and there is no such node.'],
  });
});

test("the longest possible path is checked", () => {
  const ids = Array.from({ length: limits.workflow.nodes }, (_, place) => `n${place}`);
  const nodes = Object.fromEntries(ids.map((id, place) => [id, note(ids[(place + 1) % ids.length])]));
  expect(judgeGraph(workflowNodes, define(nodes))).toHaveLength(1);
});

test("each of many links to no node is told", () => {
  const ids = Array.from({ length: limits.workflow.nodes }, (_, place) => `n${place}`);
  const nodes = Object.fromEntries(ids.map((id) => [id, { type: "branch", when: {}, then: `${id}x`, else: `${id}y` }]));
  const dangling = judgeGraph(workflowNodes, define(nodes)).filter(({ predicate }) =>
    predicate.includes("no such node"),
  );
  expect(dangling).toHaveLength(2 * limits.workflow.nodes);
});

const texts: [text: string, faults: string[], warnings: string[]][] = [
  ["Hello {{contact.first_name}} of {{ contact.company }}, {{context.form.title}} {{contact.owner.name}}", [], []],
  [
    "{{contact.phone}}",
    [],
    ["names {{contact.phone}}, which is always empty. Did you mean {{contact.phone_display}}?"],
  ],
  ["{{name}}", [], ["names {{name}}, which is always empty."]],
  ["{{}} {{context}} {{context.}}", [], ["names {{}}", "names {{context}}", "names {{context.}}"]],
  ["{{contact.tags}}", [], ["names {{contact.tags}}, which is always empty."]],
  ["{{contact.first_name}", [], ["opens a template with {{ and never closes it."]],
  ["{{contact.{{context.field}}}}", ["puts one template into another, and only one can be filled."], []],
  ["{".repeat(60_000), ["puts one template into another, and only one can be filled."], []],
  ["{{a ".repeat(15_000), ["puts one template into another, and only one can be filled."], []],
  [`{{${"a ".repeat(30_000)}`, [], ["opens a template with {{ and never closes it."]],
];

test.each(texts)("the text %.40s", (body, faults, warnings) => {
  const judged = judgeContents(workflowNodes, define({ a: { type: "add_note", body } }));
  expect(judged.faults).toEqual(faults.map((predicate) => ({ place: "nodes.a.body", predicate })));
  expect(judged.warnings).toMatchObject(
    warnings.map((predicate) => ({ place: "nodes.a.body", predicate: expect.stringContaining(predicate) })),
  );
});

test.each(["https://example.com/?city={{contact.city}}", "https://{{context.host}}/", "https://example.com/{{x"])(
  "the URL %s is refused: it would be sent as it stands",
  (url) => {
    const { faults } = judgeContents(workflowNodes, define({ post: { type: "webhook", url } }));
    expect(faults).toEqual([{ place: "nodes.post.url", predicate: expect.stringMatching(/^must not contain \{\{/) }]);
  },
);

test("of endless names that nobody has the first ten are told", () => {
  const body = Array.from({ length: 3000 }, (_, place) => `{{contact.x${place}}}`).join("");
  expect(judgeContents(workflowNodes, define({ a: { type: "add_note", body } })).warnings).toHaveLength(10);
});

const filters: [filter: unknown, predicate: string | undefined][] = [
  [[{ field: "tag", op: "eq", value: "VIP" }], undefined],
  [
    [
      {
        any: [
          { field: "context.form.plan", op: "in", value: ["pro", 2] },
          { field: "city", op: "eq", value: "Boston" },
        ],
      },
    ],
    undefined,
  ],
  [{ "context.plan": null }, undefined],
  [{ "context.plan": "pro" }, undefined],
  [[{ field: "context.age", op: "gte", value: 18 }], undefined],
  ["VIP", "must be JSON"],
  [{ shoe_size: 44 }, 'names the field "shoe_size"; there are'],
  [{ context: "pro" }, "context.KEY."],
  [{ "context.": "pro" }, 'names the field "context."'],
  [[{ field: "context.plan", op: "like", value: "pro" }], 'compares context.plan by "like"; it takes eq,'],
  [[{ field: "context.plan", op: "in", value: [] }], "compares context.plan by in, which takes a list of 1 to 100"],
  [[{ field: "context.plan", op: "eq", value: {} }], "compares context.plan with {}"],
  [[{ field: "context.plan", op: "is_null", value: 1 }], "compares context.plan by is_null with 1"],
  [
    Array.from({ length: 21 }, () => ({ field: "context.plan", op: "eq", value: 1 })),
    "must not hold more than 20 conditions",
  ],
];

test.each(filters)("the filter %j", (when, predicate) => {
  const { faults } = judgeContents(
    workflowNodes,
    define(
      { a: { type: "branch", when, then: "b" }, b: { type: "goal", when } },
      { event: "form.submitted", filter: when },
    ),
  );
  const places = predicate === undefined ? [] : ["trigger.filter", "nodes.a.when", "nodes.b.when"];
  expect(faults).toEqual(places.map((place) => ({ place, predicate: expect.stringContaining(predicate ?? "") })));
});

test("what is set on a contact is judged as PATCH does, unless nobody knows yet what it becomes", () => {
  const set = {
    email: "nobody",
    timezone: "Mars",
    company: "x".repeat(300),
    state: "{{context.state}}",
    first_name: "{{x}}",
  };
  const { faults, warnings } = judgeContents(workflowNodes, define({ a: { type: "update_contact", set } }));
  expect(toFieldErrors(faults)).toEqual({
    "nodes.a.set.email": ['The set.email field of the node "a" must be a valid email address.'],
    "nodes.a.set.timezone": [
      'The set.timezone field of the node "a" must be an IANA time zone name, such as America/New_York.',
    ],
    "nodes.a.set.company": ['The set.company field of the node "a" must not be longer than 255 characters.'],
  });
  expect(warnings).toMatchObject([{ place: "nodes.a.set.first_name" }]);
});

/** The members of an event that a trigger filter names, and those of which publishing warns. */
const triggers: [event: EventName, members: readonly string[], warned: readonly string[]][] = [
  ["message.received", ["body", "channel.id", "channel.kind", "contact.name"], []],
  ["message.received", ["text", "channel.color", "channel.kind.id"], ["text", "channel.color", "channel.kind.id"]],
  ["contact.updated", ["changes", "first_name", "form"], ["form"]],
  // The data of a reported event is that of the tool that reports it.
  ["form.submitted", ["form", "answers.city"], []],
];
test.each(triggers)("a trigger filter of %s that names %j", (event, members, warned) => {
  const filter = members.map((member) => ({ field: `context.${member}`, op: "eq", value: "x" }));
  const definition = readDefinition({ entry: "a", trigger: { event, filter }, nodes: { a: { type: "exit" } } });
  const { faults, warnings } = judgeContents(workflowNodes, definition);
  expect([faults, warnings]).toEqual([
    [],
    warned.map((member) => ({
      place: "trigger.filter",
      predicate: expect.stringContaining(`names context.${member}, which ${event} does not have`),
    })),
  ]);
});
