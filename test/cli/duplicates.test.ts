/** Duplicates and custom fields from the terminal: found, merged, and their values given and shown by type. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { createTerminal, setUpAcme } from "../support/terminal.ts";
import type { Terminal } from "../support/terminal.ts";

describe.each(sampleOf("commands: duplicates", 1, databaseKinds))("contacts on %s", (kind) => {
  let terminal: Terminal;
  beforeAll(async () => {
    terminal = await createTerminal(kind);
    await setUpAcme(terminal);
    const fields = [
      ["Plan", "select", "--option", "Basic", "--option", "Pro"],
      ["Zone", "text"],
      ["Berth", "number"],
    ];
    for (const [name, type, ...more] of fields)
      await terminal.json("fields", "create", name!, "--on", "contact", "--type", type!, ...more);
    await terminal.json("fields", "create", "Risk", "--on", "opportunity", "--type", "boolean");
  });
  afterAll(() => terminal?.close());

  it("prints groups of duplicates, and merges two of them for good", async () => {
    const ada = ["contacts", "create", "--first-name", "Ada", "--last-name", "Lovelace"];
    const one = await terminal.json(...ada, "--email", "ada@example.com", "--field", "plan=pro");
    const other = await terminal.json(
      ...ada,
      "--email",
      "ADA@example.com",
      "--field",
      "zone=7",
      "--field",
      "plan=Basic",
    );
    const groups = await terminal.json("contacts", "duplicates");
    expect(groups).toMatchObject([{ reason: "email", contacts: [{ id: other.id }, { id: one.id }] }]);
    const { stdout } = await terminal.run(["contacts", "duplicates"]);
    expect(stdout).toMatch(/email +2 +Ada Lovelace[^]*Merge two of them: crm contacts merge ID OTHER/);

    const [id, otherId] = [String(one.id), String(other.id)];
    // Asks, and nothing answers.
    expect(await terminal.run(["contacts", "merge", id, otherId])).toMatchObject({ code: 2 });
    const merged = await terminal.run(["contacts", "merge", id, otherId, "--yes"]);
    expect(merged).toMatchObject({
      code: 0,
      stdout: `Merged contact ${otherId} into contact ${id} (Ada Lovelace).\n`,
    });
    const shown = await terminal.json("contacts", "show", otherId);
    expect(shown).toMatchObject({ id: one.id, custom_fields: { plan: "Pro", zone: "7", berth: null } });
    expect(await terminal.json("contacts", "duplicates")).toEqual([]);
    expect(await terminal.run(["contacts", "duplicates"])).toMatchObject({ stdout: "No duplicates.\n" });
    expect(await terminal.run(["contacts", "merge", id, id, "--yes"])).toMatchObject({ code: 1 });
    expect(await terminal.run(["contacts", "merge", id, "999", "--yes"])).toMatchObject({ code: 1 });
  });

  it("takes custom values by the type of their field, clears them, and shows them", async () => {
    const { id } = await terminal.json("contacts", "create", "--first-name", "Mary", "--field", "berth=7.5");
    const update = (...flags: string[]) => terminal.json("contacts", "update", String(id), ...flags);
    expect(await update("--field", "zone=8", "--field", "plan=basic")).toMatchObject({
      custom_fields: { plan: "Basic", zone: "8", berth: 7.5 },
    });
    expect((await terminal.run(["contacts", "show", String(id)])).stdout).toMatch(/ {2}zone: 8\n {2}berth: 7\.5\n/);
    expect(await terminal.json("contacts", "list", "--filter", "custom.zone=8")).toMatchObject([{ id }]);
    expect(await terminal.json("contacts", "list", "--filter", "custom.berth:gt=7")).toMatchObject([{ id }]);
    expect(await update("--field", "zone=")).toMatchObject({ custom_fields: { zone: null } });
    expect(await terminal.run(["contacts", "update", String(id), "--field", "berth=wide"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("must be a number"),
    });
    expect(await terminal.run(["contacts", "update", String(id), "--field", "berth"])).toMatchObject({
      code: 2,
      stderr: 'Error: --field is "berth"; expected KEY=VALUE, such as plan=Pro.\n',
    });
    expect(await terminal.run(["contacts", "list", "--filter", "custom.berth=wide"])).toMatchObject({ code: 2 });

    const deal = await terminal.json("opportunities", "create", "--contact", String(id), "--field", "risk=yes");
    expect(deal).toMatchObject({ custom_fields: { risk: true } });
    expect(await terminal.json("opportunities", "update", String(deal.id), "--field", "risk=no")).toMatchObject({
      custom_fields: { risk: false },
    });
    expect((await terminal.run(["opportunities", "show", String(deal.id)])).stdout).toContain("  risk: false\n");
  });
});
