/** kill -9 before and after each commit of a large merge: it did not happen or continues where it was, and no record is lost or doubled. */
import { expect, test } from "vitest";
import { request } from "../support/client.ts";
import type { HttpAnswer } from "../support/client.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { copyRows } from "../support/copy-rows.ts";
import { startKilled } from "./start-killed.ts";
import { inTransaction } from "./change-rows.ts";
import { openSystem } from "./tested-system.ts";
import type { TestedSystem } from "./tested-system.ts";

/** Rows of the contact that is merged, by table: four transactions move them, at most 2000 each. */
const copies = { notes: 2500, tasks: 1200, opportunities: 1100, conversations: 300, events: 1500 } as const;
const tables = Object.keys(copies) as (keyof typeof copies)[];

/** The commits of a merge: each of them moves records, or finishes it. */
const moving = `commit of (?:contact_merges|${tables.join("|")})"? set (?:"?contact_id|finished_at)`;

/** Undefined for a request that is cut off. */
function api(system: TestedSystem, url: string) {
  return (path: string, body: object, headers: Record<string, string> = {}): Promise<HttpAnswer | undefined> =>
    request(url, {
      method: "POST",
      path: `/api/v1${path}`,
      key: system.key,
      headers,
      body: { location_id: system.location, ...body },
    }).catch(() => undefined);
}

/** Two contacts, the second with more rows of each kind than a transaction moves in all. */
async function givenContacts(system: TestedSystem): Promise<{ readonly one: number; readonly other: number }> {
  const opened = await system.run("channels", "create", "Desk", "--kind", "messenger", "--json");
  const channel = (JSON.parse(opened.stdout) as { id: number }).id;
  const serving = await system.serve("--no-worker");
  const send = api(system, serving.url);
  const make = async (path: string, body: object): Promise<HttpAnswer["body"]> => {
    const answer = await send(path, body);
    expect([path, answer?.status, answer?.body]).toEqual([path, 201, expect.anything()]);
    return answer!.body;
  };
  const [one, other] = [
    await make("/contacts", { first_name: "Ada", last_name: "One", email: "ada@example.com" }),
    await make("/contacts", { first_name: "Ada", last_name: "Twin", email: "twin@example.com", external_ref: "twin" }),
  ];
  const of = { contact_id: other.id };
  await make(`/contacts/${other.id}/notes`, { body: "of the twin" });
  await make(`/contacts/${one.id}/notes`, { body: "of the one" });
  await make("/tasks", { ...of, title: "Call" });
  const [pipeline] = await system.rows<{ id: number; stage: number }>(
    "select pipeline_id as id, min(id) as stage from stages group by pipeline_id",
  );
  await make("/opportunities", { ...of, name: "Sale", pipeline_id: pipeline!.id, stage_id: pipeline!.stage });
  const { conversation } = await make("/conversations", { ...of, channel_id: channel, body: "Hello" });
  await serving.terminate();
  await inTransaction(system, async ({ rowsOnce }) => {
    // Closed, since a contact has one open conversation in a channel.
    await rowsOnce("update conversations set status = 'closed' where id = ?", [conversation.id]);
    for (const table of tables)
      await copyRows(
        rowsOnce,
        table,
        `id = (select max(id) from ${table} where contact_id = ${other.id})`,
        {},
        copies[table],
      );
  });
  return { one: one.id, other: other.id };
}

/** Of each table: the rows of either contact up to the last event before the merge, and a sum that changes when one is replaced. */
async function recordsOf(system: TestedSystem, contacts: readonly number[], lastEvent: number): Promise<object> {
  const text = tables.map(
    (table) => `select '${table}' as name, count(*) as count, coalesce(sum(id), 0) as sum from ${table}
      where contact_id in (${contacts.join(", ")}) ${table === "events" ? `and id <= ${lastEvent}` : ""}`,
  );
  const found = await system.rows<{ name: string; count: number; sum: number }>(text.join(" union all "));
  return Object.fromEntries(found.map(({ name, count, sum }) => [name, `${count} ${sum}`]));
}

