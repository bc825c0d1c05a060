/** The code keeps the rules of ARCHITECTURE.md, and each rule is seen failing on a tiny set of files that breaks it. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import {
  crmPartOf,
  crmRanks,
  findViolations,
  ranks,
  roomOf,
  marketplacePartOf,
  marketplaceRanks,
} from "./support/architecture.ts";
import { findRepeatedNames } from "./support/repeated-names.ts";

const root = join(import.meta.dirname, "..");

/** A map that draws these folders. */
const drawing = (...folders: string[]) => ["```", ...folders.map((folder) => `  ${folder}/`), "```"].join("\n");
const drawn =
  "kit time storage migrations sqlite events http tenancy users crm marketplace oauth notes tags tasks contacts".split(
    " ",
  );
const map = drawing(...drawn);

type Row = { rule: string; files: Record<string, string>; says: string[] };

describe("an import points to a lower rank", () => {
  test.each<Row>([
    {
      rule: "up",
      files: { "src/kit/money.ts": 'import { Contact } from "../crm/contact.entity.ts";' },
      says: ["src/kit/money.ts imports src/crm/contact.entity.ts: kit lies below crm."],
    },
    {
      rule: "up, to the settings",
      files: { "src/kit/money.ts": 'import { loadSettings } from "../../config/settings.ts";' },
      says: ["src/kit/money.ts imports config/settings.ts: kit lies below config/settings."],
    },
    {
      rule: "sideways, higher up",
      files: { "src/crm/contact.entity.ts": 'import { App } from "../marketplace/app.entity.ts";' },
      says: ["src/crm/contact.entity.ts imports src/marketplace/app.entity.ts: crm lies beside marketplace."],
    },
    {
      rule: "settings that know what they set",
      files: { "config/settings.ts": 'import { openDatabase } from "../src/storage/open-database.ts";' },
      says: ["config/settings.ts imports src/storage/open-database.ts: config/settings lies below storage."],
    },
    {
      rule: "up, inside crm",
      files: { "src/crm/tags/tag.service.ts": 'import { getContact } from "../contacts/contact.queries.ts";' },
      says: [
        "src/crm/tags/tag.service.ts imports src/crm/contacts/contact.queries.ts: crm/tags lies below crm/contacts.",
      ],
    },
    {
      rule: "sideways, inside crm",
      files: { "src/crm/notes/note.service.ts": 'import { createTask } from "../tasks/task.service.ts";' },
      says: ["src/crm/notes/note.service.ts imports src/crm/tasks/task.service.ts: crm/notes lies beside crm/tasks."],
    },
    {
      rule: "a lower part of marketplace",
      files: {
        "src/marketplace/oauth/client.queries.ts": 'import { findInstall } from "../installs/install.queries.ts";',
      },
      says: [
        "src/marketplace/oauth/client.queries.ts imports src/marketplace/installs/install.queries.ts: marketplace/oauth lies below marketplace/installs.",
      ],
    },
    {
      rule: "a type alone",
      files: { "src/http/http-response.ts": 'import type { User } from "../tenancy/user.entity.ts";' },
      says: ["src/http/http-response.ts imports src/tenancy/user.entity.ts: http lies below tenancy."],
    },
    {
      rule: "a type without an import statement",
      files: { "src/http/http-response.ts": 'export type User = import("../tenancy/user.entity.ts").User;' },
      says: ["src/http/http-response.ts imports src/tenancy/user.entity.ts: http lies below tenancy."],
    },
    {
      rule: "an import() while running",
      files: { "src/http/http-response.ts": 'export const later = () => import("../tenancy/user.entity.ts");' },
      says: ["src/http/http-response.ts imports src/tenancy/user.entity.ts: http lies below tenancy."],
    },
    {
      rule: "an import() in backticks",
      files: { "src/http/http-response.ts": "export const later = () => import(`../tenancy/user.entity.ts`);" },
      says: ["src/http/http-response.ts imports src/tenancy/user.entity.ts: http lies below tenancy."],
    },
    {
      rule: "a name handed on",
      files: { "src/http/http-response.ts": 'export { User } from "../tenancy/user.entity.ts";' },
      says: ["src/http/http-response.ts imports src/tenancy/user.entity.ts: http lies below tenancy."],
    },
    {
      rule: "everything handed on",
      files: { "src/http/http-response.ts": 'export * from "../tenancy/user.entity.ts";' },
      says: ["src/http/http-response.ts imports src/tenancy/user.entity.ts: http lies below tenancy."],
    },
    {
      rule: "the service asking a command",
      files: { "src/service.ts": 'import Serve from "../commands/serve.ts";' },
      says: ["src/service.ts imports commands/serve.ts: service lies below commands."],
    },
    {
      rule: "a test's tool in the product",
      files: { "src/kit/time/clock.ts": 'import "../../../test/support/manual-clock.ts";' },
      says: ["src/kit/time/clock.ts imports test/support/manual-clock.ts, which lies in no room."],
    },
  ])("refused: $rule", ({ files, says }) => expect(findViolations(files, map)).toEqual(says));

  test.each<{ what: string; files: Record<string, string> }>([
    {
      what: "down",
      files: { "src/crm/contact.entity.ts": 'import { Location } from "../tenancy/location.entity.ts";' },
    },
    { what: "within a room", files: { "src/kit/a.ts": 'import "./b.ts";', "src/kit/b.ts": "" } },
    { what: "within a folder of crm", files: { "src/crm/notes/note.view.ts": 'import "./note.entity.ts";' } },
    { what: "within the settings", files: { "config/settings.ts": 'import "./settings.values.ts";' } },
    { what: "the bin over all", files: { "bin/crm.js": 'import "../commands/serve.ts";' } },
    { what: "a package", files: { "src/http/app.ts": 'import { H3 } from "h3";' } },
    {
      what: "a file of data",
      files: { "src/http/openapi.ts": 'import about from "../../package.json" with { type: "json" };' },
    },
    {
      what: "a comment and a text",
      files: { "src/kit/a.ts": '// import "../crm/a.ts"\nexport const b = "import(\'../crm/a.ts\')";' },
    },
  ])("allowed: $what", ({ files }) => expect(findViolations(files, map)).toEqual([]));
});

