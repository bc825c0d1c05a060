/** Many triggers with long filters, and many events: they are judged in pieces, and locations take turns. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDefinitions } from "../../src/crm/workflows/engine/definitions.ts";
import { workflowNodes } from "../../src/crm/workflows/nodes/all.ts";
import { createFollower } from "../../src/crm/workflows/following/follower.ts";
import { databaseKinds } from "../support/databases.ts";
import { stampAll } from "../support/events.ts";
import { givenContact, made } from "../support/given.ts";
import { givenWorkflow } from "../support/workflows.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const [workflows, contacts] = [60, 100];
/** Which no contact meets. */
const filter = [
  { any: Array.from({ length: 19 }, (_, n) => ({ field: "last_name", op: "contains", value: `nobody ${n}` })) },
];

describe.each([...databaseKinds])("on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  test(
    "a trigger of another location fires after the first piece, and the event loop goes on meanwhile",
    { timeout: 60_000 },
    async () => {
      const { database, tools } = world.service;
      const follow = createFollower({
        database,
        tools,
        types: workflowNodes,
        definitions: createDefinitions(),
        log: { error: expect.fail, warn: expect.fail },
      });
      await stampAll(database);
      while ((await follow()) !== "done");
      const nodes = { rest: { type: "wait", for: "1d" } } as const;
      for (let n = 0; n < workflows; n += 1) {
        await givenWorkflow(world, nodes, { trigger: { event: "contact.created", filter } });
      }
      const south = await givenWorkflow(world, nodes, { trigger: { event: "contact.created" } });
      await database.transaction(({ rows }) =>
        rows("update workflows set location_id = ? where id = ?", [world.south, south]),
      );
      for (let done = 0; done < contacts; done += 100) {
        const batch = Array.from({ length: 100 }, (_, n) => ({
          first_name: "Ada",
          last_name: "x".repeat(100),
          email: `ada.${done + n}@busy.example`,
        }));
        await made(world.send("owner", "POST", "/contacts/bulk", { location_id: world.north, contacts: batch }));
      }
      const { id } = await givenContact(world, { location_id: world.south });
      await stampAll(database);

      let turns = 0;
      let isOver = false;
      const counting = (async () => {
        for (; !isOver; turns += 1) await nextTurn();
      })();
      await follow();
      isOver = true;
      await counting;

      expect(await database.rows("select contact_id from workflow_runs where workflow_id = ?", [south])).toEqual([
        { contact_id: id },
      ]);
      expect(turns).toBeGreaterThan(5);
      while ((await follow()) !== "done");
      expect(await database.rows("select location_id from workflow_runs")).toEqual([{ location_id: world.south }]);
    },
  );
});
