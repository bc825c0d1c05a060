/** GET /audit */
import { expect } from "vitest";
import { createTag } from "../../src/crm/tags/tag.operations.ts";
import { createApiKey } from "../../src/tenancy/api-keys/api-key.operations.ts";
import { signIn } from "../../src/tenancy/sessions/sign-in.service.ts";
import { contract, row } from "../support/contract.ts";
import { unique } from "../support/given.ts";
import { letJoin } from "../support/given-people.ts";
import type { World } from "../support/world.ts";

async function givenKey(world: World): Promise<number> {
  const input = { name: `Audited ${unique()}`, scopes: ["tasks.readonly"] as const };
  return (await world.service.carryOut(createApiKey, world.service.inWorkspace(world.acme), { input })).id;
}

const givenTag = (world: World) => world.send("owner", "POST", "/tags", { name: `Tag ${unique()}` });

contract("listAuditEntries", [
  row({
    name: "shows who did what, from where, latest first",
    async given(world) {
      await givenTag(world);
      return givenKey(world);
    },
    send: ["GET", "/audit"],
    expect: { status: 200 },
    async afterwards(_world, id, body) {
      expect(body.data.slice(0, 2)).toEqual([
        {
          id: expect.any(Number),
          operation: "createApiKey",
          actor: { type: "operator", id: null, name: null },
          address: null,
          location_id: null,
          subject: { type: "api_key", id },
          details: { fields: ["name", "scopes"], scopes: ["tasks.readonly"], location_ids: null },
          created_at: expect.any(String),
          position: null,
          hash: null,
        },
        expect.objectContaining({
          operation: "createTag",
          actor: { type: "api_key", id: expect.any(Number), name: "owner" },
          address: expect.stringMatching(/127\.0\.0\.1|::1/),
          details: { fields: ["name"] },
        }),
      ]);
    },
  }),
  row({
    name: "is filtered by actor, operation and time",
    async given(world) {
      world.clock.advance({ minutes: 1 });
      const since = world.clock.now().toISOString();
      await givenTag(world);
      await givenKey(world);
      world.clock.advance({ minutes: 1 });
      return since;
    },
    send: (world, since) => [
      "GET",
      `/audit?actor=operator&operation=createApiKey&since=${since}&until=${world.clock.now().toISOString()}`,
    ],
    expect: { status: 200 },
    async afterwards(world, since, body) {
      expect(body.data.map(({ operation }: { operation: string }) => operation)).toEqual(["createApiKey"]);
      const { body: mine } = await world.send("owner", "GET", `/audit?operation=createTag&since=${String(since)}`);
      const [{ actor }] = mine.data;
      const { body: same } = await world.send(
        "owner",
        "GET",
        `/audit?actor=api_key:${actor.id}&since=${String(since)}`,
      );
      expect(same.data).toEqual(mine.data);
      const { body: other } = await world.send("owner", "GET", `/audit?actor=user:1&since=${String(since)}`);
      expect(other.data).toEqual([]);
    },
  }),
  row({
    name: "goes on from page to page, each entry once, also those of one millisecond",
    async given(world) {
      const caller = world.service.inWorkspace(world.acme);
      for (let count = 0; count < 205; count++)
        await world.service.carryOut(createTag, caller, { input: { name: `Tag ${unique()}` } });
    },
    send: ["GET", "/audit?operation=createTag"],
    expect: { status: 200 },
    async afterwards(world, _given, body) {
      const next = await world.send("owner", "GET", `/audit?operation=createTag&cursor=${body.next_cursor}`);
      const ids = [...body.data, ...next.body.data].map(({ id }: { id: number }) => id);
      expect(body.data).toHaveLength(200);
      expect(ids).toEqual([...new Set(ids)].toSorted((one, other) => other - one));
      const foreign = await world.send("owner", "GET", `/audit?cursor=${body.next_cursor}`);
      expect(foreign.status).toBe(422);
    },
  }),
  row({
    name: "shows sign-ins to the accounts of the workspace's people, failed ones without an actor",
    async given(world) {
      const { database, clock, tools } = world.service;
      await letJoin(world.service, world.users.olga);
      const attempt = { password: "wrong", userAgent: null, address: "192.0.2.9" };
      for (const email of ["olga@acme.example", "unknown@acme.example"])
        await signIn({ database, clock, vault: tools.vault }, { ...attempt, email });
    },
    send: ["GET", "/audit?operation=signInFailed"],
    expect: { status: 200 },
    async afterwards(world, _given, body) {
      expect(body.data).toEqual([
        expect.objectContaining({
          actor: { type: "anonymous", id: null, name: null },
          address: "192.0.2.9",
          subject: { type: "user", id: world.users.olga },
          details: { wrong: "password" },
        }),
      ]);
      const text =
        "select details, subject_id from audit_entries where workspace_id = 0 and operation = 'signInFailed'";
      expect(await world.service.database.rows(text)).toEqual([{ details: '{"wrong":"email"}', subject_id: null }]);
    },
  }),
  row({
    name: "is not shown to a key of some locations",
    as: "northOnly",
    send: ["GET", "/audit"],
    expect: { status: 403, body: { error: "insufficient_scope", required_scope: "audit.readonly" } },
  }),
  row({
    name: "refuses an actor of an unknown form",
    send: ["GET", "/audit?actor=olga"],
    expect: { status: 422 },
  }),
]);
