/** Fair scheduling of runs by location: thousands of due runs in one location do not delay those of others. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databaseKinds } from "../support/databases.ts";
import { givenContact } from "../support/given.ts";
import { givenRun, givenWorkflow } from "../support/workflows.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const many = 1500;

describe.each([...databaseKinds])("on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  it(
    "a run of a small location goes on within the first turns, whatever is due for longer in another",
    { timeout: 60_000 },
    async () => {
      const workflow = await givenWorkflow(world, { exit: { type: "exit" } }, { allowReentry: true });
      const contacts: number[] = [];
      for (let n = 0; n < many / 100; n += 1) contacts.push((await givenContact(world)).id);
      for (const contact of contacts) await givenRun(world, workflow, contact);
      const { database } = world.service;
      const columns =
        "location_id, workflow_id, version_id, contact_id, status, current_node_id, due_at, context, enrolled_at";
      await database.transaction(({ rows }) =>
        rows(`insert into workflow_runs (${columns})
        with recursive numbers(n) as (select 2 union all select n + 1 from numbers where n < 100)
        select ${columns} from workflow_runs cross join numbers`),
      );
      // The last to be due, and with the highest id.
      world.clock.advance({ seconds: 1 });
      const small = await givenWorkflow(world, { exit: { type: "exit" } });
      const { id: contact } = await givenContact(world);
      const run = await givenRun(world, small, contact);
      await database.transaction(async ({ rows }) => {
        await rows("update contacts set location_id = ? where id = ?", [world.south, contact]);
        await rows("update workflows set location_id = ? where id = ?", [world.south, small]);
        await rows("update workflow_runs set location_id = ? where id = ?", [world.south, run]);
      });

      await world.service.worker.runOnce();

      const ends = await database.rows<{ contact_id: number }>(
        "select contact_id from events where event = 'workflow.run_finished' order by id",
      );
      expect(ends).toHaveLength(many + 1);
      // A turn takes 32 runs at most. The first one may have begun with the other location, and the next overlaps with it.
      expect(ends.findIndex(({ contact_id }) => contact_id === contact)).toBeLessThan(3 * 32);
    },
  );
});
