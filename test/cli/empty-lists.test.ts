/** A list of nothing names the command that makes the first; one that was narrowed says that nothing matches. */
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { createTerminal, setUpAcme } from "../support/terminal.ts";
import type { Terminal } from "../support/terminal.ts";

const commands = join(import.meta.dirname, "../../commands");

const empty: [list: string[], sentence: string][] = [
  [
    ["contacts", "list"],
    "No contacts yet. Create one: crm contacts create --first-name NAME (or crm contacts import FILE)",
  ],
  [["contacts", "list", "ada"], "No contact matches."],
  [["contacts", "list", "--filter", "tag=VIP"], "No contact matches."],
  [["opportunities", "list"], "No opportunities yet. Create one: crm opportunities create --contact ID --name NAME"],
  [["opportunities", "list", "--stage", "Proposal"], "No opportunity matches."],
  [["tasks", "list"], "No open tasks. Add one: crm tasks add TITLE"],
  [["tasks", "list", "--completed"], "No task matches."],
  [["tasks", "list", "--overdue"], "No task matches."],
  [["channels", "list"], "No channels yet. Create one: crm channels create NAME --kind email --address ADDRESS"],
  [["conversations", "list"], "No conversations yet. Start one: crm conversations start CONTACT --channel ID"],
  [["conversations", "list", "--status", "open"], "No conversation matches."],
  [["workflows", "list"], "No workflows yet. Create one: crm workflows create NAME --file FILE"],
  [["tags", "list"], "No tags yet. Create one: crm tags create NAME"],
  [["fields", "list"], "No custom fields yet. Create one: crm fields create NAME --on contact --type text"],
  [["hooks", "list"], "No webhooks yet. Create one: crm hooks create EVENT --url URL"],
  [["apps", "list"], "No apps yet. Create one: crm apps create NAME --redirect-uri URI --scope SCOPE"],
  [["billing", "ledger"], "No reports yet. An app reports payments: crm billing report"],
  [
    ["billing", "subscriptions"],
    "No subscriptions yet. An app that is paid for brings them: crm apps create NAME --billing external",
  ],
  [["locations", "list", "--workspace", "Empty"], "No locations yet. Create one: crm locations create NAME"],
  [["users", "list", "--workspace", "Empty"], "No people yet. Invite the first: crm users invite EMAIL --role owner"],
  [["keys", "list", "--workspace", "Empty"], "No API keys yet. Create one: crm keys create NAME"],
];
/** What never comes empty, what prints lines that go on, and what needs a contact (deals.test.ts). */
const others = ["workspaces", "pipelines", "events", "notes", "audit"];

describe.each(sampleOf("commands: empty lists", 1, databaseKinds))("on %s", (kind) => {
  let terminal: Terminal;
  beforeAll(async () => {
    terminal = await createTerminal(kind);
    await setUpAcme(terminal);
    await terminal.json("workspaces", "create", "Empty");
  });
  afterAll(() => terminal?.close());

  test.each(empty)("crm %j: %s", async (parameters, sentence) => {
    const place = parameters.includes("--workspace") ? [] : ["--workspace", "Acme"];
    expect(await terminal.run([...parameters, ...place])).toEqual(
      expect.objectContaining({ code: 0, stdout: `${sentence}\n`, stderr: "" }),
    );
    for (const [, topic, verb] of sentence.matchAll(/crm (\w+) (\w+)/g))
      expect(existsSync(join(commands, topic!, `${verb}.ts`)), `${topic} ${verb}`).toBe(true);
  });
});

test("every list is here", () => {
  const topics = globSync("*/list.ts", { cwd: commands }).map((path) => path.split("/")[0]!);
  const known = new Set([...empty.map(([[topic]]) => topic!), ...others]);
  expect(topics.filter((topic) => !known.has(topic))).toEqual([]);
});
