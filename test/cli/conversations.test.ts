/** Conversations from the terminal: list, show, start, reply, assign, snooze, close and reopen. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { createTerminal, setUpAcme } from "../support/terminal.ts";
import type { Terminal } from "../support/terminal.ts";

describe.each(sampleOf("commands: conversations", 1, databaseKinds))("on %s", (kind) => {
  let terminal: Terminal;
  beforeAll(async () => {
    terminal = await createTerminal(kind);
    await setUpAcme(terminal);
    await terminal.json("contacts", "create", "--first-name", "Grace", "--email", "grace@x.example");
    await terminal.json("channels", "create", "Desk", "--kind", "email", "--address", "desk@x.example");
  });
  afterAll(() => terminal?.close());

  const conversation = (fields: object) =>
    expect.objectContaining({ id: 1, contact: expect.objectContaining({ id: 1 }), ...fields });
  // In this order: each row stands on those before it.
  test.each<[string[], unknown]>([
    [
      ["start", "1", "Good morning!", "--channel", "1", "--subject", "Prices"],
      { conversation: conversation({ subject: "Prices" }), message: expect.objectContaining({ status: "sent" }) },
    ],
    [["start", "1", "--channel", "1"], { conversation: conversation({}), message: null }],
    [["reply", "1", "She is in a hurry.", "--note"], expect.objectContaining({ kind: "note" })],
    [["list", "--search", "grac"], [conversation({ preview: "Good morning!" })]],
    [["list", "--status", "closed"], []],
    [
      ["snooze", "1", "--until", "2099-01-01T00:00:00Z"],
      conversation({ status: "snoozed", snoozed_until: "2099-01-01T00:00:00.000Z" }),
    ],
    [["assign", "1", "--user", "1"], conversation({ assignee: expect.objectContaining({ id: 1 }) })],
    [["assign", "1", "--unassign"], conversation({ assignee: null })],
    [["assign", "1", "--nobody"], conversation({ assignee: null })],
    [["reopen", "1"], conversation({ status: "open", snoozed_until: null })],
    [["read", "1"], conversation({ unread: false })],
    [["close", "1"], conversation({ status: "closed" })],
    [["show", "1"], { conversation: conversation({}), messages: [expect.anything(), expect.anything()] }],
  ])("%j", async (parameters, expected) => {
    expect(await terminal.json("conversations", ...parameters)).toEqual(expected);
  });

  test("shows a conversation as a person reads it, and a list in 80 columns", async () => {
    const piped = await terminal.run(["conversations", "reply", "1"], { input: "First line\nSecond line\n" });
    expect(piped).toMatchObject({ code: 0, stdout: "Message 3 in conversation 1 is sent.\n" });
    const { stdout } = await terminal.run(["conversations", "show", "1"]);
    expect(stdout.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "WHEN")).toBe(`Conversation 1 with Grace (1)
  email on Desk, closed, unassigned
  Prices

WHEN  we
    Good morning!

WHEN  we, note
    She is in a hurry.

WHEN  we
    First line
    Second line
`);
    const list = await terminal.run(["conversations", "list"]);
    expect(list.stdout).toBe(
      "id  contact    channel  status  unread  preview\n1   Grace (1)  Desk     closed  -       First line Second line\n",
    );
    const contact = await terminal.run(["contacts", "show", "1"]);
    expect(contact.stdout).toContain("conversation 1 on Desk: closed: First line Second line");
  });

  test.each<[string[], unknown]>([
    [["conversations", "start", "1", "--channel", "1"], expect.objectContaining({ message: null })],
    [["contacts", "list"], [expect.objectContaining({ name: "Grace" })]],
    [["keys", "create"], expect.objectContaining({ name: "API key" })],
  ])("what is piped in is no argument: %j", async (parameters, expected) => {
    const { stdout } = await terminal.run([...parameters, "--json"], { input: "the next line of a loop\n" });
    expect(JSON.parse(stdout)).toEqual(expected);
  });

  test.each<[string[], number, RegExp]>([
    [["show", "99"], 1, /no such conversation/],
    [["reply", "1", ""], 1, /BODY is required/],
    [["start", "99", "--channel", "1"], 1, /must name a contact of the location/],
    [["snooze", "1", "--until", "tomorrow"], 1, /must be a timestamp with an offset/],
    [["snooze", "1", "--for", "2 days"], 2, /--for is "2 days"/],
    [["list", "--status", "done"], 2, /open, snoozed, closed/],
    [["list", "--search", " "], 1, /--search must not be empty/],
    [["assign", "1"], 2, /give --user, --unassign or --contact/],
  ])("%j is refused", async (parameters, code, sentence) => {
    const finished = await terminal.run(["conversations", ...parameters]);
    expect(finished).toMatchObject({ code, stdout: "" });
    expect(finished.stderr).toMatch(sentence);
  });

  // The last of the file, since it takes the conversation away.
  test("remove asks, deletes a conversation with its messages, and says so", async () => {
    expect(await terminal.run(["conversations", "remove", "1"])).toMatchObject({
      code: 2,
      stderr: "Error: This would remove conversation 1 and its messages: add --yes to confirm.\n",
    });
    expect(await terminal.run(["conversations", "remove", "1", "--yes"])).toMatchObject({
      code: 0,
      stdout: "Removed conversation 1.\n",
    });
    expect(await terminal.run(["conversations", "show", "1"])).toMatchObject({
      code: 1,
      stderr: "Error: There is no such conversation.\n",
    });
  });

  test("a mail is sent with its HTML version from a file; one that cannot be read is refused before", async () => {
    const file = join(terminal.directory, "answer.html");
    writeFileSync(file, "<p>Our <b>prices</b></p>");
    const ada = await terminal.json("contacts", "create", "--first-name", "Ada", "--email", "ada@x.example");
    const { conversation } = await terminal.json("conversations", "start", String(ada.id), "--channel", "1");
    const reply = ["conversations", "reply", String(conversation.id), "Our prices", "--html"];
    expect(await terminal.json(...reply, file)).toMatchObject({ html: "<p>Our <b>prices</b></p>", body: "Our prices" });
    writeFileSync(file, "x".repeat(600_000));
    for (const [path, sentence] of [
      [file, "is longer than 196608 characters."],
      [terminal.directory, "cannot be read"],
    ] as const)
      expect(await terminal.run([...reply, path])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(sentence),
      });
  });
});
