/** Concurrent changes of workflow runs, through two instances of the service on one database, like two processes. */
import { createConsola } from "consola";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lockContact } from "../../src/crm/contact-activity.ts";
import { createContact, deleteContact } from "../../src/crm/contacts/contact.service.ts";
import { findWorkflowRun, lockRunsOfContact } from "../../src/crm/workflow-runs/workflow-run.queries.ts";
import { enroll, enrollContacts } from "../../src/crm/workflow-runs/enrollment.service.ts";
import { endRun } from "../../src/crm/workflow-runs/workflow-run.service.ts";
import { unpublishWorkflow } from "../../src/crm/workflows/publishing.service.ts";
import { publishWorkflow } from "../../src/crm/workflows/workflow.operations.ts";
import { createWorkflow } from "../../src/crm/workflows/workflow.service.ts";
import type { Caller, LocationContext } from "../../src/events/caller.ts";
import { openService } from "../../src/service.ts";
import type { Service } from "../../src/service.ts";
import { openLocation } from "../../src/crm/pipelines/open-location.service.ts";
import { limits } from "../../src/vocabulary/limits.ts";
import { databaseKinds } from "../support/databases.ts";
import { findFaultsOf } from "../support/events.ts";
import { unique } from "../support/given.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each(databaseKinds)("workflow runs on %s", (kind) => {
  let world: World;
  let other: Service;
  beforeAll(async () => {
    world = await createWorld(kind);
    other = await openService(world.service.settings, { log: createConsola({ level: 1 }), clock: world.clock });
  });
  afterAll(async () => {
    await other?.close();
    await world?.close();
  });

  /** A fresh location seen through both instances, with a contact and a published workflow. */
  async function fresh({ allowReentry = false } = {}) {
    const inAcme = world.service.inWorkspace(world.acme);
    const { id } = await inAcme.change((change) => openLocation(change, { name: "Busy" }));
    const callers = await Promise.all([world.service, other].map((service) => service.inLocation(world.acme, id)));
    const [one] = callers as [Caller<LocationContext>, ...Caller<LocationContext>[]];
    const email = `busy.${unique()}@x.example`;
    const contact = await one.change((change) => createContact(change, { first_name: "Busy", email }));
    const definition = { entry: "end", nodes: { end: { type: "exit" } } };
    const { id: workflowId } = await one.change((change) =>
      createWorkflow(change, { name: "Welcome", definition, allow_reentry: allowReentry }),
    );
    await world.service.carryOut(publishWorkflow, one, { workflow: workflowId });
    const by = (n: number) => callers[n % 2]!;
    return { one, by, contactId: contact.id, workflowId };
  }

  const many = (count: number, work: (n: number) => Promise<unknown>) =>
    Promise.allSettled(Array.from({ length: count }, (_, n) => work(n)));

  test("concurrent enrollments of several contacts start one run of each, whatever the order of their ids", async () => {
    const { one, by, workflowId, contactId } = await fresh();
    const { id: second } = await one.change((change) =>
      createContact(change, { first_name: "Busier", email: `busy.${unique()}@x.example` }),
    );
    const enrolling = Array.from({ length: 20 }, (_, n) => {
      const contactIds = n % 2 === 0 ? [contactId, second] : [second, contactId];
      return by(n).change((change) => enrollContacts(change, { workflowId, contactIds, context: { n } }));
    });
    const results = (await Promise.all(enrolling)).flat();
    expect(results).toHaveLength(40);
    expect(
      results
        .filter(({ run }) => run !== undefined)
        .map((result) => result.contactId)
        .toSorted(),
    ).toEqual([contactId, second].toSorted());
  });

  test("concurrent runs of one chain are counted exactly", async () => {
    const { one, by, workflowId, contactId } = await fresh({ allowReentry: true });
    const { id: origin } = await one.change((change) => enroll(change, { workflowId, contactId, context: {} }));
    await world.service.database.transaction(({ rows }) =>
      rows("update workflow_runs set caused_runs = ? where id = ?", [limits.workflowRun.chain - 5, origin]),
    );
    const cause = { runId: origin, depth: 1, originRunId: origin };
    const outcomes = await many(20, (n) =>
      by(n).change((change) => enroll(change, { workflowId, contactId, context: {}, cause })),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    const refused = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(new Set(refused.map(({ reason }) => reason.message))).toEqual(
      new Set(["The run would be one of more than 1000 runs that one run has caused."]),
    );
  });

  test("of fifty concurrent enrollments of one contact one starts a run, and the others are refused", async () => {
    const { one, by, ...enrollment } = await fresh();
    const outcomes = await many(50, (n) => by(n).change((change) => enroll(change, { ...enrollment, context: { n } })));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const refused = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(new Set(refused.map(({ reason }) => reason.message))).toEqual(
      new Set(["The contact id field names a contact that has an active run of this workflow already."]),
    );
    const runs = await one.change((change) => lockRunsOfContact(change, enrollment.contactId));
    expect(runs).toMatchObject([{ status: "active", current_node_id: "end", wait_reason: "none" }]);
  });

  test("with re-entry the number of runs per contact is limited", async () => {
    const { one, by, ...enrollment } = await fresh({ allowReentry: true });
    const most = limits.workflowRun.ofContact;
    const outcomes = await many(most + 5, (n) =>
      by(n).change((change) => enroll(change, { ...enrollment, context: {} })),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(most);
    expect(await one.change((change) => lockRunsOfContact(change, enrollment.contactId))).toHaveLength(most);
  });

  test("deleting a contact while it is enrolled leaves no unfinished run", async () => {
    const { by, ...enrollment } = await fresh({ allowReentry: true });
    const { result: outcomes, events } = await world.eventsDuring(() =>
      many(20, (n) =>
        n === 10
          ? by(n).change((change) => deleteContact(change, enrollment.contactId))
          : by(n).change((change) => enroll(change, { ...enrollment, context: {} })),
      ),
    );
    expect(outcomes[10]!.status).toBe("fulfilled");
    const living = await world.service.database.rows(
      "select id from workflow_runs where contact_id = ? and (status in ('active', 'waiting') or due_at is not null)",
      [enrollment.contactId],
    );
    expect(living).toEqual([]);
    const count = (name: string) => events.filter(({ event }) => event === name).length;
    expect(count("workflow.run_finished")).toBe(count("workflow.run_started"));
    expect(events.flatMap(findFaultsOf)).toEqual([]);
  });

  test("unpublishing a workflow while contacts are enrolled leaves no unfinished run", async () => {
    const { by, one, workflowId } = await fresh({ allowReentry: true });
    const contacts = await one.change(async (change) => {
      const made = [];
      for (let n = 0; n < 30; n++) made.push((await createContact(change, { first_name: "Busy", last_name: "" })).id);
      return made;
    });
    const { result: outcomes, events } = await world.eventsDuring(() =>
      many(contacts.length, (n) =>
        n === 15 || n === 20
          ? unpublishWorkflow(by(n), workflowId)
          : by(n).change((change) => enroll(change, { workflowId, contactId: contacts[n]!, context: {} })),
      ),
    );
    expect([outcomes[15], outcomes[20]]).toMatchObject([{ status: "fulfilled" }, { status: "fulfilled" }]);
    const runs = await world.service.database.rows<{ ended_reason: string; status: string; due_at: number | null }>(
      "select ended_reason, status, due_at from workflow_runs where workflow_id = ?",
      [workflowId],
    );
    const enrolled = outcomes.filter(({ status }) => status === "fulfilled").length - 2;
    expect(runs).toEqual(
      Array.from({ length: enrolled }, () => ({
        ended_reason: "workflow_unpublished",
        status: "canceled",
        due_at: null,
      })),
    );
    const count = (name: string) => events.filter(({ event }) => event === name).length;
    expect([count("workflow.run_started"), count("workflow.run_finished")]).toEqual([enrolled, enrolled]);
    const refused = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(refused.map(({ reason }) => reason.message)).toEqual(refused.map(() => "The workflow is not published."));
  });

  test("concurrent publishes create one version", async () => {
    const { by, workflowId } = await fresh();
    const outcomes = await many(10, (n) => world.service.carryOut(publishWorkflow, by(n), { workflow: workflowId }));
    expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => "fulfilled"));
    const versions = await world.service.database.rows("select number from workflow_versions where workflow_id = ?", [
      workflowId,
    ]);
    expect(versions).toEqual([{ number: 1 }]);
  });

  test("an ended run has its reason, in every read", async () => {
    const { one, by: _, ...enrollment } = await fresh();
    const { result: run, events: started } = await world.eventsDuring(() =>
      one.change((change) => enroll(change, { ...enrollment, context: {} })),
    );
    expect(started).toMatchObject([{ event: "workflow.run_started", contact_id: enrollment.contactId }]);
    const { events } = await world.eventsDuring(() =>
      one.change(async (change) => {
        const contact = await lockContact(change, enrollment.contactId);
        const [living] = await lockRunsOfContact(change, contact.id);
        endRun(change, living!, contact, { reason: "error", error: "The channel is gone." });
      }),
    );
    expect(events).toMatchObject([
      {
        event: "workflow.run_finished",
        contact_id: enrollment.contactId,
        data: { id: run.id, status: "failed", ended_reason: "error", error: "The channel is gone." },
      },
    ]);
    expect(await findWorkflowRun(one, run.id)).toMatchObject({ status: "failed", due_at: null });
  });
});
