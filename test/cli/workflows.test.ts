/** Workflows from the terminal: what is printed, what --json carries, what is refused. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { createTerminal, setUpAcme } from "../support/terminal.ts";
import type { Terminal } from "../support/terminal.ts";

const welcome = {
  $schema: "./workflow.schema.json",
  entry: "ask",
  trigger: { event: "form.submitted" },
  nodes: { ask: { type: "wait", reply: true, timeout: "2d", next: "note" }, note: { type: "add_note", body: "Hello" } },
};

describe("crm workflows", () => {
  let terminal: Terminal;
  const folder = mkdtempSync(join(tmpdir(), "crm-workflows-"));
  const file = (name: string, text: unknown) => {
    const path = join(folder, name);
    writeFileSync(path, typeof text === "string" ? text : JSON.stringify(text));
    return path;
  };
  const good = file("welcome.json", welcome);
  const dangling = file("dangling.json", { entry: "a", nodes: { a: { type: "add_note", body: "Hello", next: "b" } } });
  const twice = file("twice.json", '{\n  "entry": "a",\n  "nodes": {"a": {"type": "exit"},\n"a": {"type": "exit"}}\n}');
  const broken = file("broken.json", '{\n  "entry": "a",\n  "nodes": {,}\n}');

  beforeAll(async () => {
    terminal = await createTerminal("sqlite");
    await setUpAcme(terminal);
    await terminal.json("contacts", "create", "--first-name", "Ada", "--last-name", "Lovelace");
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await terminal?.close();
  });

  const moment = expect.stringMatching(/Z$/);
  const workflow = {
    id: 1,
    name: "Welcome",
    status: "draft",
    allow_reentry: false,
    version: null,
    trigger_event: null,
    created_at: moment,
    updated_at: moment,
  };
  const published = { ...workflow, name: "Hello", status: "published", version: 1, trigger_event: "form.submitted" };
  const run = {
    id: 1,
    workflow_id: 1,
    contact_id: 1,
    status: "active",
    current_node_id: "ask",
    wait_reason: "none",
    wake_at: null,
    ended_reason: null,
    enrolled_at: moment,
    completed_at: null,
  };
  const removed = { ...run, status: "canceled", ended_reason: "removed", completed_at: moment };
  const none = {
    started: 0,
    filtered: 0,
    reentered: 0,
    too_deep: 0,
    imported: 0,
    throttled: 0,
    without_contact: 0,
    automatic: 0,
  };
  const listed = { waiting_since: null, awaited_event: null, awaited_channel_id: null, error: null, attempts: 0 };
  const faults = { "nodes.a.next": ['The next field of the node "a" names "b", and there is no such node.'] };

  // In this order: each row stands on those before it.
  test.each([
    [["create", "Welcome", "--file", dangling], { ...workflow, warnings: [], faults }],
    [["update", "1", "--file", good, "--name", "Hello"], { ...workflow, name: "Hello", warnings: [], faults: {} }],
    [["publish", "1"], { ...published, warnings: [] }],
    [["list"], [{ ...published, last_7_days: none }]],
    [["enroll", "1", "--contact", "1", "--context", '{"plan":"pro"}'], run],
    [["runs", "1"], [{ ...run, ...listed }]],
    [["run", "1"], { ...run, ...listed, version: 1, trigger_event: null, context: { plan: "pro" }, steps: [] }],
    [
      ["show", "1"],
      {
        ...published,
        definition: withoutSchema(welcome),
        active_runs: { ask: 1 },
        has_secret: false,
        secrets: [],
        last_7_days: none,
      },
    ],
    [
      ["try", good, "--contact", "1", "--reply"],
      {
        steps: [
          { at: moment, node: "note", did: welcome.nodes.note },
          { at: moment, node: "note", ended: "finished" },
        ],
      },
    ],
    [["remove", "1", "--yes"], removed],
    [["runs", "1", "--status", "active"], []],
    [["runs", "1", "--contact", "1", "--limit", "1"], [{ ...removed, ...listed }]],
    [["retry", "--failed-since", "24h", "--workflow", "1"], { retried: 0, refused: {} }],
    [["enroll", "1", "--contact", "1"], { ...run, id: 2 }],
    [["unpublish", "1", "--yes"], { ...workflow, name: "Hello", ended: 1 }],
    [
      ["create", "Two", "--file", good, "--publish", "--allow-reentry"],
      {
        ...published,
        id: 2,
        name: "Two",
        allow_reentry: true,
        warnings: [],
      },
    ],
  ] as [string[], unknown][])("%j", async (parameters, expected) => {
    expect(await terminal.json("workflows", ...parameters)).toEqual(expected);
  });

  it("draws a workflow, and says what is wrong with a draft", async () => {
    const shown = await terminal.run(["workflows", "show", "2"]);
    expect(shown.stdout).toBe(`Workflow 2 (Two): published, version 1, started by form.submitted, with re-entry
form.submitted in the last 7 days: no event

● ask  wait for a reply, at most 2d
├─ reply:
│  ● note  add note "Hello"
│  └─ ends, finished
└─ after 2d: → note
`);
    const created = await terminal.run(["workflows", "create", "Draft", "--file", dangling]);
    expect(created.stdout).toBe(`Created workflow 3 (Draft). To use the draft, publish it: crm workflows publish 3
It cannot be published yet:
  ${faults["nodes.a.next"][0]}
`);
  });

  it("tells what a dry run would do, and when", async () => {
    const tried = await terminal.run(["workflows", "try", good, "--contact", "1"]);
    expect(tried.stdout.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "YYYY-MM-DD HH:MM")).toBe(
      `YYYY-MM-DD HH:MM  ask   waits for a reply until YYYY-MM-DD HH:MM
YYYY-MM-DD HH:MM  note  add note "Hello"
                  note  ends: finished
`,
    );
  });

  it("tells why an event does not start a workflow", async () => {
    const picky = file("picky.json", {
      ...welcome,
      trigger: { event: "form.submitted", filter: { "context.form": "Offer" } },
    });
    const event = file("event.json", { event: "form.submitted", contact_id: 1, data: { form: "Other" } });
    const tried = await terminal.run(["workflows", "try", picky, "--event", event]);
    expect(tried.stdout).toBe(`form.submitted, contact 1: does not start the workflow
  The filter does not match.
    context.form eq "Offer": it is "Other"
`);
    const of = await terminal.json("workflows", "try", "2", "--event", event);
    expect(of).toMatchObject({ trigger: { event: "form.submitted", starts: true, reasons: [], filter: [] } });
  });

  test.each([
    [["try", "2", "--event", "99"], 1, /--event must name an event of the location/],
    [["try", "2"], 2, /Name a contact with --contact, or an event with --event/],
    [["try", broken, "--contact", "1"], 2, /FILE from .*broken\.json is not valid JSON: .*line 3 column/],
    [["try", dangling, "--contact", "1"], 1, /next field of the node "a" names "b"/],
    [["create", "X", "--file", dangling, "--publish"], 1, /next field of the node "a" names "b"/],
    [["create", "X", "--file", broken], 2, /--file from .*broken\.json is not valid JSON: .*line 3 column/],
    [
      ["create", "X", "--file", twice],
      2,
      /--file from .*twice\.json has "a" twice in one object, the second time in line 4/,
    ],
    [["create", "X", "--file", "/no/such/file"], 2, /--file names the file "\/no\/such\/file", which cannot be read/],
    [["update", "2"], 2, /give at least one of --file/],
    [["update", "2", "--file", dangling, "--publish", "--name", "Y"], 1, /names "b"/],
    [["enroll", "2", "--contact", "1", "--context", "[]"], 1, /--context must be an object/],
    [["remove", "1", "--yes"], 1, /The run is over already/],
    [["remove", "2"], 2, /add --yes/],
    [["retry"], 2, /Name one run/],
    [["retry", "1", "--failed-since", "1h", "--workflow", "1"], 2, /Name one run/],
    [["retry", "--failed-since", "yesterday", "--workflow", "1"], 2, /expected a time such as/],
    [["retry", "1"], 1, /Only a failed run can be retried; this one is canceled/],
    [["show", "99"], 1, /no such workflow/],
  ])("%j is refused", async (parameters, code, sentence) => {
    const finished = await terminal.run(["workflows", ...parameters]);
    expect(finished).toMatchObject({ code, stdout: "" });
    expect(finished.stderr).toMatch(sentence);
  });

  it("left everything as it was where it refused", async () => {
    const listed = await terminal.json("workflows", "list");
    expect(listed).toMatchObject([{ name: "Hello" }, { name: "Two", version: 1 }, { name: "Draft" }]);
  });

  it("enrolls several contacts, and exits 1 if one is refused", async () => {
    const { code, stdout } = await terminal.run(["workflows", "enroll", "2", "--contact", "1", "--contact", "999"]);
    expect(stdout).toMatch(
      /^Enrolled contact 1 in workflow 2: run \d+\.\nContact 999 is refused: The contact id field/,
    );
    expect(code).toBe(1);
    const several = await terminal.json("workflows", "enroll", "2", "--contact", "1", "--contact", "1");
    expect(several).toMatchObject({ data: [{ status: 201, contact_id: 1, run: { workflow_id: 2 } }] });
  });
});

/** A version holds what it goes by. */
function withoutSchema({ entry, trigger, nodes }: typeof welcome): object {
  return { entry, trigger, nodes };
}

