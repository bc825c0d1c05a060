/** `crm setup`: everything or nothing, once, on a database that it brings up to date first. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { runCrm } from "../support/node-process.ts";
import { createTerminal, setUpAcme } from "../support/terminal.ts";
import type { Terminal } from "../support/terminal.ts";

const key = expect.stringMatching(/^crm_key_[0-9A-Za-z]{36}$/);
const answers = ["--workspace", "Acme", "--location", "Main Street", "--owner-email", "ada@acme.example"];

describe.each(sampleOf("commands: setup", 1, databaseKinds))("crm setup on %s", (kind) => {
  let terminal: Terminal;
  beforeEach(async () => {
    terminal = await createTerminal(kind);
  });
  afterEach(() => terminal.close());

  it("makes a workspace, a location, its owner and a key", async () => {
    const made = await terminal.json("setup", ...answers, "--timezone", "america/new_york");
    expect(made).toEqual({
      workspace: { id: expect.any(Number), name: "Acme" },
      location: { id: expect.any(Number), name: "Main Street" },
      owner: {
        id: expect.any(Number),
        email: "ada@acme.example",
        set_password_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:3000\/invitation\/crm_invitation_/),
      },
      api_key: { id: expect.any(Number), key },
    });
    expect(await terminal.json("workspaces", "list")).toEqual([made.workspace]);
    expect(await terminal.json("locations", "list")).toMatchObject([
      { ...made.location, timezone: "America/New_York" },
    ]);
    const { id, email } = made.owner;
    expect(await terminal.json("users", "list")).toMatchObject([{ id, email, role: "owner", location_ids: null }]);
    expect(await terminal.json("keys", "list")).toMatchObject([
      {
        id: made.api_key.id,
        name: "default",
        last_four: made.api_key.key.slice(-4),
        location_ids: null,
        expires_at: null,
      },
    ]);
  });

  it("refuses a second time, and changes nothing", async () => {
    await setUpAcme(terminal);
    const { code, stdout, stderr } = await terminal.run(["setup", ...answers]);
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: "",
      stderr: 'Error: This service is set up already: use "crm workspaces create" to create another workspace.\n',
    });
    expect(await terminal.json("workspaces", "list")).toHaveLength(1);
  });

  it("leaves nothing behind when an answer is refused", async () => {
    const refused = await terminal.run(["setup", ...answers.slice(0, 4), "--owner-email", "ada", "--json"]);
    expect(refused).toMatchObject({ code: 1, stderr: "Error: --owner-email must be a valid email address.\n" });
    expect(JSON.parse(refused.stdout)).toEqual({
      error: {
        message: "--owner-email must be a valid email address.",
        errors: { email: ["The email field must be a valid email address."] },
      },
    });
    expect(await terminal.run(["workspaces", "list"])).toMatchObject({
      code: 1,
      stderr: 'Error: This database is not set up: run "crm setup" (or "crm serve") first.\n',
    });
  });

  it("is done once, however many start together", async () => {
    const finished = await Promise.all([1, 2, 3, 4].map(() => runCrm(["setup", ...answers], terminal)));
    expect(finished.map(({ code }) => code).toSorted()).toEqual([0, 1, 1, 1]);
    expect(await terminal.json("workspaces", "list")).toHaveLength(1);
    expect(await terminal.json("keys", "list")).toHaveLength(1);
  });
});

test("without a terminal it names what is missing, and makes no database", async () => {
  const directory = await mkdtemp(join(tmpdir(), "crm-setup-"));
  try {
    expect(await runCrm(["setup", "--location", "Main Street"], { directory })).toMatchObject({
      code: 2,
      stdout: "",
      stderr: "Error: Missing: --workspace, --owner-email.\n",
    });
    expect(await runCrm(["setup", ...answers, "--json"], { directory })).toMatchObject({ code: 0, stderr: "" });
    expect(await runCrm(["locations", "list"], { directory })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^id +name +city +state +phone public +timezone\n1 +Main Street +- +- +- +UTC\n$/),
    });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
