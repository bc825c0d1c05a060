/** What reads off a statement whether it stays within one workspace. */
import { loadModule } from "libpg-query";
import { describe, expect, test } from "vitest";
import { joinedTablesOf } from "../support/workspaces/joined-tables.ts";

await loadModule();

const awayOf = (text: string): string[] => joinedTablesOf(text).flatMap(({ table, isGiven }) => (isGiven ? [] : table));

describe("stays within one workspace:", () => {
  test.each([
    "select id from contacts where location_id = $1",
    "select id from contacts where id in ($1, $2) for update",
    "select id from contacts where id = any($1)",
    "select id from contacts where id in (select cast(value as bigint) from json_array_elements_text(cast($1 as json)))",
    "select id from contacts where id in (select unnest(array(select cast(value as bigint) from json_array_elements_text(cast($1 as json)))))",
    "update tasks set title = g.title from unnest(array(select json_array_elements(cast($1 as json)))) as one cross join lateral json_to_record(one) as g(id bigint, title text) where tasks.id = g.id",
    "select c.id from (select cast($1 as bigint) as owner) as given cross join contacts c where c.location_id = any(array[given.owner])",
    "select c.id from (select cast($1 as bigint) as owner) as given cross join contacts c where (c.location_id, c.id) > (given.owner, $2) and c.location_id <= given.owner",
    "select id from contacts where (location_id, id) > ($1, 5) and (location_id, id) <= ($1, 7)",
    "select name from locations where (workspace_id, id) = ($1, $2)",
    "select id from api_keys where hash = $1",
    "select t.id from tasks t join contacts c on c.id = t.contact_id where c.location_id = $1",
    "select t.id from tasks t, contacts c where c.id = t.contact_id and t.location_id = $1",
    "select c.id, t.title from contacts c left join tasks t on t.id = c.next_task_id where c.id = $1",
    "select c.id, (select count(*) from notes where contact_id = c.id) from contacts c where c.id = $1",
    "select id from contacts c where exists (select 1 from contact_tags t where t.contact_id = c.id and t.tag_id = $1)",
    "select id from contacts where id in (select contact_id from contact_tags where tag_id = $1)",
    "select id from contacts where (id = $1 and name = $2) or location_id = $3",
    "with few as (select id from tasks where location_id = $1) select n.id from few join tasks n on n.id = few.id",
    "select id from contacts where id in (select contact_id from tasks where id = $1 union select contact_id from notes where id = $2)",
    "update tasks set title = c.name from contacts c where c.id = tasks.contact_id and c.location_id = $1",
    "delete from tasks using contacts c where c.id = tasks.contact_id and c.id = $1 returning tasks.id",
    "insert into notes (contact_id, body) values ($1, $2) on conflict do nothing",
    "insert into tasks (title) select name from contacts where id = $1",
    "with recursive path as (select id from workflow_runs where id = $1 union all select r.id from workflow_runs r join path on r.cause_run_id = path.id) select id from path",
    "select h.id from hooks h join app_installs i on i.location_id = cast(cast(h.location_ids as json) ->> 0 as bigint) where h.id = $1",
    "select u.name from users u where u.id = $1",
  ])("%s", (text) => expect(awayOf(text)).toEqual([]));
});

describe("reads rows of any workspace:", () => {
  test.each<[text: string, tables: string[]]>([
    ["select id from contacts", ["contacts"]],
    ["select id from contacts where name_key = $1 and id > $2", ["contacts"]],
    ["select id from contacts where location_id <> $1", ["contacts"]],
    ["select id from contacts where (location_id, id) > ($1, 5) and location_id <= $2", ["contacts"]],
    ["select id from contacts where location_id >= $1 and id <= $1", ["contacts"]],
    ["select id from contacts where (location_id, id) > ($1, 5) and (location_id, id) > ($1, 7)", ["contacts"]],
    ["select id from contacts where location_id >= $1 or location_id <= $1", ["contacts"]],
    ["select id from contacts where not (location_id = $1)", ["contacts"]],
    ["select id from contacts where location_id = $1 or name_key = $2", ["contacts"]],
    // The same number in tables of different records.
    ["select t.id from tasks t join contacts c on c.id = t.id where c.location_id = $1", ["tasks"]],
    // Of one person, one app, or one name.
    ["select t.id from contacts c join tasks t on t.assignee_id = c.owner_id where c.id = $1", ["tasks"]],
    ["select i.id from app_installs i join app_installs o on o.app_id = i.app_id where o.id = $1", ["app_installs"]],
    ["select o.id from contacts c join contacts o on o.email_key = c.email_key where c.id = $1", ["contacts"]],
    ["select id from contacts where id in (select unnest(array(select t.id from tasks t)))", ["contacts", "tasks"]],
    ["select id from contacts, tags where tags.id = $1", ["contacts"]],
    // What an outer join asks for restricts nothing to its left.
    ["select c.id from contacts c left join locations l on l.id = c.location_id and l.workspace_id = $1", ["contacts"]],
    [
      "select c.id, (select n.id from notes n where n.contact_id = c.id and c.location_id = $1) from contacts c",
      ["contacts", "notes"],
    ],
    ["select id from contacts where id not in (select contact_id from tasks where id = $1)", ["contacts"]],
    [
      "select id from contacts where id in (select contact_id from tasks where id = $1 union select contact_id from notes)",
      ["contacts", "notes"],
    ],
    [
      "select c.id from contacts c where c.id = $1 and exists (select 1 from tasks where tasks.title = c.name)",
      ["tasks"],
    ],
    ["update tasks set title = c.name from contacts c where c.id = $1", ["tasks"]],
    ["insert into tasks (title) select name from contacts", ["contacts"]],
    ["with all_of as (select id from tasks) select id from all_of", ["tasks"]],
  ])("%s", (text, tables) => expect(awayOf(text).toSorted()).toEqual(tables));
});