interface State {
  readonly merge: "absent" | "running" | "done";
  /** Rows that still refer to the contact that is gone. */
  readonly left: number;
}

async function stateOf(system: TestedSystem, other: number): Promise<State> {
  const merges = await system.rows<{ finished_at: unknown }>(
    "select finished_at from contact_merges where merged_contact_id = ?",
    [other],
  );
  const [contact] = await system.rows<{ deleted_at: unknown }>("select deleted_at from contacts where id = ?", [other]);
  expect([merges.length, contact!.deleted_at !== null]).toEqual(merges.length === 0 ? [0, false] : [1, true]);
  const counts = tables.map(
    (table) =>
      `select count(*) as count from ${table} where contact_id = ${other} ${table === "events" ? "and event <> 'contact.deleted'" : ""}`,
  );
  const found = await system.rows<{ count: number }>(counts.join(" union all "));
  const left = found.reduce((sum, { count }) => sum + Number(count), 0);
  if (merges.length === 0) return { merge: "absent", left };
  return { merge: merges[0]!.finished_at === null ? "running" : "done", left };
}

test.each(sampleOf("Faults: killed merges", 1, databaseKinds))(
  "a large merge on %s that is killed before or after any of its commits is absent or continues, and keeps every record",
  async (kind) => {
    await using system = await openSystem(kind);
    const { one, other } = await givenContacts(system);
    const [last] = await system.rows<{ id: number }>("select max(id) as id from events");
    const records = () => recordsOf(system, [one, other], last!.id);
    const before = await records();
    const all = (await stateOf(system, other)).left;
    const seen: State[] = [];
    async function look(): Promise<void> {
      expect(await records()).toEqual(before);
      seen.push(await stateOf(system, other));
    }

    const merge = (url: string, headers = {}) =>
      api(system, url)(`/contacts/${one}/merge`, { contact_id: other }, headers);
    const key = { "idempotency-key": "merge of the twin" };
    for (const moment of ["before", "after"]) {
      await using killed = startKilled(system, `${moment} 1 ${moving}`, "serve", "--port", "0", "--no-worker");
      const [, url] = await killed.match(/crm listening on (\S+)/);
      expect(await merge(url!, key)).toBeUndefined();
      expect((await killed.finished).signal).toBe("SIGKILL");
      await look();
    }
    let isKilled = true;
    for (let round = 0; isKilled; round += 1) {
      expect(round).toBeLessThan(12);
      const moment = round % 2 === 0 ? "before" : "after";
      await using worker = startKilled(system, `${moment} 1 ${moving}`, "worker", "--once");
      isKilled = (await worker.finished).signal === "SIGKILL";
      await look();
    }
    const after = (moved: number): State => ({ merge: "running", left: all - moved });
    const done: State = { merge: "done", left: 0 };
    const killed = [after(2000), after(2000), after(4000), after(4000), after(6000), after(6000), done];
    expect(seen).toEqual([{ merge: "absent", left: all }, ...killed, done]);

    const serving = await system.serve("--no-worker");
    // The response that was never sent is stored with the change; without its key the merge is refused.
    expect(await merge(serving.url, key)).toMatchObject({ status: 202, body: { id: one, external_ref: "twin" } });
    expect(await merge(serving.url)).toMatchObject({ status: 422 });
    const told = await system.rows<{ event: string; count: number }>(
      `select event, cast(count(*) as integer) as count from events where event = 'contact.deleted' or data like '%merged_contact_id%'
       group by event order by event`,
    );
    expect(told).toEqual([
      { event: "contact.deleted", count: 1 },
      { event: "contact.updated", count: 1 },
    ]);
    const note = await api(system, serving.url)(`/contacts/${other}/notes`, { body: "by the old id" });
    expect(note).toMatchObject({ status: 201 });
    expect(await system.rows("select contact_id from notes where body = 'by the old id'")).toEqual([
      { contact_id: one },
    ]);
  },
);