describe("a text of SQL names tables of its own room or of lower ones", () => {
  const entities = {
    "src/tenancy/users/user.entity.ts": 'defineEntity({ tableName: "users" })',
    "src/crm/contact.entity.ts":
      'defineEntity({ tableName: "contacts" }); defineEntity({ tableName: "contact_counts" })',
    "src/crm/notes/note.entity.ts": 'defineEntity({ tableName: "notes" })',
    "src/crm/tasks/task.entity.ts": 'defineEntity({ tableName: "tasks" })',
  };
  test.each<Row>([
    {
      rule: "a higher room's",
      files: { "src/tenancy/users/user.queries.ts": 'rows("select 1 from users join notes on true");' },
      says: [
        "src/tenancy/users/user.queries.ts names the table notes of src/crm/notes/note.entity.ts: tenancy lies below crm.",
      ],
    },
    {
      rule: "a neighbour's, in backticks after a value",
      files: { "src/crm/tasks/task.queries.ts": "rows(`select ${columns} from notes`);" },
      says: [
        "src/crm/tasks/task.queries.ts names the table notes of src/crm/notes/note.entity.ts: crm/tasks lies beside crm/notes.",
      ],
    },
    {
      rule: "one written to, whatever the spelling",
      files: { "src/crm/contact-activity.ts": "rows('UPDATE \"tasks\" set x = 1');" },
      says: [
        "src/crm/contact-activity.ts names the table tasks of src/crm/tasks/task.entity.ts: crm/contact lies below crm/tasks.",
      ],
    },
    {
      rule: "one that an insert is defined for",
      files: { "src/events/record.ts": 'defineInsert("contact_counts", ["delta"]);' },
      says: [
        "src/events/record.ts names the table contact_counts of src/crm/contact.entity.ts: events lies below crm.",
      ],
    },
  ])("refused: $rule", ({ files, says }) => expect(findViolations({ ...entities, ...files }, map)).toEqual(says));

  test.each<{ what: string; files: Record<string, string> }>([
    { what: "its own", files: { "src/crm/contact-activity.ts": 'rows("update contacts set x = 1");' } },
    {
      what: "lower ones",
      files: { "src/crm/contacts/contact.row.ts": 'rows("select 1 from contacts left join users, notes");' },
    },
    {
      what: "a migration",
      files: { "src/storage/migrations/sqlite/Migration1_notes.ts": 'this.addSql("insert into notes values (1)");' },
    },
    { what: "prose", files: { "src/tenancy/users/user.queries.ts": "/** Not from notes. */" } },
  ])("allowed: $what", ({ files }) => expect(findViolations({ ...entities, ...files }, map)).toEqual([]));
});

