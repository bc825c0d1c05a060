/** DELETE /contacts/{id}?forget=true: afterwards nothing of the person is left in the database, its files and the stored files; the rest is unchanged. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { beginErasure } from "../../src/crm/erasure/begin-erasure.ts";
import { erasureDuty } from "../../src/crm/erasure/erasure.duties.ts";
import { continueErasure } from "../../src/crm/erasure/erasure.service.ts";
import { conversationRowStep } from "../../src/crm/erasure/steps/conversation.steps.ts";
import type { ErasureRow } from "../../src/crm/erasure/erasure.view.ts";
import type { Duty } from "../../src/kit/duty.ts";
import { readLines } from "../../src/storage/dump/table-lines.ts";
import { readTables } from "../../src/storage/dump/tables.ts";
import { copyRows } from "../support/copy-rows.ts";
import { databaseKinds } from "../support/databases.ts";
import {
  givenChannel,
  givenContact,
  givenConversation,
  givenOpportunity,
  givenTask,
  handIn,
  made,
} from "../support/given.ts";
import { startReceiver, toLoopback } from "../support/receiver.ts";
import type { TestReceiver } from "../support/receiver.ts";
import { findFaultsOf, payloadOf } from "../support/events.ts";
import { givenRun, givenWorkflow } from "../support/workflows.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

/** In each of the person's texts. The second is a trigram of its own. */
const word = "Zyxqoph ꙮꙮꙮ";
const phone = "+12125559876";
const traces = /zyxqoph|ꙮꙮ|555-?9876/i;

/** What neither belongs to the person nor changes with the time. */
const neighbour = "Quebbly";

