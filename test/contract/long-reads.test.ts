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
import { limits } from "../../src/vocabulary/limits.ts";
import { aThirdOf } from "../support/chance.ts";
import { copyRows } from "../support/copy-rows.ts";
import { databaseKinds } from "../support/databases.ts";
import { someEvent, someOtherEvent, stampAll } from "../support/events.ts";
import { givenContact, givenConversation, givenOpportunity, givenTaggedContact, made } from "../support/given.ts";
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

describe.each([...databaseKinds])("long reads on %s", (kind) => {
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
