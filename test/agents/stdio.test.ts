/** `crm mcp`: the official client over standard input and output, in real processes. */
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { runCrm } from "../support/node-process.ts";
import { createTerminal, setUpAcme } from "../support/terminal.ts";
import type { Terminal } from "../support/terminal.ts";

const clientInfo = { name: "test", version: "1.0.0" };
const crm = join(import.meta.dirname, "../../bin/crm.js");

describe.each(sampleOf("crm mcp", 1, databaseKinds))("on %s", (kind) => {
  let terminal: Terminal;
  beforeAll(async () => {
    terminal = await createTerminal(kind);
    await setUpAcme(terminal);
    await terminal.json("locations", "create", "Second Street");
  });
  afterAll(() => terminal?.close());

  async function connected(...flags: readonly string[]): Promise<Client> {
    const client = new Client(clientInfo);
    const { PATH } = process.env;
    const env = { ...terminal.environment, PATH: PATH! };
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [crm, "mcp", ...flags],
        env,
        cwd: terminal.directory,
      }),
    );
    return client;
  }

  test("an agent works in one location with the scopes that it is given, as the operator", async () => {
    const client = await connected("--location", "Main Street", "--scope", "contacts.write");
    const { tools } = await client.listTools();
    expect(tools.filter(({ inputSchema }) => "location_id" in (inputSchema.properties ?? {}))).toEqual([]);
    const created = await client.callTool({
      name: "create_contact",
      arguments: { first_name: "Ada", last_name: "Lovelace" },
    });
    expect(created.structuredContent).toMatchObject({ activities: [{ actor: { type: "system", name: "Operator" } }] });
    const answers = [
      await client.callTool({ name: "create_task", arguments: { title: "Call" } }),
      await client.callTool({ name: "list_contacts", arguments: { location_id: 2 } }),
    ];
    expect(answers.map(({ structuredContent }) => (structuredContent as { error: string }).error)).toEqual([
      "insufficient_scope",
      "location.not_found",
    ]);
    await client.close();
  });

  test("everything that was asked before standard input ended is answered", async () => {
    const call = { name: "create_contact", arguments: { location_id: 1, first_name: "Grace", last_name: "Hopper" } };
    const asked = [
      { id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } },
      { method: "notifications/initialized" },
      { id: 2, method: "tools/call", params: call },
      { id: 3, method: "tools/list" },
    ];
    const { code, stdout, stderr } = await runCrm(["mcp"], {
      environment: terminal.environment,
      input: asked.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""),
    });
    const answers = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect({ code, stderr, ids: answers.map(({ id }) => id).toSorted() }).toEqual({
      code: 0,
      stderr: "",
      ids: [1, 2, 3],
    });
    expect(answers.find(({ id }) => id === 2).result.structuredContent).toMatchObject({ first_name: "Grace" });
  });

  test("an agent that says nothing ends it", async () => {
    const { environment } = terminal;
    expect(await runCrm(["mcp"], { environment, input: "" })).toMatchObject({ code: 0, stdout: "", stderr: "" });
  });

  test("--readonly offers what changes nothing", async () => {
    const client = await connected("--readonly");
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(20);
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
    await client.close();
  });
});

test("without a database it says so, and exits with 1", async () => {
  const terminal = await createTerminal("sqlite");
  const { code, stdout, stderr } = await runCrm(["mcp"], {
    environment: { ...terminal.environment, CRM_DATABASE_URL: `sqlite:${terminal.directory}/none.db` },
    directory: terminal.directory,
  });
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^Error: There is no database/);
  await terminal.close();
});
