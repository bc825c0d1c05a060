/** API keys from the terminal: shown once, limited as asked, dead when ended. */
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { scopeNames } from "../../src/vocabulary/scopes.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { createTerminal, setUpAcme } from "../support/terminal.ts";
import type { Terminal } from "../support/terminal.ts";

const day = 86_400_000;
const newKey = expect.stringMatching(/^crm_key_[0-9A-Za-z]{36}$/);

describe.each(sampleOf("commands: keys", 1, databaseKinds))("crm keys on %s", (kind) => {
  let terminal: Terminal;
  beforeAll(async () => {
    terminal = await createTerminal(kind);
    await setUpAcme(terminal);
  });
  afterAll(() => terminal?.close());

  it("creates a key that may do everything everywhere, unless told otherwise", async () => {
    expect(await terminal.json("keys", "create")).toEqual({
      id: expect.any(Number),
      name: "API key",
      key: newKey,
      workspace_id: 1,
      location_ids: null,
      scopes: scopeNames,
      expires_at: null,
    });
  });

  it("limits a key to scopes, locations and a span of time", async () => {
    const before = Date.now();
    const created = await terminal.json(
      "keys",
      "create",
      "reports",
      "--scope",
      "contacts.readonly",
      "--scope",
      "tags.write",
      "--location",
      "1",
      "--expires-in",
      "90d",
    );
    expect(created).toMatchObject({ name: "reports", location_ids: [1], scopes: ["contacts.readonly", "tags.write"] });
    const lifetime = Date.parse(created.expires_at) - before;
    expect(lifetime).toBeGreaterThanOrEqual(90 * day);
    expect(lifetime).toBeLessThan(90 * day + 60_000);
  });

  it("shows a key once: no listing and no table has it", async () => {
    const { id, key } = await terminal.json("keys", "create", "secret");
    const listed = await terminal.json("keys", "list");
    expect(listed.find((found: { id: number }) => found.id === id)).toEqual({
      id,
      name: "secret",
      last_four: key.slice(-4),
      scopes: scopeNames,
      location_ids: null,
      expires_at: null,
      last_used_at: null,
      revoked_at: null,
      created_at: expect.stringMatching(/Z$/),
    });
    const { stdout } = await terminal.run(["keys", "list"]);
    expect(JSON.stringify(listed) + stdout).not.toContain(key);
  });

  it("rotates: the same row with another secret", async () => {
    const created = await terminal.json("keys", "create", "rotated", "--scope", "tags.readonly");
    const rotated = await terminal.json("keys", "rotate", String(created.id));
    expect(rotated).toEqual({ ...created, key: newKey });
    expect(rotated.key).not.toBe(created.key);
  });

  it("revokes after a yes, and what is revoked stays so", async () => {
    const { id } = await terminal.json("keys", "create", "revoked");
    expect(await terminal.run(["keys", "revoke", String(id)])).toMatchObject({ code: 2, stdout: "" });
    expect(await terminal.json("keys", "revoke", String(id), "--yes")).toEqual({ id, revoked: true });
    const revokedAt = async () =>
      (await terminal.json("keys", "list")).find((found: { id: number }) => found.id === id).revoked_at;
    const first = await revokedAt();
    expect(first).toMatch(/Z$/);
    await terminal.json("keys", "revoke", String(id), "--yes");
    expect(await revokedAt()).toBe(first);
    expect(await terminal.run(["keys", "rotate", String(id)])).toMatchObject({
      code: 1,
      stderr: `Error: The API key ${id} is revoked; create a new one.\n`,
    });
  });

  test.each([
    [
      ["create", "x", "--expires-in", "soon"],
      2,
      '--expires-in is "soon"; expected a duration such as 30s, 15m, 12h, 90d or 4w.',
    ],
    [
      ["create", "x", "--expires-in", "0d"],
      2,
      '--expires-in is "0d"; expected a duration such as 30s, 15m, 12h, 90d or 4w.',
    ],
    [["create", "x", "--location", "77"], 1, "There is no location 77; there are 1 (Main Street)."],
    [["create", " "], 1, "NAME is required."],
    [["rotate", "77"], 1, "There is no such API key."],
    [["revoke", "77", "--yes"], 1, "There is no such API key."],
  ])("crm keys %j exits %i with one sentence", async (parameters, code, sentence) => {
    expect(await terminal.run(["keys", ...parameters])).toMatchObject({
      code,
      stdout: "",
      stderr: `Error: ${sentence}\n`,
    });
  });

  it("names the scopes there are when one is unknown", async () => {
    const { code, stderr } = await terminal.run(["keys", "create", "x", "--scope", "contacts"]);
    expect(code).toBe(2);
    expect(stderr).toContain("contacts.readonly");
  });
});
