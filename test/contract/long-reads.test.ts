/** Reads that can touch any number of rows: they are read in slices, between which other requests are served, and give what plain code counts. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listContacts } from "../../src/crm/contacts/list/contact.list.ts";
import { listConversations } from "../../src/crm/conversations/conversation.list.ts";
import { positionBefore } from "../../src/crm/event-log/event.queries.ts";
import { listOpportunities } from "../../src/crm/opportunities/opportunity.queries.ts";
import { countTagged } from "../../src/crm/tags/tag.queries.ts";
import { countEndedRuns, countLivingRuns } from "../../src/crm/workflow-run-counts.ts";
import { countRunsByNode } from "../../src/crm/workflows/workflow.queries.ts";
import type { Caller, LocationContext } from "../../src/events/caller.ts";
import { listLedger } from "../../src/marketplace/billing/external/ledger.queries.ts";
import { listPayouts } from "../../src/marketplace/billing/platform/ledger/payouts.queries.ts";
import { limits } from "../../src/vocabulary/limits.ts";
import { listLocations } from "../../src/tenancy/locations/location.queries.ts";
import { aThirdOf, sampleOf } from "../support/chance.ts";
import { copyRows } from "../support/copy-rows.ts";
import { databaseKinds } from "../support/databases.ts";
import { someEvent, someOtherEvent, stampAll } from "../support/events.ts";
import { givenContact, givenConversation, givenOpportunity, givenTaggedContact, made } from "../support/given.ts";
import { givenApp } from "../support/marketplace.ts";
import { givenRun, givenWorkflow } from "../support/workflows.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const wait = { ask: { type: "wait", reply: true } } as const;
const clients = 24;

/** A read, and what it gives. */
interface LongRead {
  read(reader: Caller<LocationContext>): Promise<unknown>;
  readonly gives: unknown;
}

type Given = (world: World, copy: Copy) => Promise<LongRead>;
/** Copies the rows of a table, with columns as expressions over the number `n` of the copy. */
type Copy = (
  table: string,
  where: string,
  times: number,
  differing?: Readonly<Record<string, string>>,
) => Promise<void>;

/** A waiting run of a contact, and copies of it. */
async function givenRuns(world: World, copy: Copy, times: number): Promise<number> {
  const workflow = await givenWorkflow(world, wait, { allowReentry: true });
  const run = await givenRun(world, workflow, (await givenContact(world)).id);
  await world.service.database.transaction(({ rows }) =>
    rows("update workflow_runs set status = 'waiting', due_at = null where id = ?", [run]),
  );
  await copy("workflow_runs", `id = ${run}`, times);
  return workflow;
}

/** A subscription of the location to an app of its own workspace. */
async function givenSubscription(world: World): Promise<{ app: number; subscription: number }> {
  const { client_id } = await givenApp(world);
  const { database } = world.service;
  const [{ id: app } = { id: 0 }] = await database.rows<{ id: number }>("select id from apps where client_id = ?", [
    client_id,
  ]);
  const [made] = await database.transaction(({ rows }) =>
    rows<{ id: number }>(
      "insert into app_subscriptions (app_id, workspace_id, location_id, created_at) values (?, ?, ?, ?) returning id",
      [app, world.acme, world.north, world.clock.now()],
    ),
  );
  return { app, subscription: made!.id };
}