test("refuses a part of crm without a rank", () => {
  expect(findViolations({ "src/crm/garage/car.ts": "" }, drawing("crm", "garage"))).toEqual([
    'src/crm/garage/car.ts lies in no part of crm: ARCHITECTURE.md ("The direction") ranks them.',
  ]);
});

describe("nothing imports in a circle", () => {
  test.each<Row>([
    {
      rule: "two files",
      files: { "src/kit/a.ts": 'import "./b.ts";', "src/kit/b.ts": 'import type {} from "./a.ts";' },
      says: ["Files import in a circle: src/kit/a.ts → src/kit/b.ts → src/kit/a.ts."],
    },
    {
      rule: "three files, entered from outside",
      files: {
        "src/kit/z.ts": 'import "./a.ts";',
        "src/kit/a.ts": 'import "./b.ts";',
        "src/kit/b.ts": 'import "./c.ts";',
        "src/kit/c.ts": 'import "./a.ts";',
      },
      says: ["Files import in a circle: src/kit/a.ts → src/kit/b.ts → src/kit/c.ts → src/kit/a.ts."],
    },
    {
      rule: "a file and itself",
      files: { "src/kit/a.ts": 'import "./a.ts";' },
      says: ["Files import in a circle: src/kit/a.ts → src/kit/a.ts."],
    },
    {
      rule: "two folders of crm whose files do not",
      files: {
        "src/crm/notes/note.entity.ts": 'import "../tags/tag.entity.ts";',
        "src/crm/notes/note.view.ts": "",
        "src/crm/tags/tag.entity.ts": "",
        "src/crm/tags/tag.view.ts": 'import "../notes/note.view.ts";',
      },
      says: [
        "Parts of src/crm import in a circle: src/crm/notes → src/crm/tags → src/crm/notes.",
        "src/crm/tags/tag.view.ts imports src/crm/notes/note.view.ts: crm/tags lies below crm/notes.",
      ],
    },
    {
      rule: "a folder of crm and a file beside it that points back",
      files: {
        "src/crm/notes/note.entity.ts": 'import "../contact.entity.ts";',
        "src/crm/contact.entity.ts": 'import "./notes/note.view.ts";',
        "src/crm/notes/note.view.ts": "",
      },
      says: [
        "Parts of src/crm import in a circle: src/crm/notes → src/crm/contact.entity.ts → src/crm/notes.",
        "src/crm/contact.entity.ts imports src/crm/notes/note.view.ts: crm/contact lies below crm/notes.",
      ],
    },
  ])("refused: $rule", ({ files, says }) => expect(findViolations(files, map)).toEqual(says));

  it("lets two ways lead to one file", () => {
    const files = {
      "src/kit/a.ts": 'import "./b.ts"; import "./c.ts";',
      "src/kit/b.ts": 'import "./d.ts";',
      "src/kit/c.ts": 'import "./d.ts";',
      "src/kit/d.ts": "",
    };
    expect(findViolations(files, map)).toEqual([]);
  });
});

