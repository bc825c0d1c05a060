/** Enrolling all contacts that match filters: in pieces, once each, and again without harm. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { enrollPiece } from "../../src/crm/workflows/enroll-matching.ts";
import type { EnrolledPiece } from "../../src/crm/workflows/enroll-matching.ts";
import { parseFilters } from "../../src/crm/contacts/list/contact.filters.ts";
import { enrollContacts } from "../../src/crm/workflow-runs/enrollment.service.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenContact } from "../support/given.ts";
import { givenRun, givenWorkflow } from "../support/workflows.ts";
import { statementsDuring } from "../support/statements.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each([...databaseKinds])("enrolling by filter on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  async function enrollAll(workflowId: number, { filter = {}, isDryRun = false } = {}) {
    const caller = await world.service.inLocation(world.acme, world.north);
    const filters = parseFilters(filter, "filter");
    const pieces: EnrolledPiece[] = [];
    for (let after: number | null = 0; after !== null; after = pieces.at(-1)!.next_after)
      pieces.push(await enrollPiece(caller, { workflowId, filters, context: { by: "filter" }, after, isDryRun }));
    const sum = (count: (piece: EnrolledPiece) => number) => pieces.reduce((total, piece) => total + count(piece), 0);
    return {
      enrolled: sum((piece) => piece.enrolled),
      passed_over: sum((piece) => piece.passed_over),
      last: pieces.at(-1)!,
    };
  }

  test("the contacts that match are enrolled once, however often it runs; a dry run enrolls none", async () => {
    const workflow = await givenWorkflow(world, { end: { type: "wait", for: "1d" } }, { allowReentry: true });
    const filter = { city: "Rome" };
    const romans = [];
    for (let count = 0; count < 3; count += 1) romans.push(await givenContact(world, { city: "Rome" }));
    await givenContact(world, { city: "Paris" });
    await givenRun(world, workflow, romans[0]!.id);
    expect(await enrollAll(workflow, { filter, isDryRun: true })).toMatchObject({ enrolled: 2, passed_over: 1 });
    expect(await enrollAll(workflow, { filter })).toMatchObject({ enrolled: 2, passed_over: 1, last: { refused: {} } });
    expect(await enrollAll(workflow, { filter })).toMatchObject({ enrolled: 0, passed_over: 3 });
    const runs = await world.service.database.rows<{ contact_id: number; context: string }>(
      "select contact_id, context from workflow_runs where workflow_id = ? order by contact_id",
      [workflow],
    );
    expect(runs.map(({ contact_id }) => contact_id)).toEqual(romans.map(({ id }) => id));
    expect(runs[1]).toMatchObject({ context: '{"by":"filter"}' });
  });

  test("several contacts are enrolled in as many statements as two", async () => {
    const caller = await world.service.inLocation(world.acme, world.north);
    const workflowId = await givenWorkflow(world, { end: { type: "wait", for: "1d" } });
    const contacts: { id: number }[] = [];
    for (let count = 0; count < 12; count += 1) contacts.push(await givenContact(world));
    const ids = contacts.map(({ id }) => id);
    const enrolling = (contactIds: number[]) => () =>
      caller.change((change) => enrollContacts(change, { workflowId, contactIds, context: {} }));
    const few = await statementsDuring(world, enrolling(ids.slice(0, 2)));
    expect(await statementsDuring(world, enrolling(ids.slice(2)))).toHaveLength(few.length);
  });

  test("a workflow that is not published is refused, and so is a filter that names no field", async () => {
    const workflow = await givenWorkflow(world, { end: { type: "exit" } });
    await givenContact(world);
    expect(() => parseFilters({ shoe_size: 44 }, "filters")).toThrow(/shoe_size/);
    await world.service.database.transaction(({ rows }) =>
      rows("update workflows set version_id = null, status = 'draft' where id = ?", [workflow]),
    );
    await expect(enrollAll(workflow)).rejects.toThrow("The workflow is not published.");
  });
});