test("crm attachments upload brings the file of a workflow, which create refuses without one", async () => {
  const terminal = await createTerminal("sqlite");
  const folder = mkdtempSync(join(tmpdir(), "crm-workflow-files-"));
  const prices = join(folder, "prices.pdf");
  const file = join(folder, "offer.json");
  const writeOffer = (attachment_ids: readonly number[]) =>
    writeFileSync(
      file,
      JSON.stringify({
        entry: "offer",
        nodes: { offer: { type: "send_message", channel_id: 1, body: "Our prices", attachment_ids } },
      }),
    );
  try {
    await setUpAcme(terminal);
    await terminal.json("contacts", "create", "--first-name", "Ada", "--email", "ada@x.example");
    await terminal.json("channels", "create", "Desk", "--kind", "email", "--address", "desk@acme.example");
    writeFileSync(prices, "%PDF-1.4 prices");
    writeOffer([7]);
    const refused = await terminal.run(["workflows", "create", "Offer", "--file", file, "--publish"]);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('The attachment_ids field of the node "offer" must name attachments');
    const uploaded = await terminal.run(["attachments", "upload", prices]);
    expect(uploaded.stdout).toBe("Attachment 1: prices.pdf, 15 bytes.\n");
    writeOffer([1]);
    expect((await terminal.run(["workflows", "try", file, "--contact", "1"])).stdout).toContain("offer");
    await terminal.json("workflows", "create", "Offer", "--file", file, "--publish");
    expect((await terminal.run(["workflows", "show", "1"])).stdout).toContain(
      'send "Our prices" with a file on channel 1',
    );
    await terminal.json("workflows", "enroll", "1", "--contact", "1");
    await terminal.run(["worker", "--once"]);
    const sent = await terminal.run(["conversations", "show", "1"]);
    expect(sent.stdout).toContain("prices.pdf (15 bytes)");
  } finally {
    rmSync(folder, { recursive: true });
    await terminal.close();
  }
});
