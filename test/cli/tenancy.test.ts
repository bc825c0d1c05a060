/** Workspaces, locations, people and tags from the terminal: what is printed, what --json carries, what is refused. */
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { createTerminal, setUpAcme } from "../support/terminal.ts";
import type { Terminal } from "../support/terminal.ts";

describe.each(sampleOf("commands: tenancy", 1, databaseKinds))("on %s", (kind) => {
  let terminal: Terminal;
  beforeAll(async () => {
    terminal = await createTerminal(kind);
    await setUpAcme(terminal);
  });
  afterAll(() => terminal?.close());

  // In this order: each row stands on those before it.
  const unset = { address1: "", city: "", state: "", zip: "", phone_public: "", website: "" };
  test.each([
    [
      ["locations", "create", "Berlin", "--timezone", "Europe/Berlin", "--country", "de"],
      { id: 2, name: "Berlin", ...unset, timezone: "Europe/Berlin" },
    ],
    [
      ["locations", "update", "2", "--phone-public", "030 1", "--city", "Berlin"],
      { id: 2, name: "Berlin", ...unset, city: "Berlin", phone_public: "030 1", timezone: "Europe/Berlin" },
    ],
    [
      ["locations", "update", "2", "--city", ""],
      { id: 2, name: "Berlin", ...unset, phone_public: "030 1", timezone: "Europe/Berlin" },
    ],
    [
      ["locations", "list"],
      [
        { id: 1, name: "Main Street", ...unset, timezone: "UTC" },
        { id: 2, name: "Berlin", ...unset, phone_public: "030 1", timezone: "Europe/Berlin" },
      ],
    ],
    [
      ["users", "invite", "Grace@acme.example", "--name", "Grace", "--role", "member", "--location", "2"],
      {
        id: expect.any(Number),
        email: "Grace@acme.example",
        role: "member",
        invite_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:3000\/invitation\/crm_invitation_[0-9A-Za-z]{36}$/),
      },
    ],
    [
      ["users", "invite-again", "GRACE@acme.example"],
      {
        id: expect.any(Number),
        email: "Grace@acme.example",
        role: "member",
        invite_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:3000\/invitation\/crm_invitation_[0-9A-Za-z]{36}$/),
      },
    ],
    [
      ["users", "reset-password", "GRACE@acme.example"],
      {
        id: expect.any(Number),
        email: "Grace@acme.example",
        reset_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:3000\/reset\/crm_reset_[0-9A-Za-z]{36}$/),
      },
    ],
    [
      ["users", "reset-password", "grace@acme.example", "--two-factor"],
      {
        id: expect.any(Number),
        email: "Grace@acme.example",
        reset_url: expect.stringContaining("/reset/crm_reset_"),
        two_factor: "was off",
      },
    ],
    [["users", "sessions", "grace@acme.example"], []],
    [["users", "sign-out", "grace@acme.example"], { id: expect.any(Number), email: "Grace@acme.example", ended: 0 }],
    [["workspaces", "two-factor", "1", "--required"], { id: 1, name: "Acme", two_factor_required: true }],
    [["workspaces", "two-factor", "Acme", "--no-required"], { id: 1, name: "Acme", two_factor_required: false }],
    [
      ["users", "list"],
      [
        {
          id: expect.any(Number),
          name: "ada@acme.example",
          email: "ada@acme.example",
          role: "owner",
          location_ids: null,
          has_joined: false,
        },
        {
          id: expect.any(Number),
          name: "Grace",
          email: "Grace@acme.example",
          role: "member",
          location_ids: [2],
          has_joined: false,
        },
      ],
    ],
    [
      ["users", "update", "grace@ACME.example", "--role", "manager"],
      { id: expect.any(Number), name: "Grace", email: "Grace@acme.example", role: "manager", location_ids: [2] },
    ],
    [
      ["users", "update", "grace@acme.example", "--location", "2", "--location", "1"],
      { id: expect.any(Number), name: "Grace", email: "Grace@acme.example", role: "manager", location_ids: [1, 2] },
    ],
    [
      ["users", "update", "grace@acme.example", "--role", "member", "--all-locations"],
      { id: expect.any(Number), name: "Grace", email: "Grace@acme.example", role: "member", location_ids: null },
    ],
    [
      ["users", "update", "GRACE@acme.example", "--name", "Grace Hopper", "--email", "hopper@acme.example"],
      {
        id: expect.any(Number),
        name: "Grace Hopper",
        email: "hopper@acme.example",
        role: "member",
        location_ids: null,
      },
    ],
    [
      ["users", "update", "hopper@acme.example", "--email", "Grace@acme.example", "--role", "manager"],
      {
        id: expect.any(Number),
        name: "Grace Hopper",
        email: "Grace@acme.example",
        role: "manager",
        location_ids: null,
      },
    ],
    [
      ["users", "update", "1", "--name", "Ada"],
      { id: 1, name: "Ada", email: "ada@acme.example", role: "owner", location_ids: null },
    ],
    [["workspaces", "update", "1", "--name", "Acme Ltd"], { id: 1, name: "Acme Ltd" }],
    [["workspaces", "list"], [{ id: 1, name: "Acme Ltd" }]],
    [["workspaces", "update", "1", "--name", "Acme"], { id: 1, name: "Acme" }],
    [
      ["users", "remove", "GRACE@acme.example", "--yes"],
      { id: expect.any(Number), email: "Grace@acme.example", removed: true },
    ],
    [["users", "list"], [expect.objectContaining({ email: "ada@acme.example" })]],
    [
      [
        "pipelines",
        "create",
        "Repairs",
        "--stage",
        "Step 1: look:open",
        "--stage",
        "Done:won:#27AE60",
        "--location",
        "2",
      ],
      {
        id: 3,
        name: "Repairs",
        stages: [
          { id: 11, name: "Step 1: look", kind: "open", color: null },
          { id: 12, name: "Done", kind: "won", color: "#27AE60" },
        ],
      },
    ],
    [
      ["pipelines", "list", "--location", "2"],
      [
        { id: 2, name: "Sales", stages: expect.objectContaining({ length: 5 }) },
        { id: 3, name: "Repairs", stages: [expect.objectContaining({ id: 11 }), expect.objectContaining({ id: 12 })] },
      ],
    ],
    [["tags", "create", "VIP", "--color", "#A1b2c3"], { id: 1, name: "VIP", color: "#A1b2c3" }],
    [["tags", "create", " arrears "], { id: 2, name: "arrears", color: null }],
    [
      ["tags", "list"],
      [
        { id: 2, name: "arrears", color: null },
        { id: 1, name: "VIP", color: "#A1b2c3" },
      ],
    ],
    [["tags", "rename", "vip", "Very important"], { id: 1, name: "Very important", color: "#A1b2c3" }],
    [["tags", "rename", "1", "VIP", "--color", "#000000"], { id: 1, name: "VIP", color: "#000000" }],
    [["tags", "rename", "vip", "--color", ""], { id: 1, name: "VIP", color: null }],
    [["tags", "rename", "vip", "--color", "#A1b2c3"], { id: 1, name: "VIP", color: "#A1b2c3" }],
    [["tags", "delete", "Arrears", "--yes"], { id: 2, name: "arrears", deleted: true, contacts: 0 }],
    [["tags", "list"], [{ id: 1, name: "VIP", color: "#A1b2c3" }]],
    [["tags", "create", "1"], { id: 3, name: "1", color: null }],
  ])("crm %j gives %j", async (parameters, expected) => {
    expect(await terminal.json(...parameters)).toEqual(expected);
  });

  test.each([
    [
      ["locations", "create", "", "--timezone", "Mars/Base"],
      1,
      "NAME is required. --timezone must be an IANA time zone name, such as America/New_York.",
    ],
    [["locations", "create", "x", "--country", "XX"], 1, "--country must be a two-letter country code, such as US."],
    [
      ["locations", "update", "77", "--name", "x"],
      1,
      "There is no location 77; there are 1 (Main Street), 2 (Berlin).",
    ],
    [["locations", "update", "1"], 2, "Nothing to change: give at least one field, such as --name."],
    [["locations", "list", "--workspace", "77"], 1, "There is no workspace 77; there are 1 (Acme)."],
    [["contacts", "list", "--location", "99"], 1, "There is no location 99; there are 1 (Main Street), 2 (Berlin)."],
    [
      ["hooks", "list", "--location", "Paris"],
      1,
      'There is no location "Paris"; there are 1 (Main Street), 2 (Berlin).',
    ],
    [["contacts", "list", "--location", " "], 2, '--location is " "; expected an id or a name.'],
    [
      ["users", "invite", "ADA@acme.example", "--role", "member"],
      1,
      "The email belongs to a member of this workspace already.",
    ],
    [
      ["users", "invite", "x@acme.example", "--role", "member", "--location", "77"],
      1,
      "There is no location 77; there are 1 (Main Street), 2 (Berlin).",
    ],
    [["users", "remove", "ada@acme.example", "--yes"], 1, "The last owner of a workspace cannot be removed."],
    [["workspaces", "update", "77", "--name", "x"], 1, "There is no workspace 77; there are 1 (Acme)."],
    [["workspaces", "update", "1", "--name", " "], 1, "--name is required."],
    [["workspaces", "update", "1"], 2, "Missing: --name. See crm workspaces update --help."],
    [["users", "update", "1", "--email", "nonsense"], 1, "--email must be a valid email address."],
    [["users", "update", "1", "--email", ""], 1, "--email is required."],
    [["users", "update", "1", "--name", " "], 1, "--name is required."],
    [["users", "update", "77", "--name", "x"], 1, "There is no such person."],
    [["users", "remove", "nobody@acme.example", "--yes"], 1, "There is no such person."],
    [["users", "reset-password", "nobody@acme.example"], 1, "There is no such person."],
    [["users", "sessions", "nobody@acme.example"], 1, "There is no such person."],
    [
      ["users", "sign-out", "ada@acme.example", "--session", "x"],
      2,
      '--session is "x"; expected an id, a whole number from 1.',
    ],
    [["workspaces", "two-factor", "1"], 2, "Missing: --required. See crm workspaces two-factor --help."],
    [
      ["users", "remove", "ada@acme.example"],
      2,
      "This would remove ada@acme.example from the workspace: add --yes to confirm.",
    ],
    [
      ["users", "update", "ada@acme.example"],
      2,
      "Nothing to change: give at least one of --name, --email, --role, --location and --all-locations.",
    ],
    [
      ["users", "update", "ada@acme.example", "--role", "member"],
      1,
      "The last owner of a workspace cannot be demoted. Make another person an owner first.",
    ],
    [
      ["users", "update", "ada@acme.example", "--location", "1"],
      1,
      "Owners have access to every location. To limit the locations, change the role too.",
    ],
    [
      ["users", "update", "ada@acme.example", "--location", "1", "--all-locations"],
      2,
      "--location=1 cannot also be provided when using --all-locations. See crm users update --help.",
    ],
    [["users", "update", "nobody@acme.example", "--role", "owner"], 1, "There is no such person."],
    [["tags", "rename", "none such", "x"], 1, "There is no such tag."],
    [["tags", "rename", "VIP", " "], 1, "NAME is required."],
    [["tags", "rename", "VIP"], 2, "Nothing to change: give NAME or --color."],
    [["tags", "rename", "VIP", "--color", "red"], 1, "--color must be a color such as #1a2b3c."],
    [["tags", "rename", "VIP", "1"], 1, "NAME has already been taken."],
    [["tags", "delete", "77", "--yes"], 1, "There is no such tag."],
    [
      ["tags", "delete", "1", "--yes"],
      2,
      '"1" is the id of one tag (VIP) and the name of another (3); expected "VIP" or 3.',
    ],
    [["tags", "delete", "vip"], 2, "This would delete tag 1 (VIP), which 0 contacts have: add --yes to confirm."],
    [
      ["pipelines", "create", "x", "--stage", "One", "--stage", " one:won", "--location", "1"],
      1,
      "--stage must not contain two stages with the same name.",
    ],
    [
      ["pipelines", "create", "x", "--stage", "One:maybe", "--location", "1"],
      2,
      '--stage is "One:maybe"; expected NAME:KIND, where KIND is open, won or lost, such as "Proposal:open".',
    ],
    [["tags", "create", "vip"], 1, "NAME has already been taken."],
    [["tags", "create", "x", "--color", "red"], 1, "--color must be a color such as #1a2b3c."],
  ])("crm %j exits %i with one sentence", async (parameters, code, sentence) => {
    expect(await terminal.run(parameters)).toMatchObject({ code, stdout: "", stderr: `Error: ${sentence}\n` });
  });

  test.each([
    [
      ["users", "invite", "x@acme.example", "--role", "boss"],
      /^Error: --role is "boss"; expected one of owner, manager, member\.\n$/,
    ],
    [["users", "invite", "--role", "member"], /^Error: Missing: EMAIL\. See crm users invite --help\.\n$/],
    [["apps", "publish", "first"], /^Error: ID is "first"; expected an id, a whole number from 1\.\n$/],
    [
      ["tags", "create", "x", "--colour", "#000000"],
      /^Error: --colour is not a flag of crm tags create\. Did you mean --color\? /,
    ],
  ])("crm %j is wrong usage", async (parameters, says) => {
    const { code, stdout, stderr } = await terminal.run(parameters);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(says);
  });

  it("needs to be told the workspace once there are several", async () => {
    const other = await terminal.json("workspaces", "create", "Other");
    expect(other).toEqual({ id: 2, name: "Other" });
    expect(await terminal.run(["tags", "list"])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: "Error: There are several workspaces; choose one with --workspace: 1 (Acme), 2 (Other).\n",
    });
    expect(await terminal.json("tags", "list", "--workspace", "2")).toEqual([]);
    // The location says which workspace is meant.
    expect(await terminal.json("locations", "update", "1", "--city", "Springfield")).toMatchObject({
      city: "Springfield",
    });
    const elsewhere = await terminal.run(["locations", "update", "1", "--city", "x", "--workspace", "2"]);
    expect(elsewhere).toMatchObject({
      code: 1,
      stderr: 'Error: There is no location 1; there are none yet: run "crm locations create NAME" first.\n',
    });
    // One person in two workspaces is still one person.
    const again = await terminal.json("users", "invite", "ada@acme.example", "--role", "manager", "--workspace", "2");
    expect(again.id).toBe((await terminal.json("users", "list", "--workspace", "1"))[0].id);
  });

  it("finds a place by its name, and says the candidates where several have it", async () => {
    const third = await terminal.json("locations", "create", "  berlin", "--workspace", "other");
    expect(third).toMatchObject({ id: 3, name: "berlin" });
    const numbered = await terminal.json("locations", "create", "2", "--workspace", "Other");
    expect(numbered).toMatchObject({ id: 4, name: "2" });
    const ambiguous = await terminal.run(["contacts", "list", "--location", "BERLIN"]);
    expect(ambiguous).toMatchObject({
      code: 2,
      stdout: "",
      stderr:
        'Error: Several locations are called "BERLIN"; choose one by its ID: 2 (Berlin, in Acme), 3 (berlin, in Other).\n',
    });
    const city = (...place: string[]) => terminal.json("locations", "update", ...place, "--city", "x");
    expect(await city("Main street")).toMatchObject({ id: 1 });
    expect(await city("Berlin", "--workspace", "Other")).toMatchObject({ id: 3 });
    expect(await city("Berlin", "--workspace", "1")).toMatchObject({ id: 2 });
    // An id before a name.
    expect(await city("2")).toMatchObject({ id: 2 });
    expect(await city("2", "--workspace", "Other")).toMatchObject({ id: 4 });
    const person = ["users", "invite", "bo@acme.example", "--role", "member"];
    await terminal.json(...person, "--location", "main street", "--location", "2");
    const people = await terminal.json("users", "list", "--workspace", "acme");
    expect(people.at(-1)).toMatchObject({ email: "bo@acme.example", location_ids: [1, 2] });
    await terminal.json("users", "update", "bo@acme.example", "--location", "Main Street");
    expect((await terminal.json("users", "list", "--workspace", "acme")).at(-1)).toMatchObject({ location_ids: [1] });
    expect(await terminal.json("keys", "create", "x", "--location", "Main Street")).toMatchObject({
      location_ids: [1],
    });
    expect(await terminal.json("hooks", "list", "--location", "Main Street")).toEqual([]);
    expect(await terminal.json("billing", "ledger", "--location", "Main Street")).toEqual([]);
  });

  it("prints tables that a name cannot break", async () => {
    await terminal.json("contacts", "create", "--first-name", "red\u001b[31m\nalert", "--location", "1");
    const { stdout } = await terminal.run(["contacts", "list", "--location", "1"]);
    expect(stdout).toContain("alert");
    expect(stdout).not.toContain("\u001b");
    expect(stdout.trimEnd().split("\n")).toHaveLength(2);
  });
});
