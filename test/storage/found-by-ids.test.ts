/** Records with given ids are looked up by these on SQLite, however many the location has: it would rather read all that an index lists. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { findConversations } from "../../src/crm/conversations/conversation.queries.ts";
import { findOpportunities } from "../../src/crm/opportunities/opportunity.queries.ts";
import { findNamed, namedOpportunities, namedTasks } from "../../src/crm/search/named-records.ts";
import { readSearch } from "../../src/crm/search/text-rank.ts";
import { findTasks } from "../../src/crm/tasks/task.queries.ts";
import type { LocationContext, Reader } from "../../src/events/caller.ts";
import type { SqlText } from "../../src/storage/sql-text.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const ids = Array.from({ length: 20 }, (_, index) => index + 1);

const reads: readonly (readonly [string, (reader: Reader<LocationContext>) => Promise<unknown>])[] = [
  ["conversations", (reader) => findConversations(reader, ids)],
  ["opportunities", (reader) => findOpportunities(reader, ids)],
  ["tasks", (reader) => findTasks(reader, ids)],
  ["opportunities", (reader) => findNamed(reader, namedOpportunities, readSearch("roof repair"))],
  ["tasks", (reader) => findNamed(reader, namedTasks, readSearch("roof repair"))],
];

let world: World;
beforeAll(async () => {
  world = await createWorld("sqlite");
  // The text indexes of names are built.
  await world.service.worker.runOnce();
});
afterAll(() => world?.close());

test.each(reads)("%s (%#)", async (table, read) => {
  const reader = await world.service.inLocation(world.acme, world.north);
  const texts: string[] = [];
  const watched: Reader<LocationContext> = {
    ...reader,
    rows(text: string | SqlText, params) {
      texts.push(typeof text === "string" ? text : text.sqlite);
      return reader.rows(text, params);
    },
  };

  await read(watched);

  const found = texts.filter((text) => text.includes(`from ${table}`) && text.includes("json_each"));
  expect(found).toHaveLength(1);
  const steps = await world.service.database.rowsOnce<{ detail: string }>(
    `explain query plan ${found[0]!}`,
    [...found[0]!.matchAll(/\?/g)].map(() => "[]"),
  );
  expect(steps.map(({ detail }) => detail)).toContain(`SEARCH ${table} USING INTEGER PRIMARY KEY (rowid=?)`);
});
