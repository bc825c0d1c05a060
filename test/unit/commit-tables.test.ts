/** The tables that a transaction writes are read from its statements, and told together. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
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
  ["delete from custom_values where id in (select id from contacts for update)", ["custom_values"]],
])("%s writes %j", (text, tables) => {
  for (const isConstant of [true, true, false]) {
    const written = new CommitTables();
    written.note(text, isConstant);
    expect([...written.told()!]).toEqual(tables);
  }
});

it("tells no table of which it takes, and none at all where an EntityManager writes", () => {
  const written = new CommitTables();
  written.keepUntold(["deliveries"]);
  written.note({ sqlite: "update deliveries set due_at = ?", postgres: "update hooks set id = 1" }, true);
  expect([...written.told()!]).toEqual(["hooks"]);
  written.noteUnknown();
  expect(written.told()).toBeNull();
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