describe("a room keeps to itself what is its own", () => {
  const environment = "reads the environment";
  const time = "asks the globe for the time";
  test.each<Row>([
    ...["process.env.HOME", 'process["env"].HOME', "globalThis.process.env"].map((source) => ({
      rule: `the environment: ${source}`,
      files: { "commands/serve.ts": `export const home = ${source};` },
      says: [`commands/serve.ts ${environment} (${source.replace(/\.HOME$/, "")}): only config/settings.ts does.`],
    })),
    ...['import { env } from "node:process";', "const { env: e } = process;"].map((source) => ({
      rule: `the environment: ${source}`,
      files: { "src/service.ts": source },
      says: [
        `src/service.ts ${environment} (${source.replace(/^const |(?<=process);$/g, "")}): only config/settings.ts does.`,
      ],
    })),
    ...["new Date()", "Date.now()", "Date()", "new globalThis.Date()", 'Date["now"]()'].map((source) => ({
      rule: `the time: ${source}`,
      files: { "src/events/record.ts": `export const at = ${source};` },
      says: [`src/events/record.ts ${time} (${source}): use the Clock.`],
    })),
    ...[
      "better-sqlite3",
      "node:sqlite",
      "pg",
      "kysely",
      "kysely/helpers/sqlite",
      "@mikro-orm/sqlite",
      "@mikro-orm/postgresql",
    ].map((driver) => ({
      rule: `the driver: ${driver}`,
      files: { "src/tenancy/user.queries.ts": `import type {} from "${driver}";` },
      says: [`src/tenancy/user.queries.ts imports ${driver}: only storage names a driver or a dialect.`],
    })),
    ...[
      { source: 'const lock = { sqlite: "", postgres: " for update" };', names: ["postgres", "sqlite"] },
      { source: "const lock = { ['sqlite']: 1 };", names: ["sqlite"] },
      { source: 'if (database.dialect === "postgres") skip();', names: ["postgres"] },
      { source: "const url = `postgresql://${host}`;", names: ["postgresql://"] },
      { source: 'type Kind = "sqlite" | "other";', names: ["sqlite"] },
      { source: "export const isPostgres = true;", names: ["isPostgres"] },
    ].map(({ source, names }) => ({
      rule: `a dialect: ${source}`,
      files: { "src/tenancy/user.queries.ts": source },
      says: names.map(
        (name) => `src/tenancy/user.queries.ts names a database (${name}): only storage names a driver or a dialect.`,
      ),
    })),
    {
      rule: "a dialect as a name in a command",
      files: { "commands/serve.ts": 'const isFile = kind === "sqlite";' },
      says: ["commands/serve.ts names a database (sqlite): only storage names a driver or a dialect."],
    },
    {
      rule: "one of the two databases",
      files: { "src/service.ts": 'import "./storage/sqlite/sqlite.ts";', "src/storage/sqlite/sqlite.ts": "" },
      says: ["src/service.ts imports src/storage/sqlite/sqlite.ts: only storage names a driver or a dialect."],
    },
    {
      rule: "a command that knows MikroORM",
      files: { "commands/migrate.ts": 'import { MikroORM } from "@mikro-orm/core";' },
      says: [
        "commands/migrate.ts imports @mikro-orm/core: a command calls a function of the domain, not the database.",
      ],
    },
    {
      rule: "a service that parses",
      files: { "src/tenancy/users/user.service.ts": 'import { readInput } from "../../kit/input/read-input.ts";' },
      says: [
        "src/tenancy/users/user.service.ts imports src/kit/input/read-input.ts: input is read at the edge, by endpoints, commands and importers.",
      ],
    },
    ...[
      ["zod", "zod"],
      ["./user.schema.ts", "src/tenancy/users/user.schema.ts"],
    ].map(([specifier, target]) => ({
      rule: `a service that parses by itself: ${specifier}`,
      files: { "src/tenancy/users/user.service.ts": `import { schema } from "${specifier}";` },
      says: [
        `src/tenancy/users/user.service.ts imports ${target}: input is read at the edge, by endpoints, commands and importers.`,
      ],
    })),
    {
      rule: "a command that opens the database",
      files: { "commands/keys/create.ts": 'import { openDatabase } from "../../src/storage/open-database.ts";' },
      says: [
        "commands/keys/create.ts imports src/storage/open-database.ts: a command calls a function of the domain, not the database.",
      ],
    },
  ])("refused: $rule", ({ files, says }) => expect(findViolations(files, map)).toEqual(says));

  test.each<{ what: string; files: Record<string, string> }>([
    {
      what: "the environment in the settings",
      files: { "config/settings.sources.ts": "export const all = process.env;" },
    },
    { what: "the environment in the bin", files: { "bin/crm.js": "process.env.NODE_ENV;" } },
    { what: "the time in the clock", files: { "src/kit/time/clock.ts": "export const now = () => new Date();" } },
    { what: "a date made of a number", files: { "src/kit/cursor.ts": "export const at = (ms) => new Date(ms);" } },
    {
      what: "the type of what a service takes",
      files: { "src/tenancy/users/user.service.ts": 'import type { Invitation } from "./user.schema.ts";' },
    },
    {
      what: "a schema in the endpoints",
      files: {
        "src/tenancy/users/user.routes.ts": 'import { userInput } from "./user.schema.ts"; import { z } from "zod";',
      },
    },
    { what: "a dialect in storage", files: { "src/storage/locks.ts": 'const none = { sqlite: "", postgres: "" };' } },
    { what: "a dialect in a comment", files: { "src/crm/tags/tag.queries.ts": "// SQLite has one writer." } },
    {
      what: "the address of a database that users write, in the settings",
      files: { "config/settings.values.ts": 'export const isFile = (url) => url.startsWith("sqlite:");' },
    },
    {
      what: "the same in the help of a command",
      files: { "commands/serve.ts": 'export const examples = ["CRM_DATABASE_URL=postgres://crm@localhost/crm"];' },
    },
    { what: "a driver in storage", files: { "src/storage/sqlite.ts": 'import Database from "better-sqlite3";' } },
    {
      what: "MikroORM's core in an entity",
      files: { "src/tenancy/user.entity.ts": 'import { p } from "@mikro-orm/core";' },
    },
    { what: "a package that begins like a driver", files: { "src/http/app.ts": 'import "pg-not";' } },
  ])("allowed: $what", ({ files }) => expect(findViolations(files, map)).toEqual([]));
});

