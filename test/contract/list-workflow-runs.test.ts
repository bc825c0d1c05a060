/** GET /workflows, GET /workflows/{id}/runs and GET /workflow-runs/{id} */
import { expect } from "vitest";
import { contract, row } from "../support/contract.ts";
import { givenContact } from "../support/given.ts";
import { givenRun, givenWorkflow } from "../support/workflows.ts";
import type { World } from "../support/world.ts";

const waiting = { ask: { type: "wait", reply: true } } as const;

/** A workflow with two runs of one contact and one of another; the oldest has ended. */
async function givenRuns(world: World) {
  const [one, other] = [await givenContact(world), await givenContact(world)];
  const workflow = await givenWorkflow(world, waiting, { allowReentry: true });
  const runs: number[] = [];
  for (const { id } of [one, one, other]) runs.push(await givenRun(world, workflow, id));
  await world.service.database.transaction(({ rows }) =>
    rows("update workflow_runs set status = 'completed', ended_reason = 'exited', due_at = null where id = ?", [
      runs[0]!,
    ]),
  );
  return { workflow, runs, one, other };
}

type Given = Awaited<ReturnType<typeof givenRuns>>;

const narrowed = (name: string, query: (given: Given) => string, picked: readonly number[]) =>
  row({
    name,
    given: givenRuns,
    send: (world, given) => ["GET", `/workflows/${given.workflow}/runs?location_id=${world.north}${query(given)}`],
    expect: { status: 200, body: { next_cursor: null } },
    async afterwards(_world, { runs }, body) {
      expect(body.data.map(({ id }: { id: number }) => id)).toEqual(picked.map((place) => runs[place]));
    },
  });

contract("listWorkflowRuns", [
  narrowed("gives the runs of a workflow, newest first", () => "", [2, 1, 0]),
  narrowed("those of a status", () => "&status=active", [2, 1]),
  narrowed("those of a contact", ({ one }) => `&contact_id=${one.id}`, [1, 0]),
  narrowed("those of a contact and a status", ({ one }) => `&contact_id=${one.id}&status=completed`, [0]),
  row({
    name: "refuses an unknown status",
    given: givenRuns,
    send: (world, { workflow }) => ["GET", `/workflows/${workflow}/runs?location_id=${world.north}&status=running`],
    expect: {
      status: 422,
      body: { errors: { status: ["The status field must be one of active, waiting, completed, failed, canceled."] } },
    },
  }),
  row({
    name: "continues where a page ended, and refuses a cursor of another list",
    async given(world) {
      const contact = await givenContact(world);
      const workflow = await givenWorkflow(world, waiting, { allowReentry: true });
      const { database } = world.service;
      await givenRun(world, workflow, contact.id);
      // Doubles the rows in SQL: through the API it would take a minute.
      for (let times = 0; times < 8; times++) {
        await database.transaction(({ rows }) =>
          rows(
            `insert into workflow_runs (location_id, workflow_id, version_id, contact_id, status, context, enrolled_at)
             select location_id, workflow_id, version_id, contact_id, 'completed', '{}', enrolled_at
             from workflow_runs where workflow_id = ?`,
            [workflow],
          ),
        );
      }
      return { workflow };
    },
    send: (world, { workflow }) => ["GET", `/workflows/${workflow}/runs?location_id=${world.north}`],
    expect: { status: 200 },
    async afterwards(world, { workflow }, body) {
      const base = `/workflows/${workflow}/runs?location_id=${world.north}`;
      const seen = body.data.map(({ id }: { id: number }) => id);
      expect(seen.length).toBe(200);
      const cursor = encodeURIComponent(body.next_cursor);
      const rest = await world.send("owner", "GET", `${base}&cursor=${cursor}`);
      expect(new Set([...seen, ...rest.body.data.map(({ id }: { id: number }) => id)]).size).toBe(256);
      expect(rest.body.next_cursor).toBeNull();
      const foreign = await world.send("owner", "GET", `${base}&status=completed&cursor=${cursor}`);
      expect([foreign.status, Object.keys(foreign.body.errors)]).toEqual([422, ["cursor"]]);
    },
  }),
]);

contract("getWorkflowRun", [
  row({
    name: "has the error of a failed run",
    async given(world) {
      const given = await givenRuns(world);
      await world.service.database.transaction(({ rows }) =>
        rows(
          "update workflow_runs set status = 'failed', ended_reason = 'error', error = ?, due_at = null where id = ?",
          ["The channel is gone.", given.runs[2]!],
        ),
      );
      return given;
    },
    send: (world, { runs }) => ["GET", `/workflow-runs/${runs[2]}?location_id=${world.north}`],
    expect: {
      status: 200,
      body: { status: "failed", ended_reason: "error", error: "The channel is gone.", context: {} },
    },
  }),
  row({
    name: "responds 404 to a run of another location",
    given: givenRuns,
    send: (world, { runs }) => ["GET", `/workflow-runs/${runs[0]}?location_id=${world.south}`],
    expect: { status: 404, exactly: { error: "workflow_run.not_found" } },
  }),
]);

contract("listWorkflows", [
  row({
    name: "returns only the workflows of the location, oldest first",
    async given(world) {
      return [await givenWorkflow(world, waiting), await givenWorkflow(world, waiting, { allowReentry: true })];
    },
    send: (world) => ["GET", `/workflows?location_id=${world.north}`],
    expect: { status: 200 },
    async afterwards(world, ids, body) {
      const listed = body.data as { id: number }[];
      expect(listed.map(({ id }) => id)).toEqual(listed.map(({ id }) => id).toSorted((one, other) => one - other));
      expect(listed.filter(({ id }) => ids.includes(id))).toMatchObject([
        { status: "published", allow_reentry: false, version: 1, trigger_event: null },
        { status: "published", allow_reentry: true, version: 1 },
      ]);
      const south = await world.send("owner", "GET", `/workflows?location_id=${world.south}`);
      expect(south.body).toEqual({ data: [], next_cursor: null });
    },
  }),
]);
