/** A workflow as a drawing for a terminal. */
import { expect, test } from "vitest";
import { readDefinition } from "../../src/crm/workflows/definition/read-definition.ts";
import { drawGraph } from "../../terminal/output/workflows/graph.ts";

const exit = { type: "exit" };

const drawings: [what: string, nodes: Record<string, object>, runs: Record<string, number>, lines: string][] = [
  ["one node", { end: exit }, {}, "● end  exit"],
  [
    "one after the other, with how many stand there",
    {
      greet: { type: "send_message", channel_id: 3, body: "Hello\n  {{contact.first_name}}", next: "rest" },
      rest: { type: "wait", for: "1d", next: "mark" },
      mark: { type: "add_tag", tag: "VIP" },
    },
    { greet: 1, rest: 12_000 },
    `
● greet  send "Hello {{contact.first_name}}" on channel 3  [1 run]
│
● rest  wait 1d  [12,000 runs]
│
● mark  add tag "VIP"
└─ ends, finished`,
  ],
  [
    "ways that part, meet and go back",
    {
      ask: { type: "wait", reply: true, timeout: "2d", on_timeout: "who", next: "met" },
      who: { type: "branch", when: { tag: "VIP" }, then: "met", else: "again" },
      again: { type: "wait", until: "2026-03-01T12:00:00Z", next: "ask" },
      met: { type: "goal", when: { stage_kind: "won" }, next: "post" },
      post: { type: "webhook", url: "https://example.com/hook", on_error: "note" },
      note: { type: "add_note", body: "x".repeat(100), next: "end" },
      end: exit,
    },
    {},
    `
● ask  wait for a reply, at most 2d
├─ reply:
│  ● met  goal {"stage_kind":"won"}
│  │
│  ● post  post to https://example.com/hook
│  ├─ posted: ends, finished
│  └─ failed:
│     ● note  add note "${"x".repeat(59)}…"
│     │
│     ● end  exit
└─ after 2d:
   ● who  branch by {"tag":"VIP"}
   ├─ then: → met
   └─ else:
      ● again  wait until 2026-03-01T12:00:00Z
      └─ → ask`,
  ],
  [
    "a wait that nothing ends but what it waits for",
    { hear: { type: "wait", event: "form.submitted" } },
    {},
    `
● hear  wait for form.submitted
└─ ends, finished`,
  ],
  [
    "texts that would move the cursor",
    { a: { type: "create_task", title: "\u001B[2J\u202Eevil" } },
    {},
    `
● a  create task " [2Jevil"
└─ ends, finished`,
  ],
];

test.each(drawings)("%s", (_what, nodes, runs, lines) => {
  const definition = readDefinition({ entry: Object.keys(nodes)[0], nodes });
  expect(drawGraph(definition, new Map(Object.entries(runs))).join("\n")).toBe(lines.trimStart());
});