describe.each([...databaseKinds])("a contact forgotten on %s", (kind) => {
  let world: World;
  let receiver: TestReceiver;
  beforeAll(async () => {
    // It answers with what it was sent, as many receivers do.
    receiver = await startReceiver((arrival) => (response) => {
      response.end(`thank you for ${arrival.body}`);
    });
    world = await createWorld(kind, { environment: toLoopback });
  });
  afterAll(async () => {
    await world?.close();
    await receiver?.[Symbol.asyncDispose]();
  });

  const work = () => world.service.worker.runOnce();
  const post = (path: string, body: object, headers?: Record<string, string>) =>
    made(world.send("owner", "POST", path, { location_id: world.north, ...body }, headers));
  const forget = (id: number, as: Parameters<World["send"]>[0] = "owner") =>
    world.send(as, "DELETE", `/contacts/${id}?forget=true&location_id=${world.north}`);

  async function* dumped(): AsyncGenerator<{ table: string; line: string }> {
    const { database } = world.service;
    for (const table of await readTables(database))
      for await (const { bytes } of readLines(database, table))
        for (const line of new TextDecoder().decode(bytes).trimEnd().split("\n")) yield { table: table.name, line };
  }

  async function linesWith(pattern: RegExp): Promise<string[]> {
    const found: string[] = [];
    for await (const { table, line } of dumped()) if (pattern.test(line)) found.push(`${table} ${line}`);
    return found;
  }

  /** The files of the database, and those of attachments. */
  async function filesWith(pattern: RegExp): Promise<string[]> {
    const directory = world.service.settings.dataDir;
    const found = await readdir(directory, { recursive: true, withFileTypes: true });
    const files = found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    const matching = await Promise.all(files.map(async (file) => pattern.test((await readFile(file)).toString())));
    return files.filter((_, place) => matching[place]);
  }

  /** Everything that a person can leave behind, each text with `text`. */
  async function givenPerson(
    text: string,
    given: { email: string; phone: string; channel: { inbound_url: string; id: number }; key: string },
  ) {
    // Writes before it is known; the same number becomes that of the contact.
    await handIn(world, given.channel, { from: `${text} <${given.phone}>`, body: `Hello from ${text}` });
    const contact = await post(
      "/contacts",
      {
        first_name: text,
        last_name: text,
        email: given.email,
        phone: given.phone,
        company: text,
        city: text,
        external_ref: text,
        custom_fields: { hobby: text },
      },
      { "idempotency-key": given.key },
    );
    const of = { contact_id: contact.id };
    await post(
      `/contacts/${contact.id}/notes`,
      { body: `${text} is kind` },
      { "idempotency-key": `note ${given.key}` },
    );
    await givenTask(world, { ...of, title: `Call ${text}` });
    const opportunity = await givenOpportunity(world, { ...of, name: `Sell to ${text}`, value_cents: 700 });
    const path = `/attachments?location_id=${world.north}&name=${encodeURIComponent(text)}.txt`;
    const upload = { "content-type": "text/plain", "idempotency-key": `file ${given.key}` };
    const file = await made(world.send("owner", "POST", path, `File of ${text}`, upload));
    const channel = await givenChannel(world);
    const started = await post("/conversations", { ...of, channel_id: channel.id, body: `Dear ${text}` });
    const conversation = `/conversations/${started.conversation.id}`;
    await post(
      `${conversation}/messages`,
      { body: text, attachment_ids: [file.id] },
      { "idempotency-key": `m ${given.key}` },
    );
    await handIn(world, channel, { from: given.phone, body: `Reply of ${text}`, external_id: text });
    await made(world.send("owner", "PATCH", conversation, { location_id: world.north, unread: false }));
    await post("/events", { ...of, event: "form.submitted", data: { form: text, fields: { [text]: text } } });
    const workflow = await givenWorkflow(world, {
      post: { type: "webhook", url: receiver.url, next: "rest" },
      rest: { type: "wait", for: "1d" },
    });
    await givenRun(world, workflow, contact.id, { form: text });
    await work();
    return { id: contact.id, opportunity };
  }

  async function importRow(text: string): Promise<number> {
    const path = `/contacts/import?location_id=${world.north}`;
    const csv = `First name,Email\n${text},${text.split(" ")[0]!.toLowerCase()}-twin@example.com\n`;
    await made(world.send("owner", "POST", path, csv, { "content-type": "text/csv" }));
    const filters = encodeURIComponent(JSON.stringify({ first_name: text }));
    const { data } = await made(world.send("owner", "GET", `/contacts?location_id=${world.north}&filters=${filters}`));
    return data.map(({ id }: { id: number }) => id).toSorted((one: number, other: number) => other - one)[0];
  }

  test("leaves nothing in the tables, the database file, its log and the stored files; others keep all that they had", async () => {
    await made(
      world.send("owner", "POST", "/custom-fields", { on: "contact", name: "Hobby", key: "hobby", type: "text" }),
    );
    for (const event of ["contact.created", "message.received", "form.submitted"])
      await made(world.send("owner", "POST", "/hooks", { event, target_url: receiver.url }));
    const channel = await givenChannel(world);
    const other = await givenPerson(neighbour, {
      email: "q@example.com",
      phone: "+12125551111",
      channel,
      key: "other",
    });
    const person = await givenPerson(word, { email: "zyxqoph@example.com", phone, channel, key: "person" });
    const twin = await importRow(word);
    await post(`/contacts/${person.id}/merge`, { contact_id: twin });
    await work();
    expect(await linesWith(traces)).not.toEqual([]);
    expect(await filesWith(traces)).not.toEqual([]);
    const before = (await linesWith(new RegExp(neighbour, "i"))).filter(
      (line) => !/^(conversations|contacts) /.test(line),
    );
    const [counted] = await world.service.database.rows("select count(*) as events, max(id) as last from events");

    let answer = await forget(twin);
    expect(answer.status).toBeLessThan(203);
    for (let turn = 0; turn < 5 && answer.body.status === "running"; turn++) {
      await work();
      answer = await forget(person.id);
    }
    expect(answer).toMatchObject({
      status: 200,
      body: {
        contact_id: person.id,
        contact_ids: [person.id, twin],
        status: "done",
        removed: { contacts: 2, notes: 1, tasks: 1, opportunities: 1, conversations: 2, files: 1, answers: 4, runs: 1 },
      },
    });
    await work();

    expect(await linesWith(traces)).toEqual([]);
    expect(await filesWith(traces)).toEqual([]);
    const after = (await linesWith(new RegExp(neighbour, "i"))).filter(
      (line) => !/^(conversations|contacts) /.test(line),
    );
    expect(after).toEqual(before);
    // Numbers stay.
    const { data: deals } = await made(
      world.send("owner", "GET", `/opportunities?location_id=${world.north}&contact_id=${person.id}`),
    );
    expect(deals).toMatchObject([{ id: person.opportunity.id, name: null, value_cents: 700 }]);
    const [kept] = await world.service.database.rows<{ events: number }>(
      "select count(*) as events from events where id <= ?",
      [(counted as { last: number }).last],
    );
    expect(kept!.events).toBe((counted as { events: number }).events);
    expect((await world.send("owner", "GET", `/contacts/${person.id}?location_id=${world.north}`)).status).toBe(404);
    expect((await world.send("owner", "GET", `/contacts/${other.id}?location_id=${world.north}`)).status).toBe(200);
  });

  test("events keep their shape for readers and for replays", async () => {
    const contact = await givenContact(world, { first_name: word });
    await work();
    await made(forget(contact.id));
    const rows = await world.service.database.rows<{ event: string; data: string; location_id: number }>(
      "select event, location_id, data from events where contact_id = ?",
      [contact.id],
    );
    const events = rows.map((row) => ({ ...row, contact_id: contact.id, changes: null, data: payloadOf(row.data) }));
    expect(events.flatMap(findFaultsOf)).toEqual([]);
    expect(events[0]!.data).toMatchObject({ id: contact.id, name: "", email: null, location_id: world.north });
    const { data } = await made(world.send("owner", "GET", "/hooks"));
    const hook = data.find(({ event }: { event: string }) => event === "contact.created") ?? data[0];
    const deliveries = await made(world.send("owner", "GET", `/hooks/${hook.id}/deliveries`));
    const sent = receiver.arrivals.length;
    const newest = deliveries.data.find(({ event }: { event: string }) => event === "contact.created");
    await made(world.send("owner", "POST", `/hooks/deliveries/${newest.id}/replay`));
    await work();
    expect(receiver.arrivals[sent]?.data).toMatchObject({ id: contact.id, first_name: "" });
  });

  test("a contact that was deleted before is forgotten, too; repeating it gives the same receipt", async () => {
    const contact = await givenContact(world, { first_name: word });
    await made(world.send("owner", "DELETE", `/contacts/${contact.id}`, { location_id: world.north }));
    const first = await made(forget(contact.id));
    expect(first).toMatchObject({ status: "done", contact_id: contact.id });
    expect(await made(forget(contact.id))).toEqual(first);
    expect(await linesWith(traces)).toEqual([]);
    const { data } = await made(world.send("owner", "GET", "/audit?operation=contactForgotten"));
    expect(data[0]).toMatchObject({
      subject: { type: "contact", id: contact.id },
      details: { removed: first.removed },
    });
  });

  test("what was written after the contact was deleted is forgotten, too, in a conversation that was deleted since", async () => {
    const contact = await givenContact(world, { first_name: word });
    const { conversation } = await givenConversation(world, { contact_id: contact.id });
    const of = { location_id: world.north };
    await made(world.send("owner", "DELETE", `/contacts/${contact.id}`, of));
    await post(`/conversations/${conversation.id}/messages`, { body: word }, { "idempotency-key": "after all" });
    await made(world.send("owner", "DELETE", `/conversations/${conversation.id}`, of));
    expect(await linesWith(traces)).not.toEqual([]);
    expect(await made(forget(contact.id))).toMatchObject({ status: "done" });
    expect(await linesWith(traces)).toEqual([]);
  });

  test("a message that is written while its person is forgotten goes with the conversation", async () => {
    const contact = await givenContact(world, { first_name: word });
    const { conversation } = await givenConversation(world, { contact_id: contact.id });
    const caller = await world.service.inLocation(world.acme, world.north);
    let erasure = await caller.change((change) => beginErasure(change, contact.id));
    while (erasure.step !== conversationRowStep.name)
      erasure = await continueErasure(caller, erasure, { blobs: world.service.blobs, most: 1 });
    await post(`/conversations/${conversation.id}/messages`, { body: word });
    expect(await made(forget(contact.id))).toMatchObject({
      status: "done",
      removed: { messages: 1, conversations: 1 },
    });
    expect(await linesWith(traces)).toEqual([]);
  });

  test("a person with many events is forgotten in pieces, by whichever process comes next", async () => {
    const { database, callAs } = world.service;
    const contact = await givenContact(world, { first_name: word });
    await work();
    await database.transaction(({ rows }) => rows(copyText, [contact.id, 3000]));
    const caller = await world.service.inLocation(world.acme, world.north);
    const begun = await caller.change((change) => beginErasure(change, contact.id));
    // A process that ends here leaves what its commits have done.
    await continueErasure(caller, begun, { blobs: world.service.blobs, most: 4 });
    const two = [0, 1].map(() =>
      erasureDuty({ rows: database, callAs, blobs: world.service.blobs, clock: world.clock }),
    );
    const results = await Promise.all(two.map(async (duty) => await untilDone(duty)));
    expect(Math.max(...results)).toBeGreaterThan(10);
    expect(await made(forget(contact.id))).toMatchObject({ status: "done", removed: { contacts: 1, events: 3002 } });
    expect(await linesWith(traces)).toEqual([]);
  });

  test("a process that knows too old a progress counts nothing twice, and nothing too little", async () => {
    const contact = await givenContact(world, { first_name: word });
    const { conversation, message } = await givenConversation(world, { contact_id: contact.id, body: word });
    await work();
    const copies = 2500;
    await world.service.database.transaction(({ rowsOnce }) =>
      copyRows(rowsOnce, "messages", `id = ${message.id}`, { external_id: "null" }, copies),
    );
    const caller = await world.service.inLocation(world.acme, world.north);
    const once = (from: ErasureRow) => continueErasure(caller, from, { blobs: world.service.blobs, most: 1 });
    let erasure = await caller.change((change) => beginErasure(change, contact.id));
    while (erasure.finished_at === null) {
      const before = erasure;
      await once(before);
      erasure = await once(before);
    }
    expect(JSON.parse(erasure.removed)).toMatchObject({ conversations: 1, messages: copies + 1 });
    expect((await world.send("owner", "GET", `/conversations/${conversation.id}`)).status).toBe(404);
  });

  test("several requests at once, and others that delete the person's conversations, meet without an error", async () => {
    const contact = await givenContact(world, { first_name: word });
    const conversations: number[] = [];
    for (let count = 0; count < 8; count++)
      conversations.push((await givenConversation(world, { contact_id: contact.id, body: word })).conversation.id);
    const [forgotten, deleted] = await Promise.all([
      Promise.all(conversations.map(() => forget(contact.id))),
      Promise.all(
        conversations
          .slice(4)
          .map((id) => world.send("owner", "DELETE", `/conversations/${id}`, { location_id: world.north })),
      ),
    ]);
    expect(forgotten.filter(({ status }) => status !== 200 && status !== 202)).toEqual([]);
    expect(deleted.filter(({ status }) => status !== 204 && status !== 404)).toEqual([]);
    await work();
    expect(await made(forget(contact.id))).toMatchObject({ status: "done" });
    expect(await linesWith(traces)).toEqual([]);
  });

  test("an erasure that an earlier version left in its last step merges all text indexes", async () => {
    const { database } = world.service;
    const contact = await givenContact(world, { first_name: word });
    await givenTask(world, { contact_id: contact.id, title: word });
    await work();
    await made(forget(contact.id));
    // It counted the merges of its one index as places.
    await database.transaction(({ rows }) =>
      rows(
        "update contact_erasures set step = 'search', place = 7, reached = 0, finished_at = null where contact_id = ?",
        [contact.id],
      ),
    );
    const merged = new Set<number>();
    const duty = erasureDuty({
      rows: database,
      callAs: world.service.callAs,
      blobs: world.service.blobs,
      clock: world.clock,
    });
    while ((await duty.run(new AbortController().signal)) === "more") {
      const [at] = await database.rows<{ place: number }>(
        "select place from contact_erasures where contact_id = ? and step = 'search'",
        [contact.id],
      );
      if (at !== undefined) merged.add(at.place);
    }
    expect([...merged]).toEqual([1, 2, 3, 4, 5]);
    expect(await made(forget(contact.id))).toMatchObject({ status: "done" });
    expect(await filesWith(traces)).toEqual([]);
  });

  test("waits for a message that is being sent", async () => {
    const contact = await givenContact(world, { first_name: word });
    const channel = await givenChannel(world, { transport: "http", transport_url: "https://gateway.example.com/send" });
    await post("/conversations", { contact_id: contact.id, channel_id: channel.id, body: word });
    const lease = (until: Date | null) =>
      world.service.database.transaction(({ rows }) => rows("update message_sends set leased_until = ?", [until]));
    await lease(new Date(world.clock.now().getTime() + 60_000));
    expect(await forget(contact.id)).toMatchObject({ status: 202, body: { status: "running", finished_at: null } });
    await lease(null);
    expect(await forget(contact.id)).toMatchObject({ status: 200, body: { status: "done" } });
    // The failure of a message that was canceled is told without its text.
    expect(await linesWith(traces)).toEqual([]);
  });
});

const columns =
  "workspace_id, location_id, event, contact_id, actor_type, actor_id, actor_name, changes, data, depth, created_at";

/** Copies of the first event of a contact. */
const copyText = `insert into events (${columns}) with recursive numbers(number) as
    (select 1 union all select number + 1 from numbers where number < 3000)
  select ${columns} from (select * from events where contact_id = ? order by id limit 1) as one, numbers
  where number <= cast(? as integer)`;

async function untilDone(duty: Duty): Promise<number> {
  let turns = 0;
  while ((await duty.run(new AbortController().signal)) === "more") turns += 1;
  return turns;
}