describe("a name says what it holds", () => {
  test.each<[path: string, step: string]>([
    ["src/kit/utils.ts", "utils.ts"],
    ["src/kit/text-utils.ts", "text-utils.ts"],
    ["src/crm/contact.helpers.ts", "contact.helpers.ts"],
    ["src/http/common/body.ts", "common"],
    ["src/tenancy/index.ts", "index.ts"],
    ["src/events/event-manager.ts", "event-manager.ts"],
    ["commands/base.ts", "base.ts"],
  ])("refused: %s", (path, step) => {
    expect(findViolations({ [path]: "" }, drawing(...drawn, "common"))).toEqual([
      `${path}: the name "${step}" does not say what it holds.`,
    ]);
  });

  test.each(["src/storage/database.ts", "src/crm/notes/note.index.ts", "src/http/base-url.ts"])(
    "allowed: %s",
    (path) => {
      expect(findViolations({ [path]: "" }, map)).toEqual([]);
    },
  );
});

describe("ARCHITECTURE.md draws every folder", () => {
  const files = { "src/crm/notes/note.entity.ts": "" };
  const says = ["src/crm/notes/ is a folder that the drawing of ARCHITECTURE.md does not show."];
  test.each<[writing: string, text: string, says: string[]]>([
    ["with its slash", "```\nsrc/\n  crm/   the product\n    tags/ notes/\n```", []],
    ["not at all", drawing("crm"), says],
    ["outside of the drawing", `${drawing("crm")} The notes live in crm/notes/.`, says],
    ["without its slash", "```\ncrm/ notes\n```", says],
    ["as part of another word", drawing("crm", "footnotes"), says],
    ["without the room", drawing("notes"), ["src/crm/ is a folder that the drawing of ARCHITECTURE.md does not show."]],
  ])("%s", (_writing, text, expected) => expect(findViolations(files, text)).toEqual(expected));

  it("refuses a room without a rank, named or not", () => {
    expect(findViolations({ "src/garage/car.ts": "" }, drawing("garage"))).toEqual([
      'src/garage/car.ts lies in no room: ARCHITECTURE.md ("The direction") ranks them.',
    ]);
  });
});

describe("no folder is a heap", () => {
  const heap = (folder: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, place) => [`${folder}/file-${place}.ts`, ""]));
  test.each<[what: string, files: Record<string, string>, says: string[]]>([
    ["fifteen files", heap("src/kit", 15), []],
    ["fifteen files and a room with as many", { ...heap("src/kit", 15), ...heap("src/kit/time", 15) }, []],
    ["one more", heap("src/kit", 16), ["src/kit/ holds 16 files in one heap: give it rooms, with 15 at the most."]],
    ["commands, whose paths are their names", heap("commands/keys", 17), []],
  ])("%s", (_what, files, says) => expect(findViolations(files, map)).toEqual(says));
});

