/** `crm audit list` and `crm audit verify`. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { createTerminal, inDatabaseOf, setUpAcme } from "../support/terminal.ts";
import type { Terminal } from "../support/terminal.ts";

describe.each(sampleOf("commands: audit", 1, databaseKinds))("on %s", (kind) => {
  let terminal: Terminal;
  beforeAll(async () => {
    terminal = await createTerminal(kind);
    await setUpAcme(terminal);
    await terminal.json("keys", "create", "Website", "--scope", "contacts.readonly");
  });
  afterAll(() => terminal?.close());

  test.each<[string[], unknown]>([
    [
      ["--operation", "createApiKey"],
      [expect.objectContaining({ actor: { type: "operator", id: null, name: null }, address: null })],
    ],
    [["--actor", "user:99"], []],
    [["--until", "2020-01-01T00:00:00Z"], []],
    [["--limit", "1"], [expect.anything()]],
  ])("list %j", async (flags, expected) => {
    expect(await terminal.json("audit", "list", ...flags)).toEqual(expected);
  });

  test("a table shows them, and a wrong actor is refused", async () => {
    const { stdout } = await terminal.run(["audit", "list", "--operation", "createApiKey"]);
    expect(stdout).toMatch(/createApiKey +operator/);
    const refused = await terminal.run(["audit", "list", "--actor", "olga"]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("--actor") });
  });

  test("verify finds the log whole, then a changed entry, and a database that was set back", async () => {
    const worked = await terminal.run(["worker", "--once"]);
    expect(worked.code).toBe(0);
    const { head, ...verdict } = await terminal.json("audit", "verify");
    expect(verdict).toMatchObject({ unchained: 0, pruned_to: 0, fault: null });
    const expected = `${head.position}:${head.hash}`;
    expect((await terminal.run(["audit", "verify", "--expect", expected])).stdout).toContain("The audit log is whole");
    const other = await terminal.run(["audit", "verify", "--expect", `${head.position}:${"0".repeat(64)}`]);
    expect(other).toMatchObject({ code: 1, stdout: expect.stringContaining("is not the one that you expect") });
    expect((await terminal.run(["audit", "verify", "--expect", "x"])).code).toBe(2);

    await inDatabaseOf(terminal, (database) =>
      database.transaction(({ rows }) =>
        rows("update audit_entries set actor_type = 'system' where operation = 'createApiKey'"),
      ),
    );
    const changed = await terminal.run(["audit", "verify"]);
    expect(changed).toMatchObject({ code: 1, stdout: expect.stringMatching(/Entry \d+ .*was changed or moved/) });
  });
});
