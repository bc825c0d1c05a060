/** What reads locks off statements, and which orders of them are told. */
import { describe, expect, test } from "vitest";
import { LockOrder, readLockOrder } from "../support/locks/lock-order.ts";
import { locksOf } from "../support/locks/locks-of-statement.ts";

test.each<[text: string, locks: string[]]>([
  ["select id from contacts where id = $1", []],
  ["select id from contacts where id = $1 for update of contacts", ["contacts exclusive"]],
  ["select a.id from apps a where a.id = $1 for no key update of a", ["apps write"]],
  ["select m.id from memberships m where m.id = $1 for share of m", ["memberships share"]],
  ["select id from contacts where id = $1 for update skip locked", ["contacts exclusive, waits for nothing"]],
  ["select id from hooks where id in (select id from events) for update", ["hooks exclusive"]],
  [
    "update workflow_runs set due_at = $1 from (select id from workflow_runs where id in (select id from x) for update) as held",
    ["workflow_runs exclusive", "workflow_runs write"],
  ],
  ['delete from "contact_tags" where tag_id = $1', ["contact_tags delete"]],
  ["insert into notes (contact_id, body) values ($1, $2)", ["notes insert, waits for nothing", "contacts reference"]],
  [
    "insert into contact_tags (contact_id) values ($1) on conflict do nothing",
    ["contact_tags upsert", "contacts reference"],
  ],
  [
    "with taken as (insert into tags (name) values ($1) returning id) insert into audit_log (id) select id from taken on conflict do nothing",
    ["tags insert, waits for nothing", "audit_log upsert"],
  ],
  ["select pg_advisory_xact_lock(lock) from x", ["keys exclusive"]],
])("%s", (text, locks) => {
  expect(locksOf(text).map(({ kind, mode, waits }) => `${kind} ${mode}${waits ? "" : ", waits for nothing"}`)).toEqual(
    locks,
  );
});

const hold = (table: string) => ({
  text: `select id from ${table} where id = $1 for update of ${table}`,
  values: ["1"],
});
const keys = (...names: string[]) => ({ text: "select pg_advisory_xact_lock(x)", values: [JSON.stringify(names)] });
const say = (text: string) => ({ text, values: [] });

describe("a transaction", () => {
  test.each<[what: string, statements: { text: string; values: unknown[] }[], told: RegExp | undefined]>([
    ["in the order of the table", [say("begin"), keys("a"), hold("contacts"), hold("tasks")], undefined],
    ["against it", [say("begin"), hold("contacts"), keys("a")], /^against the order of the table: keys/],
    ["that ended in between", [say("begin"), hold("contacts"), say("commit"), say("begin"), keys("a")], undefined],
    ["of a statement each", [hold("contacts"), keys("a")].slice(0, 1), undefined],
    ["that locks the same again", [say("begin"), keys("a"), hold("contacts"), keys("a"), hold("contacts")], undefined],
    ["that locks keys twice", [say("begin"), keys("a"), keys("b")], /^keys are locked twice/],
    ["of what hangs on its contact", [say("begin"), hold("contacts"), hold("workflow_runs"), hold("tasks")], undefined],
    ["of the same without the contact", [say("begin"), hold("workflow_runs"), hold("tasks")], /^against the order/],
    ["with a kind that is not listed", [say("begin"), hold("contacts"), hold("ledger")], /^is in no row of the table/],
    ["with a lock that is not listed", [say("begin"), hold("hooks"), hold("hook_queues")], /no exclusive of hooks/],
  ])("%s", (_what, statements, told) => {
    const order = new LockOrder(readLockOrder());
    order.watch({ connection: {}, statements });
    expect(order.inversions).toEqual(told === undefined ? [] : [expect.stringMatching(told)]);
  });
});