const longReads: Readonly<Record<string, Given>> = {
  async "the runs of a workflow by node, the newest of more than are counted"(world, copy) {
    const workflow = await givenRuns(world, copy, limits.workflowRun.counted + 500);
    return {
      read: async (reader) => [...(await countRunsByNode(reader, workflow))],
      gives: [["ask", limits.workflowRun.counted]],
    };
  },

  async "runs that wait, for a metric"(world, copy) {
    await givenRuns(world, copy, 10_000);
    return { read: (reader) => countLivingRuns(reader), gives: [{ status: "waiting", runs: 10_000 }] };
  },

  async "runs that have ended, for a metric"(world, copy) {
    const workflow = await givenRuns(world, copy, 4999);
    const now = world.clock.now();
    await world.service.database.transaction(({ rows }) =>
      rows(
        "update workflow_runs set status = case when id % 2 = 0 then 'failed' else 'completed' end, completed_at = ? where workflow_id = ?",
        [now, workflow],
      ),
    );
    return {
      async read(reader) {
        const counts = await countEndedRuns(reader, new Date(now.getTime() - 1000));
        return counts.toSorted((one, other) => (one.status < other.status ? -1 : 1));
      },
      gives: [
        { status: "completed", runs: 2500 },
        { status: "failed", runs: 2500 },
      ],
    };
  },

  async "the contacts of a tag"(world, copy) {
    const { contact, tag } = await givenTaggedContact(world);
    await copy("contacts", `id = ${contact.id}`, 5999, { external_ref: "null" });
    await copy("contact_tags", `tag_id = ${tag.id}`, 5999, { contact_id: "contact_id + n" });
    await world.service.database.transaction(({ rows }) =>
      rows("update contacts set deleted_at = last_activity_at where id = ?", [contact.id]),
    );
    return { read: (reader) => countTagged(reader, tag.id), gives: { contacts: 5999, applied: 6000 } };
  },

  async "where the latest events begin, of a name that few have"(world) {
    const { service, acme, north } = world;
    const caller = await service.inLocation(acme, north);
    await caller.change((change) => change.record(someEvent, someEvent));
    await caller.change((change) =>
      change.record(...Array.from({ length: limits.eventScan - 1 }, () => someOtherEvent)),
    );
    await stampAll(service.database);
    const [log] = await service.database.rows<{ last: number }>("select last_position as last from event_log");
    return {
      read: (reader) => positionBefore(reader, { limit: 2, event: ["contact.created"] }),
      // The first of both is beyond the events that are looked through.
      gives: log!.last - limits.eventScan,
    };
  },

  async "conversations of a status and a person, of which each has many and both none"(world, copy) {
    const { conversation } = await givenConversation(world);
    const { nora } = world.users;
    await copy("conversations", `id = ${conversation.id}`, 20_000, {
      assignee_id: `case when n % 2 = 0 then ${nora} end`,
      status: "case when n % 2 = 0 then 'open' else 'closed' end",
    });
    return {
      read: (reader) => listConversations(reader, { status: "closed", assignee_user_id: nora }),
      gives: { data: [], next_cursor: null },
    };
  },

  async "opportunities of a status, filtered by a custom field"(world, copy) {
    const field = { on: "opportunity", name: "Plan", key: "plan", type: "text" };
    await made(world.send("owner", "POST", "/custom-fields", field));
    const { id } = await givenOpportunity(world);
    await copy("opportunities", `id = ${id}`, 20_000);
    const filters = JSON.stringify([{ field: "custom.plan", op: "contains", value: "gold" }]);
    return {
      read: (reader) => listOpportunities(reader, { status: "open", filters }),
      gives: { data: [], next_cursor: null },
    };
  },

  async "the locations of a large workspace, all of them and some"(world, copy) {
    await copy("locations", `id = ${world.north}`, 2999);
    const all = await world.service.database.rows<{ id: number }>(
      "select id from locations where workspace_id = ? order by id",
      [world.acme],
    );
    const some = all.map(({ id }) => id).slice(0, 2000);
    return {
      async read(reader) {
        const read = async (locationIds: number[] | null) =>
          (await listLocations({ ...reader, location: null, locationIds })).map(({ id }) => id);
        return [await read(null), await read(some)];
      },
      gives: [all.map(({ id }) => id), some],
    };
  },

  async "payouts of three years"(world, copy) {
    const { app, subscription } = await givenSubscription(world);
    const { database } = world.service;
    const now = world.clock.now();
    await database.transaction(async ({ rows }) => {
      await rows(
        `insert into platform_charges (stripe_id, app_id, app_subscription_id, transfer_id, destination, amount_cents, taken_cents, charged_at)
         values ('ch_1', ?, ?, 'tr_1', 'acct_1', 100, 0, ?)`,
        [app, subscription, now],
      );
      await rows(
        `insert into ledger_entries (kind, stripe_id, app_id, charge_id, amount_cents, period, occurred_at, recorded_at)
         select 'charge', 'entry', ?, id, 1, 202412, ?, ? from platform_charges where app_id = ?`,
        [app, now, now, app],
      );
    });
    const period = "202501 + n % 12 + n / 12 % 3 * 100";
    await copy("ledger_entries", `app_id = ${app}`, 36_000, { period, stripe_id: "'entry ' || n", amount_cents: "n" });
    const gross = new Map([[202_412, 1]]);
    for (let n = 1; n <= 36_000; n++) {
      const of = 202_501 + (n % 12) + (Math.floor(n / 12) % 3) * 100;
      gross.set(of, (gross.get(of) ?? 0) + n);
    }
    return {
      async read(reader) {
        const payouts = await listPayouts(reader, {});
        return payouts.map(({ period, gross_cents }) => [Number(period.replace("-", "")), gross_cents]);
      },
      gives: [...gross].toSorted(([one], [other]) => one - other),
    };
  },

  async "the reports of a subscription behind thousands that have none"(world, copy) {
    const { subscription } = await givenSubscription(world);
    await world.service.database.transaction(({ rows }) =>
      rows(
        `insert into billing_reports (app_subscription_id, status, amount_cents, payment_type, payment_id, received_at)
         values (?, 'COMPLETED', 100, 'recurring', 'first', ?)`,
        [subscription, world.clock.now()],
      ),
    );
    // Of companies, each of which may have one.
    await copy("workspaces", `id = ${world.acme}`, 3000);
    await copy("app_subscriptions", `id = ${subscription}`, 3000, {
      location_id: "null",
      workspace_id: "(select max(id) from workspaces) - 3000 + n",
    });
    return {
      async read(reader) {
        const { data } = await listLedger(reader, { app: undefined, limit: 2 });
        return data.map(({ payment_id }) => payment_id);
      },
      gives: ["first"],
    };
  },

  async "contacts that share an e-mail address, filtered"(world, copy) {
    const email = "shared@example.com";
    const { id } = await givenContact(world, { email });
    await copy("contacts", `id = ${id}`, 5999, { external_ref: "null" });
    await copy("contact_counts", `id = (select min(id) from contact_counts)`, 1, { delta: "5999" });
    const bounds = { atOnce: 0, piece: 40_000 };
    return {
      async read(reader) {
        const all = await listContacts(reader, { email, limit: 1 }, bounds);
        const none = await listContacts(reader, { email, filters: '{"dnd":true}' }, bounds);
        return [all.total, all.data.length, none];
      },
      gives: [6000, 1, { data: [], next_cursor: null, total: 0 }],
    };
  },
};

