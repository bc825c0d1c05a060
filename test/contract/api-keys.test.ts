/** What an API key gives access to, rotation and revocation, and when its last use is recorded. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createKeyAuthentication } from "../../src/tenancy/api-keys/api-key.authentication.ts";
import { listApiKeys } from "../../src/tenancy/api-keys/api-key.queries.ts";
import { createApiKey, revokeApiKey, rotateApiKey } from "../../src/tenancy/api-keys/api-key.service.ts";
import type { Database } from "../../src/storage/database.ts";
import { databaseKinds } from "../support/databases.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each(databaseKinds)("API keys on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  const acme = () => world.service.inWorkspace(world.acme);
  const create = (expiresAt: Date | null = null) =>
    acme().change((change) =>
      createApiKey(change, {
        name: "k",
        scopes: ["tags.readonly"],
        location_ids: [world.south],
        expires_at: expiresAt,
      }),
    );
  const lastUsed = async (id: number) =>
    (await listApiKeys(acme(), {})).data.find((key) => key.id === id)?.last_used_at;

  it("authenticates with its workspace, its locations and its scopes", async () => {
    const { id, key } = await create();
    expect(await createKeyAuthentication(world.service).authenticate(key)).toEqual({
      identity: {
        workspaceId: world.acme,
        locationIds: [world.south],
        actor: { type: "api_key", id, name: "k" },
        grant: { scopes: ["tags.readonly"], appId: null, role: null },
        user: null,
      },
      holder: `key ${id}`,
    });
  });

  it("is rejected once it is rotated, revoked or expired, and the new secret is accepted", async () => {
    const { authenticate } = createKeyAuthentication(world.service);
    const { id, key } = await create(new Date(world.clock.now().getTime() + 1000));
    const { key: rotated } = await acme().change((change) => rotateApiKey(change, id));
    expect(await authenticate(key)).toEqual({ why: "Unknown API key." });
    expect(await authenticate(rotated)).toMatchObject({ holder: `key ${id}` });
    world.clock.advance({ milliseconds: 1000 });
    expect(await authenticate(rotated)).toEqual({ why: "This API key has expired." });
    await expect(acme().change((change) => rotateApiKey(change, id))).rejects.toMatchObject({
      errors: { id: [`The API key ${id} has expired; create a new one.`] },
    });

    const other = await create();
    expect(await authenticate(other.key)).toMatchObject({ holder: `key ${other.id}` });
    await acme().change((change) => revokeApiKey(change, other.id));
    expect(await authenticate(other.key)).toEqual({ why: "This API key has been revoked." });
  });

  it("is rejected without a query when it is malformed", async () => {
    const { key } = await create();
    let lookUps = 0;
    const database: Database = {
      ...world.service.database,
      forHolder(holder) {
        lookUps += 1;
        return world.service.database.forHolder(holder);
      },
    };
    const { authenticate } = createKeyAuthentication({ database, clock: world.clock });
    const last = key.endsWith("0") ? "1" : "0";
    for (const wrong of [
      "",
      "crm_key_",
      key.slice(0, -1),
      `${key.slice(0, -1)}${last}`,
      `${key}0`,
      key.replace("crm_key_", "crm_at_"),
    ]) {
      expect(await authenticate(wrong), wrong).toEqual({ why: expect.stringMatching(/^Malformed API key\. /) });
    }
    expect(lookUps).toBe(0);
    expect(await authenticate(key)).toMatchObject({ holder: expect.any(String) });
    expect(lookUps).toBe(1);
  });

  it("has its last use recorded at a flush, at most once a minute", async () => {
    const { id, key } = await create();
    const keys = createKeyAuthentication(world.service);
    await keys.authenticate(key);
    expect(await lastUsed(id)).toBeNull();
    const first = world.clock.now().toISOString();
    await keys.flushLastUsed();
    expect(await lastUsed(id)).toBe(first);

    world.clock.advance({ milliseconds: 59_999 });
    await keys.authenticate(key);
    await keys.flushLastUsed();
    expect(await lastUsed(id)).toBe(first);

    world.clock.advance({ milliseconds: 1 });
    await keys.authenticate(key);
    await keys.flushLastUsed();
    expect(await lastUsed(id)).toBe(world.clock.now().toISOString());
  });

  it("has its last use recorded however many keys are used between two flushes", async () => {
    const { id, key } = await create();
    const { database } = world.service;
    // More keys than a statement of either database can bind.
    const many = 70_000;
    let found = 0;
    const row = { workspace_id: world.acme, name: "k", scopes: "[]", location_ids: null, place_id: null };
    const never = { expires_at: null, revoked_at: null, last_used_at: null };
    const rows = async <Row>() => [{ ...row, ...never, id: id + found++ }] as Row[];
    const keys = createKeyAuthentication({
      database: { ...database, forHolder: () => ({ ...database, rows }) },
      clock: world.clock,
    });
    while (found < many) await keys.authenticate(key);
    await keys.flushLastUsed();
    expect(await lastUsed(id)).toBe(world.clock.now().toISOString());
  });
});
