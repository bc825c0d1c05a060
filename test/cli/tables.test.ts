/** Lists as a person sees them: on a terminal of 80 columns with bold heads, whole in a pipe. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { columnsOf } from "../../terminal/output/columns.ts";
import { startOnTerminal } from "../support/pseudo-terminal.ts";
import { createTerminal, setUpAcme } from "../support/terminal.ts";
import type { Terminal } from "../support/terminal.ts";

const longName = "Beratungsgesellschaft für Brücken, Tunnel und Unterführungen mbH, Niederlassung Süd";
const longEmail = `${"a".repeat(50)}@${"subdomain.".repeat(3)}example.com`;

describe("lists", () => {
  let terminal: Terminal;
  beforeAll(async () => {
    terminal = await createTerminal("sqlite");
    await setUpAcme(terminal);
    await terminal.json(
      "locations",
      "create",
      longName,
      "--city",
      "Llanfairpwllgwyngyll",
      "--phone-public",
      "030 1234567",
    );
    await terminal.json("users", "invite", longEmail, "--role", "member", "--location", "2", "--name", longName);
    const there = ["--location", "2", "--contact", "1"];
    await terminal.json("contacts", "create", "--first-name", longName, "--location", "2");
    await terminal.json("opportunities", "create", ...there, "--name", longName, "--value", "90000000000000");
    await terminal.json("tasks", "add", longName, ...there, "--due", "2026-03-02", "--assignee-user-id", "2");
    await terminal.json("tags", "create", `${"鈴木".repeat(30)} 👨‍👩‍👧`);
    await terminal.json(
      "keys",
      "create",
      longName,
      "--scope",
      "contacts.readonly",
      "--scope",
      "tags.write",
      "--expires-in",
      "90d",
    );
  });
  afterAll(() => terminal?.close());

  async function watch(parameters: string[], environment: Record<string, string> = {}): Promise<string[]> {
    const { process } = startOnTerminal(terminal, parameters, { columns: 80, environment });
    const { code, stdout } = await process.finished;
    expect(code).toBe(0);
    return stdout.trimEnd().split("\r\n");
  }

  test.each([
    [["locations", "list"]],
    [["users", "list"]],
    [["tags", "list"]],
    [["pipelines", "list", "--location", "2"]],
    [["opportunities", "list", "--location", "2"]],
    [["tasks", "list", "--location", "2"]],
    [["keys", "list"]],
    [["config", "show"]],
    [["workspaces", "list"]],
  ])("crm %j fits 80 columns, with bold heads", async (parameters) => {
    const lines = await watch(parameters);
    expect(lines.filter((line) => columnsOf(line) > 80)).toEqual([]);
    expect(lines[0]!.startsWith("\u001B[1m")).toBe(true);
  });

  test("NO_COLOR takes the bold away", async () => {
    expect((await watch(["users", "list"], { NO_COLOR: "1" })).join("\n")).not.toContain("\u001B");
  });

  test("in a pipe a row is a line, and nothing is cut or bold", async () => {
    const { stdout } = await terminal.run(["users", "list"]);
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(/^id {2}email +name +role +locations +state$/),
      expect.stringMatching(/^1 +ada@acme\.example +ada@acme\.example +owner +all +invited$/),
      `2   ${longEmail}  ${longName}  member  2          invited`,
      "",
    ]);
  });

  test("a key that may do everything says so in a word", async () => {
    const { stdout } = await terminal.run(["keys", "list"]);
    const [, everything, some] = stdout.split("\n");
    expect(everything).toMatch(/^1 +default +\w{4} +all +all +- +- +-$/);
    expect(some).toContain("  contacts.readonly, tags.write  all  ");
  });
});
