/** `crm search`: records found by text from the terminal. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { createTerminal, setUpAcme } from "../support/terminal.ts";
import type { Terminal } from "../support/terminal.ts";

describe.each(sampleOf("crm search", 1, databaseKinds))("crm search on %s", (kind) => {
  let terminal: Terminal;
  let ada: { id: number };
  beforeAll(async () => {
    terminal = await createTerminal(kind);
    await setUpAcme(terminal);
    ada = await terminal.json("contacts", "create", "--first-name", "Ada", "--last-name", "Lovelace");
  });
  afterAll(() => terminal?.close());

  test("finds a contact, and says what matched", async () => {
    const { code, stdout, stderr } = await terminal.run(["search", "lovelace"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(new RegExp(`contact +${ada.id} +Ada Lovelace +\\w+: .*Lovelace`));
  });

  test("--json prints what the API answers", async () => {
    expect(await terminal.json("search", "lovelace")).toMatchObject({
      contacts: [{ id: ada.id, name: "Ada Lovelace", matched: { text: expect.stringContaining("Lovelace") } }],
      conversations: [],
      opportunities: [],
      tasks: [],
    });
  });

  test("without a match it prints nothing found, and exits with 0", async () => {
    const { code, stdout, stderr } = await terminal.run(["search", "zzyzx"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).not.toContain("contact");
    const nothing = { contacts: [], conversations: [], opportunities: [], tasks: [] };
    expect(await terminal.json("search", "zzyzx")).toEqual(nothing);
  });

  test.each<[parameters: string[], code: number, sentence: RegExp]>([
    [[], 2, /^Error: .*TEXT.*\n$/],
    [[" "], 1, /^Error: .*text.*\n$/i],
    [["x".repeat(10_000)], 1, /^Error: .*text.*\n$/i],
    [["ada", "lovelace"], 2, /^Error: .*lovelace.*\n$/],
    [["ada", "--location", "77777"], 1, /^Error: .*location.*\n$/i],
  ])("crm search %j exits %i with one sentence", async (parameters, code, sentence) => {
    const refused = await terminal.run(["search", ...parameters]);
    expect(refused).toMatchObject({ code, stdout: "" });
    expect(refused.stderr).toMatch(sentence);
  });
});
