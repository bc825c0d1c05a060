/**
 * The messages that are answered without the SDK get the same bytes as from it. `application/json; charset=utf-8` means the same to both, and
 * goes to the SDK.
 */
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { handshakeRevisions, readDirectMessage, revision2026 } from "../../src/agents/direct/direct-message.ts";
import { toSnakeCase } from "../../src/agents/endpoint-tool.ts";
import { createTools } from "../../src/agents/tools.ts";
import { endpoints } from "../../src/operations.ts";
import { post } from "../support/agents.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { makeRecords } from "../support/records.ts";
import type { Records } from "../support/records.ts";
import { createWorld } from "../support/world.ts";
import type { Asker, World } from "../support/world.ts";

const prefix = "io.modelcontextprotocol/";
const meta = {
  [`${prefix}protocolVersion`]: revision2026,
  [`${prefix}clientInfo`]: { name: "test", version: "1.0.0" },
  [`${prefix}clientCapabilities`]: {},
};
const accept = "application/json, text/event-stream";
const both = { accept, "content-type": "application/json" };

const call = (params: object, rest: object = {}) => ({ jsonrpc: "2.0", id: 1, method: "tools/call", params, ...rest });
const named = (name: string, method = "tools/call") => ({
  "mcp-protocol-version": revision2026,
  "mcp-method": method,
  "mcp-name": name,
});

test("the revisions are those of the SDK", () => {
  expect(handshakeRevisions).toEqual(SUPPORTED_PROTOCOL_VERSIONS);
});

test.each<[direct: boolean, title: string, message: unknown, headers: Record<string, string>]>([
  [true, "a call", call({ name: "describe" }), both],
  [true, "a call with arguments", call({ name: "describe", arguments: { a: [1] } }, { id: "x" }), both],
  [true, "the list of tools", { jsonrpc: "2.0", id: 0, method: "tools/list" }, both],
  [true, "a call of 2026", call({ name: "describe", _meta: meta }), { ...both, ...named("describe") }],
  [false, "a notification", { jsonrpc: "2.0", method: "notifications/initialized" }, both],
  [false, "a batch", [call({ name: "describe" })], both],
  [false, "another method", { jsonrpc: "2.0", id: 1, method: "ping" }, both],
  [false, "another version of JSON-RPC", call({ name: "describe" }, { jsonrpc: "1.0" }), both],
  [false, "an id that is no whole number", call({ name: "describe" }, { id: 1.5 }), both],
  [false, "an id that is null", call({ name: "describe" }, { id: null }), both],
  [false, "a further member", call({ name: "describe" }, { extra: 1 }), both],
  [false, "a further parameter", call({ name: "describe", task: {} }), both],
  [false, "arguments that are a list", call({ name: "describe", arguments: [] }), both],
  [false, "arguments that are null", call({ name: "describe", arguments: null }), both],
  [false, "a name that is none", call({ name: 1 }), both],
  [false, "a progress token", call({ name: "describe", _meta: { progressToken: 1 } }), both],
  [false, "a header of 2026 without its metadata", call({ name: "describe" }, {}), { ...both, ...named("describe") }],
  [false, "metadata without its headers", call({ name: "describe", _meta: meta }), both],
  [false, "another name in the header", call({ name: "describe", _meta: meta }), { ...both, ...named("search") }],
  [false, "an unknown revision", call({ name: "describe" }), { ...both, "mcp-protocol-version": "2020-01-01" }],
  [false, "JSON alone accepted", call({ name: "describe" }), { ...both, accept: "application/json" }],
  [false, "no Accept", call({ name: "describe" }), { "content-type": "application/json" }],
])("direct %s: %s", (direct, _title, message, headers) => {
  expect(readDirectMessage(structuredClone(message), headers) !== undefined).toBe(direct);
});

test("an argument named __proto__ goes to the SDK", () => {
  const message = JSON.parse(
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"__proto__":{}}}}',
  );
  expect(readDirectMessage(message, both)).toBeUndefined();
});

const tools = [...createTools(endpoints).values()];

describe.each(sampleOf("direct answers", 1, databaseKinds))("on %s", (kind) => {
  let world: World;
  let records: Records;
  beforeAll(async () => {
    world = await createWorld(kind);
    records = await makeRecords(world);
  });
  afterAll(() => world?.close());

  async function answerTo(as: Asker, message: object, headers: object, type: string) {
    const answer = await post(world, as, JSON.stringify(message), { ...headers, accept, "content-type": type });
    const text = (await answer.text()).replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, "request id");
    const shown = ["content-type", "cache-control", "content-length"].map((name) => answer.headers.get(name));
    return { status: answer.status, shown, text };
  }

  async function expectSame(as: Asker, message: object, headers: object): Promise<string> {
    const direct = await answerTo(as, message, headers, "application/json");
    expect(direct).toEqual(await answerTo(as, message, headers, "application/json; charset=utf-8"));
    return direct.text;
  }

  /** What each tool is called with: the records of its path, and with a fault. Nothing is changed by it. */
  const calls = tools.flatMap(({ name, hints }) => {
    const parameters = endpoints.find(({ operation }) => toSnakeCase(operation.name) === name)?.parameters ?? [];
    const ids = (from: Records) => Object.fromEntries(parameters.map(([id, noun]) => [toSnakeCase(id), from[noun]]));
    const isRead = hints.readOnlyHint;
    return [
      ...(isRead ? [{ title: `${name}`, name, given: ids }] : []),
      {
        title: `${name} with an unknown argument`,
        name,
        given: (from: Records) => ({ ...ids(from), nickname: "</data>" }),
      },
    ];
  });

  test.each(["2025", "2026"])("calls of all tools, as clients of %s", async (era) => {
    for (const { title, name, given } of calls) {
      const params = { name, arguments: { location_id: world.north, ...given(records) } };
      const [headers, sent] = era === "2026" ? [named(name), { ...params, _meta: meta }] : [{}, params];
      expect([title, await expectSame("readonly", call(sent), headers)]).toEqual([
        title,
        expect.stringContaining("result"),
      ]);
    }
  });

  test.each<[title: string, as: Asker, message: object, headers: object, contains: string]>([
    ["the list of tools", "owner", { jsonrpc: "2.0", id: 1, method: "tools/list" }, {}, "describe"],
    [
      "the list of few tools",
      "noScopes",
      { jsonrpc: "2.0", id: "a\u2028", method: "tools/list", params: {} },
      {},
      "describe",
    ],
    [
      "the list of 2026",
      "northOnly",
      { jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: meta } },
      { "mcp-protocol-version": revision2026, "mcp-method": "tools/list" },
      "cacheScope",
    ],
    ["an unknown tool", "owner", call({ name: "drop_database" }), {}, "Unknown tool: drop_database"],
    ["no location of several", "owner", call({ name: "list_tasks", arguments: {} }), {}, "location.not_found"],
    [
      "an unknown revision",
      "owner",
      call({ name: "describe" }),
      { "mcp-protocol-version": "2020-01-01" },
      "Unsupported protocol version",
    ],
    [
      "a foreign location",
      "owner",
      call({ name: "list_tasks", arguments: { location_id: 999_999 } }),
      {},
      "location.not_found",
    ],
  ])("%s", async (_title, as, message, headers, contains) => {
    expect(await expectSame(as, message, headers)).toContain(contains);
  });
});
