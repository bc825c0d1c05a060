/** Changes of workflow runs that meet: over two instances of the service on one database, as two processes would. */
import { createConsola } from "consola";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { holdContact } from "../../src/crm/contact-activity.ts";
import { createContact, deleteContact } from "../../src/crm/contacts/contact.service.ts";
import { findWorkflowRun, holdRunsOfContact } from "../../src/crm/workflow-runs/workflow-run.queries.ts";
import { endRun, enroll } from "../../src/crm/workflow-runs/workflow-run.service.ts";
import { Workflow, WorkflowVersion } from "../../src/crm/workflow.entity.ts";
import type { Caller, Place } from "../../src/events/caller.ts";
import { openService } from "../../src/service.ts";
import type { Service } from "../../src/service.ts";
import { openLocation } from "../../src/setup.ts";
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
    const [one] = callers as [Caller<Place>, ...Caller<Place>[]];
    const email = `busy.${unique()}@x.example`;
    const contact = await one.change((change) => createContact(change, { first_name: "Busy", email }));
    const workflowId = await one.change(async (change) => {
      const definition = JSON.stringify({ entry: "end", nodes: { end: { type: "exit" } } });
      const workflow = change.em.create(Workflow, {
        location: id,
        name: "Welcome",
        status: "published",
        allowReentry,
        draft: definition,
        entryNodeId: "end",
        createdAt: change.now,
        updatedAt: change.now,
      });
      const version = change.em.create(WorkflowVersion, { workflow, number: 1, definition, createdAt: change.now });
      await change.em.flush();
      workflow.versionId = version.id;
      await change.em.flush();
      return workflow.id;
    });
    const by = (n: number) => callers[n % 2]!;
    return { one, by, contactId: contact.id, workflowId };
  }

  const many = (count: number, work: (n: number) => Promise<unknown>) =>
    Promise.allSettled(Array.from({ length: count }, (_, n) => work(n)));

  test("fifty enrollments of one contact give one run, and the others are refused", async () => {
    const { one, by, ...enrollment } = await fresh();
    const outcomes = await many(50, (n) => by(n).change((change) => enroll(change, { ...enrollment, context: { n } })));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const refused = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(new Set(refused.map(({ reason }) => reason.message))).toEqual(
      new Set(["The contact id field names a contact that has an active run of this workflow already."]),
    );
    const runs = await one.change((change) => holdRunsOfContact(change, enrollment.contactId));
    expect(runs).toMatchObject([{ status: "active", current_node_id: "end", wait_reason: "none" }]);
  });

  test("with re-entry a contact has as many runs as one may have", async () => {
    const { one, by, ...enrollment } = await fresh({ allowReentry: true });
    const most = limits.workflowRun.ofContact;
    const outcomes = await many(most + 5, (n) =>
      by(n).change((change) => enroll(change, { ...enrollment, context: {} })),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(most);
    expect(await one.change((change) => holdRunsOfContact(change, enrollment.contactId))).toHaveLength(most);
  });

  test("a contact that is deleted while it is enrolled leaves no run that is not over", async () => {
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

  test("a run that ends says why, and is over for whoever reads it", async () => {
    const { one, by: _, ...enrollment } = await fresh();
    const { result: run, events: started } = await world.eventsDuring(() =>
      one.change((change) => enroll(change, { ...enrollment, context: {} })),
    );
    expect(started).toMatchObject([{ event: "workflow.run_started", contact_id: enrollment.contactId }]);
    const { events } = await world.eventsDuring(() =>
      one.change(async (change) => {
        const contact = await holdContact(change, enrollment.contactId);
        const [living] = await holdRunsOfContact(change, contact.id);
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
