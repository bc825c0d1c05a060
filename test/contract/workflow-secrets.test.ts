/** POST /workflows/{id}/secrets, and the headers that take them. */
import { describe, expect, test } from "vitest";
import { judgeHeaders } from "../../src/crm/workflows/definition/post-headers.ts";
import { getWorkflow } from "../../src/crm/workflows/workflow.operations.ts";
import { contract, row } from "../support/contract.ts";
import { givenWorkflow } from "../support/workflows.ts";
import type { World } from "../support/world.ts";

const given = async (world: World) => ({ workflow: await givenWorkflow(world, { end: { type: "exit" } }) });
type Given = Awaited<ReturnType<typeof given>>;

const origin = "https://gateway.example.com";
const gateway = { key: "gateway", value: "s3cret-of-the-gateway", origin };

const setting =
  (input: object) =>
  (world: World, { workflow }: Given) =>
    ["POST", `/workflows/${workflow}/secrets`, { location_id: world.north, ...input }] as const;

async function withGateway(world: World): Promise<Given> {
  const made = await given(world);
  await world.send("owner", ...setting(gateway)(world, made));
  return made;
}

const refused = (name: string, input: object, errors: Record<string, string>) =>
  row({
    name,
    given,
    send: setting({ ...gateway, ...input }),
    expect: {
      status: 422,
      body: { errors: Object.fromEntries(Object.entries(errors).map(([field, text]) => [field, [text]])) },
    },
  });

contract("setWorkflowSecret", [
  row({
    name: "stores it encrypted, and shows its name and origin alone",
    given,
    send: setting({ ...gateway, origin: `${origin}:443/` }),
    expect: { status: 200, body: { data: [{ key: "gateway", origin }] } },
    async afterwards(world, { workflow }) {
      const stored = await world.service.database.rows("select * from workflows where id = ?", [workflow]);
      const caller = await world.service.inLocation(world.acme, world.north);
      const shown = await world.service.carryOut(getWorkflow, caller, { workflow });
      expect(shown.secrets).toEqual([{ key: "gateway", origin }]);
      for (const place of [stored, shown]) expect(JSON.stringify(place)).not.toContain(gateway.value);
    },
  }),
  row({
    name: "replaces one, and lists all by their names",
    given: withGateway,
    send: setting({ key: "Backup", value: "another", origin: "http://192.0.3.1:8080" }),
    expect: {
      status: 200,
      body: {
        data: [
          { key: "Backup", origin: "http://192.0.3.1:8080" },
          { key: "gateway", origin },
        ],
      },
    },
  }),
  row({
    name: "removes one",
    given: withGateway,
    send: setting({ key: "gateway", value: null }),
    expect: { status: 200, body: { data: [] } },
  }),
  refused("refuses a value without an origin", { origin: undefined }, { origin: "The origin field is required." }),
  refused(
    "refuses a path",
    { origin: `${origin}/send` },
    {
      origin: "The origin field must be the scheme, host and port of a URL, such as https://gateway.example.com.",
    },
  ),
  refused(
    "refuses user and password",
    { origin: "https://me:it@gateway.example.com" },
    {
      origin: "The origin field must be the scheme, host and port of a URL, such as https://gateway.example.com.",
    },
  ),
  refused(
    "refuses a line break in the value",
    { value: "a\r\nX-Other: b" },
    {
      value: "The value field must be ASCII characters without control characters.",
    },
  ),
  refused(
    "refuses a name that no template can hold",
    { key: "__proto__" },
    {
      key: "The key field must be a letter, then letters, digits or _, at most 40 characters.",
    },
  ),
  row({
    name: "refuses the twenty-first",
    async given(world) {
      const made = await given(world);
      for (let number = 1; number <= 20; number++)
        await world.send("owner", ...setting({ ...gateway, key: `n${number}` })(world, made));
      return made;
    },
    send: setting(gateway),
    expect: {
      status: 422,
      body: { errors: { key: ["The workflow has 20 secrets, the most that it can have."] } },
    },
  }),
]);

describe("headers of a webhook node", () => {
  const taken = { "X-Source": "crm", "X-Api-Key": "{{secret.gateway}}", Authorization: "Bearer {{ secret.a_1 }}" };

  test.each<[what: string, headers: Record<string, string>, faults: readonly string[]]>([
    ["literal values, and secrets", taken, []],
    ["a name with a space", { "X A": "b" }, ['has an invalid name, "X A".']],
    [
      "what each post sets",
      { "Content-Type": "text/plain" },
      ["must not set Content-Type, which each post sets itself."],
    ],
    ["what HTTP sets", { host: "a.example" }, ["must not set host, which each post sets itself."]],
    ["one name in two spellings", { "X-A": "1", "x-a": "2" }, ["has x-a twice."]],
    ["a line break", { "X-A": "1\r\nX-B: 2" }, ["gives X-A characters other than visible ASCII."]],
    ["no value", { "X-A": " " }, ["gives X-A no value."]],
    ["another template", { "X-A": "{{contact.email}}" }, ["gives X-A a template other than {{secret.KEY}}."]],
    ["a template without an end", { "X-A": "{{secret.a" }, ["gives X-A a template other than {{secret.KEY}}."]],
    ["two secrets", { "X-A": "{{secret.a}}{{secret.b}}" }, ["gives X-A more than one secret."]],
    ["a long value", { "X-A": "x".repeat(1001) }, ["gives X-A more than 1000 characters."]],
    [
      "a secret in the definition",
      { "X-Api-Key": "s3cret" },
      ["must take X-Api-Key from a secret of the workflow, as {{secret.KEY}}: a definition is not encrypted."],
    ],
  ])("%s", (_, headers, faults) => {
    expect(judgeHeaders(headers)).toEqual(faults.map((predicate) => ({ field: "headers", predicate })));
  });
});
