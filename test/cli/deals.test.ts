/** Opportunities, tasks, notes and tags of a contact from the terminal: what is printed, what --json carries, what is refused. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTerminal, setUpAcme } from "../support/terminal.ts";
import type { Terminal } from "../support/terminal.ts";

describe("deals", () => {
  let terminal: Terminal;
  beforeAll(async () => {
    terminal = await createTerminal("sqlite");
    await setUpAcme(terminal);
    await terminal.json("locations", "update", "1", "--timezone", "America/New_York");
    await terminal.json("contacts", "create", "--first-name", "Grace", "--last-name", "Hopper");
  });
  afterAll(() => terminal?.close());

  const grace = { id: 1, name: "Grace Hopper" };

  // In this order: each row stands on those before it.
  test.each<[string[], string, object]>([
    [
      ["opportunities", "create", "--contact", "1", "--name", "Harbour survey", "--value", "12,500.00"],
      "Created opportunity 1 (Harbour survey): Qualification, 12,500.00.",
      { id: 1, contact: grace, name: "Harbour survey", value_cents: 1_250_000, status: "open" },
    ],
    [
      ["opportunities", "create", "--contact", "1", "--stage", "LOST", "--lost-reason", "Too late"],
      "Created opportunity 2: Lost, 0.00, Too late.",
      { id: 2, name: null, value_cents: 0, status: "lost", lost_reason: "Too late" },
    ],
    [
      ["opportunities", "move", "1", "negotiation"],
      "Moved opportunity 1 (Harbour survey): Negotiation, 12,500.00.",
      { id: 1, stage: { id: 3, name: "Negotiation", kind: "open", color: null } },
    ],
    [
      ["opportunities", "move", "1", "4"],
      "Moved opportunity 1 (Harbour survey): Won, 12,500.00.",
      { id: 1, status: "won" },
    ],
    [
      ["opportunities", "update", "1", "--value", "9", "--name", ""],
      "Updated opportunity 1: Won, 9.00.",
      { id: 1, name: null, value_cents: 900 },
    ],
    [
      ["tasks", "add", "Send the offer", "--contact", "1", "--due", "2020-03-02T17:00"],
      "Added task 1 (Send the offer), due 2020-03-02 17:00.",
      { id: 1, contact: grace, title: "Send the offer", due_at: "2020-03-02T22:00:00.000Z", overdue: true },
    ],
    [["tasks", "add", "Water the plants"], "Added task 2 (Water the plants).", { id: 2, contact: null, due_at: null }],
    [
      ["tasks", "done", "1"],
      "Completed task 1 (Send the offer).",
      { id: 1, completed_at: expect.stringMatching(/Z$/), overdue: false },
    ],
    [
      ["tasks", "update", "2", "--title", "Water them", "--due", "2030-03-02", "--assignee-user-id", "1"],
      "Updated task 2 (Water them), due 2030-03-02 23:59.",
      { id: 2, title: "Water them", assignee: { id: 1 } },
    ],
    [
      ["tasks", "update", "2", "--due", "", "--unassign", "--title", "Water the plants"],
      "Updated task 2 (Water the plants).",
      { id: 2, due_at: null, assignee: null },
    ],
    [["tasks", "reopen", "1"], "Reopened task 1 (Send the offer).", { id: 1, completed_at: null }],
    [["contacts", "note", "1", "Asked for a price list", "--pinned"], "Added note 1 to contact 1.", { id: 1 }],
    [["notes", "update", "1", "1", "--body", "Wants\ntwo", "--no-pinned"], "Updated note 1 of contact 1.", { id: 1 }],
    [["tags", "create", "VIP"], "Created tag 1 (VIP).", { id: 1 }],
    [["contacts", "tag", "1", "vip"], "Contact 1 (Grace Hopper) has the tag VIP.", { id: 1, tags: [{ name: "VIP" }] }],
  ])("crm %j", async (parameters, says, carries) => {
    // Once for people, and for programs once more where that changes nothing that follows.
    const { code, stdout, stderr } = await terminal.run(parameters);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${says}\n`, stderr: "" });
    const [noun, verb] = parameters;
    const id = (carries as { id: number }).id;
    if (noun === "opportunities") expect(await terminal.json(noun, "show", String(id))).toMatchObject(carries);
    else if (!["add", "note", "create"].includes(verb!))
      expect(await terminal.json(...parameters)).toMatchObject(carries);
  });

  test("lists for people", async () => {
    const listed = async (...parameters: string[]) => (await terminal.run(parameters)).stdout;
    expect(await listed("opportunities", "list")).toBe(
      "id  name  contact           stage  value  owner\n" +
        "2   -     Grace Hopper (1)  Lost   0.00   -\n" +
        "1   -     Grace Hopper (1)  Won    9.00   -\n",
    );
    expect(await listed("tasks", "list")).toBe(
      "id  due                 title             contact           assignee\n" +
        "1   2020-03-02 17:00 !  Send the offer    Grace Hopper (1)  -\n" +
        "2   -                   Water the plants  -                 -\n",
    );
    expect(await listed("opportunities", "show", "2")).toContain("Opportunity 2\n");
    expect(await listed("tasks", "show", "1")).toMatch(
      /^Task 1: Send the offer, overdue\n  contact: Grace Hopper \(1\)\n  due at: 2020-03-02 17:00\n  created at: .+\n$/,
    );
    expect(await listed("notes", "list", "1")).toMatch(
      /^id  pinned  added +by  note\n1   -       .+  -   Wants two\n$/,
    );
    expect(await listed("notes", "show", "1", "1")).toMatch(
      /^Note 1\n  added at: .+\n  changed at: .+\n\nWants\ntwo\n$/,
    );
    const shown = await listed("contacts", "show", "1");
    expect(shown).toContain("\n  stage: Lost, 0.00\n");
    expect(shown).toContain("\n  opportunity 2: Lost, 0.00, Too late\n  opportunity 1: Won, 9.00\n");
    expect(shown).toContain("\n  task 1: Send the offer, due 2020-03-02 17:00, overdue\n");
  });

  test.each([
    [["opportunities", "list", "--status", "won"], [1]],
    [["opportunities", "list", "--stage", "Lost", "--contact", "1"], [2]],
    [["opportunities", "list", "--limit", "1"], [2]],
    [["tasks", "list", "--overdue"], [1]],
    [["tasks", "list", "--completed"], []],
    [["tasks", "list", "--contact", "1"], [1]],
  ])("crm %j --json gives those with the ids %j", async (parameters, ids) => {
    expect((await terminal.json(...parameters)).map(({ id }: { id: number }) => id)).toEqual(ids);
  });

  test.each([
    [["opportunities", "move", "1", "Lost"], 1, "--lost-reason is required when the stage is a lost one."],
    [
      ["opportunities", "move", "1", "Nowhere"],
      2,
      'There is no stage "Nowhere"; there are Qualification (1), Proposal (2), Negotiation (3), Won (4), Lost (5).',
    ],
    [["opportunities", "move", "77", "Won"], 1, "There is no such opportunity."],
    [["opportunities", "show", "77"], 1, "There is no such opportunity."],
    [["opportunities", "create", "--contact", "77"], 1, "--contact must name a contact of the location."],
    [
      ["opportunities", "update", "1", "--value", "12.5"],
      2,
      '--value is "12.5"; expected an amount such as 12500 or 12,500.00.',
    ],
    [["opportunities", "update", "1"], 2, "Nothing to change: give at least one field, such as --value."],
    [
      ["opportunities", "list", "--pipeline", "7", "--stage", "Won"],
      2,
      "There is no such pipeline; there are Sales (1).",
    ],
    [["tasks", "done", "77"], 1, "There is no such task."],
    [["tasks", "update", "1"], 2, "Nothing to change: give --title, --due, --assignee-user-id or --unassign."],
    [
      ["tasks", "update", "1", "--assignee-user-id", "77"],
      1,
      "--assignee-user-id must name a person who has access to the location.",
    ],
    [["tasks", "remove", "1"], 2, "This would remove task 1: add --yes to confirm."],
    [["tasks", "remove", "77", "--yes"], 1, "There is no such task."],
    [["opportunities", "remove", "1"], 2, "This would remove opportunity 1: add --yes to confirm."],
    [["notes", "remove", "1", "1"], 2, "This would remove note 1 of contact 1: add --yes to confirm."],
    [["notes", "show", "1", "77"], 1, "There is no such note."],
    [["notes", "update", "1", "1"], 2, "Nothing to change: give --body, --pinned or --no-pinned."],
    [["contacts", "tag", "1", "nobody"], 1, "There is no such tag."],
    [["attachments", "upload", "prices"], 2, "There is no file prices."],
    [
      ["tasks", "add", "x", "--due", "tomorrow"],
      1,
      "--due must be an ISO 8601 time such as 2026-03-01T12:00:00Z or 2026-03-01T12:00, or a date such as 2026-03-01.",
    ],
  ])("crm %j exits %i with one sentence", async (parameters, code, sentence) => {
    expect(await terminal.run(parameters)).toMatchObject({ code, stdout: "", stderr: `Error: ${sentence}\n` });
  });

  test("a stage that two pipelines have needs to be told from which", async () => {
    await terminal.json("pipelines", "create", "Repairs", "--stage", "Won:won");
    expect(await terminal.run(["opportunities", "list", "--stage", "Won"])).toMatchObject({
      code: 2,
      stderr: 'Error: "Won" is a stage of several pipelines; choose one with --pipeline: Sales (1), Repairs (2).\n',
    });
    const moved = await terminal.json("opportunities", "move", "1", "Won", "--pipeline", "2");
    expect(moved.pipeline).toEqual({ id: 2, name: "Repairs" });
  });

  test("a pipeline is renamed, loses a stage to another one, and goes once it is empty", async () => {
    const made = await terminal.json("pipelines", "create", "Rent", "--stage", "Asked", "--stage", "Let:won");
    const [asked, let_] = made.stages;
    const id = String(made.id);
    expect(
      await terminal.json("pipelines", "update", id, "--name", "Rents", "--stage", "let", "--stage", "Viewed"),
    ).toEqual({
      id: made.id,
      name: "Rents",
      stages: [
        { ...let_, name: "let" },
        { id: expect.any(Number), name: "Viewed", kind: "open", color: null },
      ],
    });
    const usage = await terminal.run(["pipelines", "update", id, "--stage", `${asked.id}=Gone`]);
    expect(usage).toMatchObject({ code: 2, stderr: expect.stringContaining("the pipeline has no stage") });
    expect(await terminal.json("pipelines", "remove", id, "--yes")).toEqual({ id: made.id, removed: true });
  });

  // In this order: the last of the file, since each takes something away.
  test.each([
    [["contacts", "untag", "1", "VIP"], "Contact 1 (Grace Hopper) no longer has the tag VIP."],
    [["notes", "remove", "1", "1", "--yes"], "Removed note 1 of contact 1."],
    [["tasks", "remove", "1", "--yes"], "Removed task 1."],
    [["opportunities", "remove", "2", "--yes"], "Removed opportunity 2."],
  ])("crm %j takes it away", async (parameters, says) => {
    expect(await terminal.run(parameters)).toEqual(
      expect.objectContaining({ code: 0, stdout: `${says}\n`, stderr: "" }),
    );
  });

  test("what was taken away is gone from the contact", async () => {
    expect(await terminal.run(["contacts", "untag", "1", "VIP"])).toMatchObject({
      code: 1,
      stderr: "Error: Contact 1 does not have the tag VIP.\n",
    });
    const { tags, notes, tasks, opportunities } = await terminal.json("contacts", "show", "1");
    expect({ tags, notes, tasks }).toEqual({ tags: [], notes: [], tasks: [] });
    expect((await terminal.run(["notes", "list", "1"])).stdout).toBe(
      "No notes yet. Add one: crm contacts note 1 TEXT\n",
    );
    expect(opportunities.map(({ id }: { id: number }) => id)).toEqual([1]);
  });
});