test("a room's name is found from the path, on every rank", () => {
  const paths = [
    "src/kit/time/clock.ts",
    "src/crm/notes/note.entity.ts",
    "src/worker.ts",
    "config/settings.values.ts",
    "commands/keys/create.ts",
    "terminal/table.ts",
    "bin/oclif.js",
  ];
  expect(paths.map(roomOf)).toEqual(["kit", "crm", "worker", "config/settings", "commands", "terminal", "bin"]);
  expect(["src/kitchen.ts", "config/settingsfile.ts", "scripts/check.ts"].map(roomOf)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(new Set(ranks.flat()).size).toBe(ranks.flat().length);
});

describe("ARCHITECTURE.md ranks every room that exists, and no other", () => {
  const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
  const paths = globSync("{src,terminal,commands,config,bin}/**/*.{ts,js}", { cwd: root });
  test.each([
    { list: "the rooms", form: /An import points to a lower rank.*\n\n([^]+?)\n\n/, of: ranks, nameOf: roomOf },
    {
      list: "the parts of marketplace",
      form: /those of `marketplace\/`: ([^]+?)\.\n/,
      of: marketplaceRanks,
      nameOf: marketplacePartOf,
    },
    { list: "the parts of crm", form: /among the parts of `crm\/`: ([^]+?)\.\n/, of: crmRanks, nameOf: crmPartOf },
  ])("$list", ({ form, of, nameOf }) => {
    const [, list = ""] = form.exec(text) ?? [];
    const told = list.split("<").map((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, room]) => room).toSorted());
    const existing = new Set(paths.map(nameOf));
    const ranked = of.map((row) => row.filter((room) => existing.has(room)).toSorted());
    expect(told).toEqual(ranked.filter((row) => row.length > 0));
  });
});

describe("one name means one thing", () => {
  const says = (name: string) => [`${name} is declared in src/kit/a.ts and src/mail/b.ts: one name means one thing.`];
  test.each<[what: string, a: string, b: string, says: string[]]>([
    ["two types, exported or not", "interface Row {}", "export type Row = 1;", says("Row")],
    ["a class and a type", "export class Line {}", "type Line = 1;", says("Line")],
    ["two functions", "export function walk() {}", "export async function walk() {}", says("walk")],
    ["a function and a constant", "export function most() {}", "export const most = 4;", says("most")],
    ["two operations", "export const get = operation({});", "export const get = operation({});", says("get")],
    ["functions that stay in their files", "function walk() {}", "function walk() {}", []],
    [
      "an operation and the function that does its work",
      "export function get() {}",
      "export const get = operation({});",
      [],
    ],
    ["what one file takes from another", "export type Row = 1;", 'import type { Row } from "../kit/a.ts";', []],
  ])("%s", (_what, a, b, expected) =>
    expect(findRepeatedNames({ "src/kit/a.ts": a, "src/mail/b.ts": b })).toEqual(expected),
  );

  it("does not count migrations, which are written for both databases", () => {
    const migration = "export class Migration1_notes extends Migration {}";
    const paths = ["sqlite", "postgres"].map((kind) => `src/storage/migrations/${kind}/Migration1_notes.ts`);
    expect(findRepeatedNames(Object.fromEntries(paths.map((path) => [path, migration])))).toEqual([]);
  });
});

test("the code itself keeps every rule", () => {
  const mapPath = join(root, "ARCHITECTURE.md");
  expect(existsSync(mapPath), "ARCHITECTURE.md is missing: it names the folders that this test looks for").toBe(true);

  const paths = globSync("{src,terminal,commands,config,bin}/**/*.{ts,js}", { cwd: root });
  expect(paths).toContain("src/service.ts");
  const files = Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
  const violations = [...findViolations(files, readFileSync(mapPath, "utf8")), ...findRepeatedNames(files)];
  expect(violations, violations.join("\n")).toEqual([]);
  // It parses every file.
}, 120_000);
