/** The handshake that `crm mcp` answers without the SDK: byte for byte as the SDK answers it, and nothing that the SDK would judge. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { describe, expect, test } from "vitest";
import { createAgentServer } from "../../src/agents/agent-server.ts";
import { handshakeRevisions } from "../../src/agents/direct/direct-message.ts";
import { answerOpening } from "../../src/agents/direct/opening.ts";
import { repository, startNode } from "../support/node-process.ts";

const version = "1.2.3";
const client = { name: "test", version: "1.0.0" };
const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: client };
const initialize = (more: object = {}) => ({ jsonrpc: "2.0", id: 0, method: "initialize", params, ...more });

/** The line that the SDK answers. */
function answerOfSdk(message: object): Promise<string> {
  const neverAsked = () => Promise.reject(new Error("The handshake needs neither tools nor a session."));
  const server = createAgentServer({
    version,
    tools: neverAsked,
    session: neverAsked,
    describeFailure: () => ({ status: 500, code: "server_error", message: "" }) as never,
  });
  return new Promise((resolve, reject) => {
    const transport: Transport = {
      start: () => Promise.resolve(),
      close: () => Promise.resolve(),
      send: (answer) => Promise.resolve(resolve(`${JSON.stringify(answer)}\n`)),
    };
    server.connect(transport).then(() => transport.onmessage?.(message as JSONRPCMessage), reject);
  });
}

describe("is answered as the SDK answers it", () => {
  test.each<[string, ReturnType<typeof initialize>]>([
    ["a number as id", initialize({ id: 7 })],
    ["a text as id", initialize({ id: "first" })],
    ["a title", initialize({ params: { ...params, clientInfo: { ...client, title: "Test" } } })],
    [
      "every capability",
      initialize({
        params: { ...params, capabilities: { roots: { listChanged: true }, sampling: {}, elicitation: {} } },
      }),
    ],
    ...handshakeRevisions.map((protocolVersion): [string, ReturnType<typeof initialize>] => [
      protocolVersion,
      initialize({ params: { ...params, protocolVersion } }),
    ]),
  ])("%s", async (_what, message) => {
    const opening = answerOpening(JSON.stringify(message), version);
    expect(opening).toEqual({ id: message.id, answer: await answerOfSdk(message) });
  });
});

describe("is left to the SDK", () => {
  test.each<[string, unknown]>([
    ["no JSON", "{"],
    ["a number", 1],
    ["a batch", [initialize()]],
    ["another method", initialize({ method: "tools/list" })],
    ["another version of JSON-RPC", initialize({ jsonrpc: "1.0" })],
    ["no id", { ...initialize(), id: undefined }],
    ["a fraction as id", initialize({ id: 0.5 })],
    ["an unknown revision", initialize({ params: { ...params, protocolVersion: "1999-01-01" } })],
    ["no client", initialize({ params: { ...params, clientInfo: undefined } })],
    ["a client without a version", initialize({ params: { ...params, clientInfo: { name: "test" } } })],
    ["a further member", initialize({ params: { ...params, _meta: {} } })],
    [
      "a capability of another form",
      initialize({ params: { ...params, capabilities: { roots: { listChanged: 1 } } } }),
    ],
    ["an unknown capability", initialize({ params: { ...params, capabilities: { experimental: {} } } })],
  ])("%s", (_what, message) => {
    const line = typeof message === "string" ? message : JSON.stringify(message);
    expect(answerOpening(line, version)).toBeUndefined();
  });
});

test("no package is loaded for it", async () => {
  const url = pathToFileURL(join(repository, "src/agents/direct/opening.ts")).href;
  const program = `import { registerHooks } from "node:module";
    registerHooks({ load: (url, context, next) => (console.log(url), next(url, context)) });
    await import(${JSON.stringify(url)});`;
  const { stdout } = await startNode(["--input-type=module", "--eval", program]).finished;
  const loaded = stdout.trim().split("\n");
  expect(loaded).toContain(url);
  expect(loaded.filter((module) => module.includes("node_modules"))).toEqual([]);
});
