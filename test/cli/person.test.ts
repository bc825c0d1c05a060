/** `crm contacts dossier` and `crm contacts forget`: what is known of a person, given out and removed. */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readArchive } from "../support/archive.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { createTerminal, setUpAcme } from "../support/terminal.ts";
import type { Terminal } from "../support/terminal.ts";

describe.each(sampleOf("commands: a person", 1, databaseKinds))("on %s", (kind) => {
  let terminal: Terminal;
  beforeAll(async () => {
    terminal = await createTerminal(kind);
    await setUpAcme(terminal);
    await terminal.json("contacts", "create", "--first-name", "Grace", "--email", "grace@x.example");
    await terminal.json("contacts", "create", "--first-name", "Gracie", "--company", "Looms");
    await terminal.json("contacts", "note", "1", "Calls on Mondays.");
    await terminal.json("channels", "create", "Desk", "--kind", "email", "--address", "desk@x.example");
    writeFileSync(join(terminal.directory, "prices.txt"), "1 EUR");
    await terminal.json("conversations", "start", "1", "Good morning!", "--channel", "1");
    await terminal.json(
      "conversations",
      "reply",
      "1",
      "Our prices",
      "--attach",
      join(terminal.directory, "prices.txt"),
    );
    await terminal.json("contacts", "merge", "1", "2", "--yes");
  });
  afterAll(() => terminal?.close());

  test("a dossier holds the records of all contacts, the messages and the files", async () => {
    const file = join(terminal.directory, "grace.zip");
    expect(await terminal.json("contacts", "dossier", "2", file)).toEqual({
      file,
      contact_ids: [1, 2],
      unread_files: [],
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const files = readArchive(readFileSync(file));
    const read = (name: string) => JSON.parse(files[name]!);
    expect(read("contacts.json")).toMatchObject([
      { id: 1, email: "grace@x.example" },
      { id: 2, first_name: "Gracie", company: "Looms" },
    ]);
    expect(read("notes.json")).toMatchObject([{ body: "Calls on Mondays." }]);
    expect(read("conversations/1.json")).toMatchObject([{ body: "Our prices" }, { body: "Good morning!" }]);
    expect(files["files/1-prices.txt"]).toBe("1 EUR");
    expect(read("events.json").map((event: { kind: string }) => event.kind)).toContain("contact.created");
    expect(await terminal.json("audit", "list", "--operation", "openDossier")).toMatchObject([{ subject: { id: 1 } }]);
  });

  test.each([
    [["1", "grace.zip"], 1, "exists already: choose another name."],
    [["1", "none/grace.zip"], 1, "grace.zip cannot be written (ENOENT)."],
    [["99", "other.zip"], 1, "contact"],
    [["1", "--json"], 2, "--json needs a file"],
  ])("a dossier of %j is refused", async ([id, ...rest], code, sentence) => {
    const parameters = rest.map((one) => (one.endsWith(".zip") ? join(terminal.directory, one) : one));
    const refused = await terminal.run(["contacts", "dossier", id!, ...parameters]);
    expect(refused.code).toBe(code);
    expect(refused.stdout + refused.stderr).toContain(sentence);
  });

  test("a person is forgotten after a confirmation, and repeating it shows the receipt", async () => {
    const refused = await terminal.run(["contacts", "forget", "2"]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("add --yes to confirm") });
    const receipt = await terminal.json("contacts", "forget", "2", "--yes");
    expect(receipt).toMatchObject({
      contact_id: 1,
      contact_ids: [1, 2],
      status: "done",
      removed: { contacts: 2, notes: 1, messages: 2, files: 1, conversations: 1 },
    });
    const again = await terminal.run(["contacts", "forget", "1", "--yes"]);
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("Forgot the person of contact 1.") });
    expect(await terminal.json("contacts", "list")).toEqual([]);
    expect(await terminal.json("audit", "list", "--operation", "contactForgotten")).toMatchObject([
      { subject: { type: "contact", id: 1 }, details: { removed: receipt.removed } },
    ]);
  });
});
