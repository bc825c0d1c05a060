/** The tables that a transaction writes are read from its statements, and announced together; those that duties name exist. */
import { setTimeout as sleep } from "node:timers/promises";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { entities } from "../../src/entities.ts";
import { announceCommits } from "../../src/storage/commits/announcements.ts";
import { CommitTables } from "../../src/storage/commits/commit-tables.ts";
import type { WrittenTables } from "../../src/vocabulary/written-tables.ts";

it.each([
  ["select * from contacts where id = ? for update", []],
  ["select * from contacts where id = ? for no key update of contacts", []],
  ["insert into notes (body) values (?)", ["notes"]],
  [
    'with inserted as (insert into "events" ("id") values ($1)) insert into unstamped_events select 1',
    ["events", "unstamped_events"],
  ],
  ["UPDATE hook_queues\n  set due_at = ?", ["hook_queues"]],
  ["with given(id) as (values (1)) update contacts set city = given.id from given", ["contacts"]],
  ["with taken as (delete from unstamped_events returning event_id) select 1 from taken", ["unstamped_events"]],
  ["insert into hook_queues (hook_id) values (?) on conflict (hook_id) do update set due_at = ?", ["hook_queues"]],
  ["insert or ignore into messages (id) values (?)", ["messages"]],
  ["delete from custom_values where id in (select id from contacts for update)", ["custom_values"]],
])("%s writes %j", (text, tables) => {
  for (const isConstant of [true, true, false]) {
    const written = new CommitTables("sqlite");
    written.note(text, isConstant);
    expect([...written.written()!]).toEqual(tables);
  }
});

it.each([
  ["sqlite", "notes"],
  ["postgres", "hooks"],
] as const)("on %s it reads the statement that runs there", (dialect, table) => {
  const written = new CommitTables(dialect);
  written.note({ sqlite: "update notes set id = 1", postgres: "update hooks set id = 1" }, true);
  expect([...written.written()!]).toEqual([table]);
});

it("leaves out tables from which it takes work, and knows none where an EntityManager writes", () => {
  const written = new CommitTables("sqlite");
  written.exclude(["deliveries"]);
  written.note("update deliveries set due_at = ?", true);
  written.note("update hooks set id = 1", true);
  expect([...written.written()!]).toEqual(["hooks"]);
  written.noteUnknown();
  expect(written.written()).toBeNull();
});

it.each([
  {
    what: "the tables of all commits",
    added: [new Set(["events"]), new Set(["events", "notes"])],
    heard: ["events", "notes"],
  },
  { what: "any table where one is unknown", added: [new Set(["events"]), null, new Set(["notes"])], heard: null },
  { what: "any table where the names are too long", added: [new Set(["t".repeat(8000)])], heard: null },
])("commits within some milliseconds are announced together, as $what", async ({ added, heard }) => {
  const sent: string[] = [];
  const announcing = announceCommits(async (payload) => sent.push(payload));
  const listening = announceCommits(async () => {});
  for (const tables of added) announcing.add(tables);
  await sleep(50);
  expect(sent).toHaveLength(1);
  const read = ({ read }: typeof announcing): (string[] | null)[] => {
    const told: WrittenTables[] = [];
    read(sent[0], (tables) => told.push(tables));
    return told.map((tables) => tables && [...tables]);
  };
  expect([read(listening), read(announcing)]).toEqual([[heard], []]);
});

it("every table that a duty or a transaction names is one of an entity", () => {
  const folder = join(import.meta.dirname, "../../src");
  const lists = globSync("**/*.ts", { cwd: folder }).flatMap((path) =>
    [...readFileSync(join(folder, path), "utf8").matchAll(/(?:wokenBy: |takesFrom\()\[([^\]]+)\]/g)].map(
      ([, list]) => list!,
    ),
  );
  const names = lists.flatMap((list) => [...list.matchAll(/"(\w+)"/g)].map(([, name]) => name!));
  expect(names.length).toBeGreaterThan(20);
  const tables = new Set(entities.map(({ meta }) => meta.tableName));
  expect([...new Set(names)].filter((name) => !tables.has(name))).toEqual([]);
});
