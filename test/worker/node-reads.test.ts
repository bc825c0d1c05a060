/** The reads of workflow nodes that change a contact: never its related records, which no response shows. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { WorkflowNode } from "../../src/crm/workflows/nodes/all.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenContact, givenTag } from "../support/given.ts";
import { statementsDuring } from "../support/statements.ts";
import { givenRun, givenWorkflow, runOf } from "../support/workflows.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each([...databaseKinds])("nodes on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  test.each<[type: string, node: (tag: number) => WorkflowNode]>([
    ["update_contact", () => ({ type: "update_contact", set: { company: "Acme" } })],
    ["update_contact with a template", () => ({ type: "update_contact", set: { company: "{{contact.first_name}}" } })],
    ["update_contact of a key", () => ({ type: "update_contact", set: { email: "node@example.com" } })],
    ["add_tag", (tag) => ({ type: "add_tag", tag })],
    ["remove_tag", (tag) => ({ type: "remove_tag", tag })],
  ])("%s reads no neighbour of the contact", async (type, node) => {
    const [contact, tag] = [await givenContact(world), await givenTag(world)];
    if (type === "remove_tag")
      await world.send("owner", "POST", `/contacts/${contact.id}/tags`, { location_id: world.north, tag_id: tag.id });
    const workflow = await givenWorkflow(world, { change: node(tag.id) });
    const run = await givenRun(world, workflow, contact.id);
    const sent = await statementsDuring(world, () => world.service.worker.runOnce());
    expect(await runOf(world, run)).toMatchObject({ status: "completed" });
    expect(sent.filter((text) => /^\s*select\b[^]*\bfrom contacts\b/i.test(text)).length).toBeGreaterThan(0);
    const neighbours = /\bfrom \(?(select \* from )?(notes|opportunities|tasks|conversations)\b/i;
    expect(sent.filter((text) => /\bfrom contacts\b/i.test(text) && neighbours.test(text))).toEqual([]);
  });
});