describe.each(sampleOf("long reads by database", 1, databaseKinds))("long reads on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  const copy: Copy = (table, where, times, differing = {}) =>
    world.service.database.transaction(({ rowsOnce }) => copyRows(rowsOnce, table, where, differing, times));

  test.each(aThirdOf(`long reads on ${kind}`, Object.entries(longReads)))(
    "%s",
    { timeout: 60_000 },
    async (_name, given) => {
      const { read, gives } = await given(world, copy);
      let statements = 0;
      const readAs = async (id: number): Promise<unknown> => {
        const caller = await world.service.inLocation(world.acme, world.north);
        const counted =
          <Arguments extends readonly unknown[], Result>(run: (...asked: Arguments) => Promise<Result>) =>
          (...asked: Arguments): Promise<Result> => {
            statements += 1;
            return run(...asked);
          };
        return read({
          ...caller,
          actor: { type: "api_key", id, name: `Key ${id}` },
          rows: counted(caller.rows) as typeof caller.rows,
          rowsOnce: counted(caller.rowsOnce) as typeof caller.rowsOnce,
        });
      };
      await readAs(0);
      statements = 0;
      const reads = Array.from({ length: clients }, (_, n) => readAs(n));
      const before = await world.send("owner", "GET", `/tags?location_id=${world.north}`).then(() => statements);
      expect(await Promise.all(reads)).toEqual(reads.map(() => gives));
      expect(before).toBeLessThan(statements / 2);
    },
  );
});
