/** Every change of people, keys, apps, webhooks, channels, workflows and settings, and every export, appears in the audit log. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Caller, LocationContext } from "../../src/events/caller.ts";
import type { Operation } from "../../src/operation/operation.ts";
import { operations } from "../../src/operations.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { callerOf, givenPerson } from "../support/given-people.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { makeRecords } from "../support/records.ts";
import { askingOf } from "../support/specimens.ts";
import { addSpecimenCharge, startFakeStripe } from "../support/stripe/fake-stripe.ts";
import type { FakeStripe } from "../support/stripe/fake-stripe.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

/** Records of customers: the event log says who changed them, and what. */
const inEventLog = new Set(["Contacts", "Opportunities", "Tasks", "Conversations", "Workflow runs", "Events"]);

/** Changes that need no entry, and why. */
const notAudited: Readonly<Record<string, string>> = {
  judgeDraft: "changes nothing",
  tryDefinition: "changes nothing",
  tryWorkflow: "changes nothing",
  testChannel: "sends a test message, and changes nothing",
  replayDelivery: "sends an event again",
  replayFailed: "sends events again",
  sendTest: "sends a sample",
  getAppAccount: "refreshes a copy of what Stripe says",
  reconcileBilling: "compares with Stripe",
  enroll: "of a contact",
  enrollMatching: "of contacts",
  removeRun: "of a contact",
  retryRun: "of a contact",
  retryFailedRuns: "of contacts",
};

/** Reads that leave the service with much of it. */
const auditedReads = ["exportContacts", "openDossier"];

test("every change that is no record of a customer is audited, or says why not", () => {
  const changes = operations.filter(({ read, noun }) => read === undefined && !inEventLog.has(noun));
  const missing = changes.filter(({ name, audit }) => audit === undefined && !(name in notAudited));
  expect(missing.map(({ name }) => `${name}: add  audit: "found"  or  audit: ({ id }) => ({ noun: "…", id })`)).toEqual(
    [],
  );
  const reads = operations.filter(({ read, audit }) => read !== undefined && audit !== undefined);
  expect(reads.map(({ name }) => name)).toEqual(auditedReads);
  expect(operations.flatMap(({ name, audit }) => (name in notAudited && audit !== undefined ? [name] : []))).toEqual(
    [],
  );
});

const audited = operations.filter(({ audit }) => audit !== undefined);

describe.each(sampleOf("audited operations", 1, databaseKinds))("on %s", (kind) => {
  let world: World;
  let stripe: FakeStripe;
  beforeAll(async () => {
    stripe = await startFakeStripe(new ManualClock());
    addSpecimenCharge(stripe.books);
    world = await createWorld(kind, { environment: stripe.environment });
  });
  afterAll(async () => {
    await world?.close();
    await stripe?.close();
  });

  test.each(audited.filter(({ name }) => name !== "setUp").map((row) => [row.name, row] as const))(
    "%s writes an entry about the record",
    async (name, row) => {
      const { database } = world.service;
      const person = row.within === "account" ? await givenPerson(world, "owner", null) : undefined;
      const caller =
        person === undefined
          ? await world.service.inLocation(world.acme, world.north)
          : await callerOf(world, person, null);
      const records = await makeRecords(world);
      const [before] = await database.rows<{ last: number }>("select coalesce(max(id), 0) as last from audit_entries");
      await world.service.carryOut(
        row as Operation<LocationContext, object, unknown>,
        caller as Caller<LocationContext>,
        askingOf(row, records),
      );
      const text = "select operation, subject, subject_id, details, actor_type from audit_entries where id > ?";
      const entries = await database.rows<{ subject_id: number | null; details: string | null }>(text, [before!.last]);
      expect(entries).toEqual([
        expect.objectContaining({ operation: name, actor_type: person === undefined ? "operator" : "user" }),
      ]);
      const [{ subject_id: id, details }] = entries as [(typeof entries)[number]];
      expect(id === null || id > 0).toBe(true);
      // Names of fields, and no values that a person typed.
      expect(details ?? "").not.toMatch(/@|crm_|https:|Acme|Ada/);
    },
  );
});
