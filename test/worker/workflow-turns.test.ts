/** Reads go on while a database in the process moves a batch of runs. */
import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { givenContact } from "../support/given.ts";
import { givenRun, givenWorkflow } from "../support/workflows.ts";
import { createWorld } from "../support/world.ts";

const notes = 40;
const contacts = 20;

it("a batch of runs lets the event loop turn before its commit", { timeout: 60_000 }, async () => {
  const world = await createWorld("sqlite");
  try {
    const { database, worker } = world.service;
    const nodes = Array.from({ length: notes }, (_, n) => [
      `n${n}`,
      { type: "add_note", body: `Note ${n} of {{contact.first_name}}`, ...(n + 1 < notes && { next: `n${n + 1}` }) },
    ]);
    const workflow = await givenWorkflow(world, Object.fromEntries(nodes));
    for (let n = 0; n < contacts; n += 1) await givenRun(world, workflow, (await givenContact(world)).id);
    let isOver = false;
    const moving = worker.runOnce().finally(() => (isOver = true));

    let most = 0;
    for (let turns = 0; !isOver; await setImmediate()) {
      // A change has left the queue, and its commit is to come.
      turns = database.load.waits > database.load.changes ? turns + 1 : 0;
      const [count] = await database.rows<{ count: number }>("select count(*) as count from notes");
      // Turns in which no note of the first batch was committed.
      if (count!.count === 0) most = Math.max(most, turns);
    }
    await moving;

    expect(most).toBeGreaterThan(0);
    const [all] = await database.rows<{ count: number }>("select count(*) as count from notes");
    expect(all!.count).toBe(notes * contacts);
  } finally {
    await world.close();
  }
});
