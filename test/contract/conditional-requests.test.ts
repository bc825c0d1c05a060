/** ETag, If-Match and If-None-Match on every operation that shows or changes one record. The rows come from the endpoints. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Endpoint } from "../../src/http/endpoint.ts";
import { answersRecord } from "../../src/operation/shown-record.ts";
import { endpoints } from "../../src/operations.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { createApiKey } from "../../src/tenancy/api-keys/api-key.service.ts";
import { request } from "../support/client.ts";
import type { HttpAnswer } from "../support/client.ts";
import { givenContact, givenConversation, givenOpportunity, givenTag, givenTask, stagesOf } from "../support/given.ts";
import { makeRecords } from "../support/records.ts";
import type { Records } from "../support/records.ts";
import { inputOf, pathOf } from "../support/specimens.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

type Headers = Readonly<Record<string, string>>;

const conditional = endpoints.filter(({ method, operation }) => method !== "POST" && operation.record !== undefined);
const reads = conditional.filter(({ method }) => method === "GET");
const changes = conditional.filter(({ method }) => method !== "GET");
const named = (rows: readonly Endpoint[]) => rows.map((endpoint) => [endpoint.operation.name, endpoint] as const);

const stale = '"0000000000000000000000"';

describe.each(sampleOf("conditional requests", 1, databaseKinds))("conditional requests on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    // test/http/compression.test.ts has the tags of compressed records.
    world = await createWorld(kind, { environment: { CRM_COMPRESSION: "off" } });
  });
  afterAll(() => world?.close());

  function send(endpoint: Endpoint, records: Records, headers?: Headers): Promise<HttpAnswer> {
    const { method, operation } = endpoint;
    const path = pathOf(endpoint, records);
    if (method === "GET") return world.send("owner", method, `${path}?location_id=${world.north}`, undefined, headers);
    return world.send("owner", method, path, { location_id: world.north, ...inputOf(operation, records) }, headers);
  }

  const etagOf = ({ headers }: HttpAnswer) => headers.get("etag") ?? "none";

  /** The tag of the record that `endpoint` changes: of its GET, or where it has none, of a PATCH. */
  async function readTag({ operation: { record } }: Endpoint, records: Records): Promise<string> {
    const source = [...reads, ...changes].find(
      ({ operation }) => operation.record === record && answersRecord(operation),
    );
    return etagOf(await send(source!, records));
  }

  test.each(named(reads))("%s carries a strong ETag, and answers 304 to who has it", async (_name, endpoint) => {
    const records = await makeRecords(world);
    const first = await send(endpoint, records);
    const tag = etagOf(first);
    expect([first.status, tag]).toEqual([200, expect.stringMatching(/^"[\w-]{22}(\.[\w-]{22})?"$/)]);
    expect(etagOf(await send(endpoint, records))).toBe(tag);
    for (const known of [tag, `W/${tag}`, `${stale} , ${tag}`, "*"]) {
      const { status, text, headers } = await send(endpoint, records, { "if-none-match": known });
      expect([known, status, text, headers.get("etag")]).toEqual([known, 304, "", tag]);
      const sentWith = (sent: HttpAnswer["headers"]) => [...sent.keys()].filter((name) => !name.startsWith("content-"));
      expect([sentWith(headers), headers.has("content-type")]).toEqual([sentWith(first.headers), false]);
    }
    for (const unknown of [stale, `W/${stale}`, "nothing", ""]) {
      const answer = await send(endpoint, records, { "if-none-match": unknown });
      expect([unknown, answer.status, answer.text]).toEqual([unknown, 200, first.text]);
    }
    expect((await send(endpoint, records, { "if-match": tag })).status).toBe(200);
    expect((await send(endpoint, records, { "if-match": `W/${tag}` })).status).toBe(412);
  });

  test.each(named(changes))("%s is carried out only on the record that If-Match names", async (_name, endpoint) => {
    const made = await makeRecords(world);
    // The tag is that of the first workflow.
    const records = { ...made, draft_workflow: made.workflow };
    const tag = await readTag(endpoint, records);
    expect(tag).toMatch(/^"/);
    for (const headers of [
      { "if-match": stale },
      { "if-match": `W/${tag}` },
      { "if-none-match": tag },
      { "if-none-match": "*" },
    ] as Headers[]) {
      const { result: answer, events } = await world.eventsDuring(() => send(endpoint, records, headers));
      expect([answer.status, answer.body]).toEqual([
        412,
        { error: "precondition_failed", message: expect.any(String), request_id: expect.any(String) },
      ]);
      expect(events).toEqual([]);
    }
    for (const header of [
      "",
      "tag",
      `"a" "b"`,
      `"a`,
      `w/${tag}`,
      `*, ${tag}`,
      ",",
      '"a\u0001"'.replace("\u0001", " "),
    ]) {
      const answer = await send(endpoint, records, { "if-match": header });
      expect([header, answer.status, answer.body.error]).toEqual([header, 400, "invalid_if_match"]);
    }
    const isRead = reads.some(({ operation }) => operation.record === endpoint.operation.record);
    if (isRead) expect(await readTag(endpoint, records)).toBe(tag);

    const done = await send(endpoint, records, { "if-match": `${stale},, ${tag}`, "if-none-match": stale });
    expect([done.status, done.body]).toMatchObject([endpoint.statuses.found, expect.anything()]);
    if (endpoint.method === "DELETE" && done.status === 204) return;
    // The answer has the tag that is read next.
    if (answersRecord(endpoint.operation) && isRead) expect(await readTag(endpoint, records)).toBe(etagOf(done));
    // What moved no longer has the old tag.
    expect((await send(endpoint, records, { "if-match": tag })).status).toBe(
      endpoint.operation.name === "removeContactTag" ? 412 : etagOf(done) === tag ? 200 : 412,
    );
  });

  test.each(named(changes))(
    "%s of a record that is not there is 404, whatever If-Match says",
    async (_name, endpoint) => {
      const nouns = [...endpoint.parameters.map(([, noun]) => noun), "draft_workflow"];
      const none = Object.fromEntries(nouns.map((noun) => [noun, 999_999]));
      const answer = await send(endpoint, { ...(await makeRecords(world)), ...none }, { "if-match": "*" });
      expect([answer.status, answer.body]).toEqual([404, { error: `${endpoint.parameters[0]![1]}.not_found` }]);
    },
  );

  test("a POST that creates a record answers the tag that is read next, also when it is repeated", async () => {
    const records = await makeRecords(world);
    const creates = endpoints.filter(({ method, operation }) => method === "POST" && answersRecord(operation));
    for (const endpoint of creates) {
      const headers = { "idempotency-key": `tag of ${endpoint.operation.name}` };
      const body = { location_id: world.north, ...inputOf(endpoint.operation, records) };
      const path = pathOf(endpoint, records);
      const made = await world.send("owner", "POST", path, body, headers);
      expect([endpoint.operation.name, made.status < 300, etagOf(made)]).toMatchObject([
        endpoint.operation.name,
        true,
        expect.stringMatching(/^"/),
      ]);
      const again = await world.send("owner", "POST", path, body, headers);
      expect([etagOf(again), again.text]).toEqual([etagOf(made), made.text]);
      const read = reads.find(({ operation }) => operation.record === endpoint.operation.record);
      if (read === undefined) continue;
      const noun = read.operation.find.at(-1)!.noun;
      const found = await send(read, { ...records, [noun]: made.body.id });
      expect([endpoint.operation.name, found.text]).toEqual([endpoint.operation.name, made.text]);
    }
  });

  test("a conversation keeps its ETag within the hour in which the URLs of its attachments stay the same", async () => {
    const { conversation } = await givenConversation(world);
    const upload = `/attachments?location_id=${world.north}&name=prices.txt`;
    const file = await world.send("owner", "POST", upload, "1 EUR", { "content-type": "text/plain" });
    const body = { location_id: world.north, body: "Here", attachment_ids: [file.body.id] };
    const path = `/conversations/${conversation.id}`;
    expect((await world.send("owner", "POST", `${path}/messages`, body)).status).toBe(201);
    const read = async () => etagOf(await world.send("owner", "GET", `${path}?location_id=${world.north}`));
    world.clock.advance({ milliseconds: 3_600_000 - (world.clock.now().getTime() % 3_600_000) });
    const first = await read();
    world.clock.advance({ minutes: 59 });
    expect(await read()).toBe(first);
    world.clock.advance({ minutes: 1 });
    expect(await read()).not.toBe(first);
  });

  test("a run moves the ETag of its workflow, and a change with the old one is still carried out, once", async () => {
    const { workflow, contact } = await makeRecords(world);
    const path = `/workflows/${workflow}`;
    const read = (headers?: Headers) =>
      world.send("owner", "GET", `${path}?location_id=${world.north}`, undefined, headers);
    const patch = (name: string, match: string) =>
      world.send("owner", "PATCH", path, { location_id: world.north, name }, { "if-match": match });
    const before = etagOf(await read());
    const body = { location_id: world.north, contact_id: contact };
    expect((await world.send("owner", "POST", `${path}/enroll`, body)).status).toBe(201);
    const counted = await read({ "if-none-match": before });
    expect([counted.status, etagOf(counted)]).toEqual([200, expect.not.stringMatching(before)]);
    expect((await read({ "if-match": before })).status).toBe(412);
    expect((await patch("First", before)).status).toBe(200);
    for (const tag of [before, etagOf(counted)]) expect((await patch("Second", tag)).status).toBe(412);
    const [state, count] = etagOf(await read())
      .slice(1, -1)
      .split(".");
    for (const part of [state, count, `.${count}`]) expect((await patch("Third", `"${part}"`)).status).toBe(412);
    expect((await patch("Third", `"${state}.${count}-gzip"`)).status).toBe(200);
  });

  test("of fifty changes with one ETag, one is carried out", async () => {
    const contact = await givenContact(world);
    const task = await givenTask(world, { contact_id: contact.id });
    const { conversation } = await givenConversation(world, { contact_id: contact.id });
    const tag = await givenTag(world);
    const targets: [path: string, body: (n: number) => object][] = [
      [`/contacts/${contact.id}`, (n) => ({ company: `Company ${n}`, email: `race${n % 5}@example.com` })],
      [`/tasks/${task.id}`, (n) => ({ title: `Title ${n}` })],
      [
        `/conversations/${conversation.id}`,
        (n) => ({ status: "snoozed", snoozed_until: `2026-12-01T09:00:${n + 10}Z` }),
      ],
      [`/tags/${tag.id}`, (n) => ({ name: `Race ${tag.id} ${n}` })],
    ];
    for (const [path, body] of targets) {
      const patch = (n: number, headers?: Headers) =>
        world.send("owner", "PATCH", path, { location_id: world.north, ...body(n) }, headers);
      const current = await world.send("owner", "GET", `${path}?location_id=${world.north}`);
      // A tag has no GET: its PATCH answers the same record.
      const etag = etagOf(current.status === 200 ? current : await patch(0));
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) => patch(n + 1 > 49 ? 49 : n + 1, { "if-match": etag })),
      );
      const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
      expect([path, statuses]).toEqual([path, [200, ...Array.from({ length: 49 }, () => 412)]]);
    }
  }, 60_000);

  test("a change without If-Match between reading and writing is not overwritten", async () => {
    const { id } = await givenContact(world);
    const path = `/contacts/${id}`;
    const etag = etagOf(await world.send("owner", "GET", `${path}?location_id=${world.north}`));
    const patch = (company: string, headers?: Headers) =>
      world.send("owner", "PATCH", path, { location_id: world.north, company }, headers);
    const answers = await Promise.all([
      patch("A"),
      patch("B", { "if-match": etag }),
      patch("C"),
      patch("D", { "if-match": etag }),
    ]);
    expect(answers.filter(({ status }) => status === 412).length).toBeGreaterThanOrEqual(1);
  });

  test("a key that may not see the tasks has an ETag of its own, which tasks do not move, and may change with it", async () => {
    const { id } = await givenContact(world);
    const inAcme = world.service.inWorkspace(world.acme);
    const scopes = ["contacts.write"] as const;
    const { key } = await inAcme.change((change) => createApiKey(change, { name: "few", scopes: [...scopes] }));
    const path = `/api/v1/contacts/${id}`;
    const read = () => request(world.url, { method: "GET", path: `${path}?location_id=${world.north}`, key });
    const before = etagOf(await read());
    const whole = await world.send("owner", "GET", `/contacts/${id}?location_id=${world.north}`);
    expect(etagOf(whole)).toBe(before);
    // A task without an event: what moves is what the owner's key sees.
    await world.service.database.transaction(({ rows }) =>
      rows("insert into tasks (location_id, contact_id, title, due_at, created_at) values (?, ?, 'Hidden', ?, ?)", [
        world.north,
        id,
        ...Array.from({ length: 2 }, () => world.clock.now()),
      ]),
    );
    expect(etagOf(await read())).toBe(before);
    expect(etagOf(await world.send("owner", "GET", `/contacts/${id}?location_id=${world.north}`))).not.toBe(before);
    const body = { location_id: world.north, company: "Few" };
    const patch = () => request(world.url, { method: "PATCH", path, key, body, headers: { "if-match": before } });
    expect([(await patch()).status, (await patch()).status]).toEqual([200, 412]);
  });

  test("whatever a contact shows moves its ETag, and nothing else does", async () => {
    const { id, email } = await givenContact(world, { email: "etag.subject@example.com" });
    const read = async () => etagOf(await world.send("owner", "GET", `/contacts/${id}?location_id=${world.north}`));
    const ask =
      (method: string, path: string, body: object = {}) =>
      async () => {
        const answer = await world.send("owner", method, path, { location_id: world.north, ...body });
        expect([path, answer.status, answer.text]).toMatchObject([path, expect.any(Number), expect.any(String)]);
        expect(answer.status).toBeLessThan(300);
        return answer.body;
      };
    const tag = await givenTag(world);
    const stages = Object.values(await stagesOf(world));
    const opportunity = await givenOpportunity(world, { contact_id: id });
    const task = await givenTask(world, { contact_id: id });
    const { conversation } = await givenConversation(world, { contact_id: id });
    const note = await ask("POST", `/contacts/${id}/notes`, { body: "Called" })();
    const other = await givenContact(world);

    const moving: [name: string, change: () => Promise<unknown>][] = [
      ["a tag", ask("POST", `/contacts/${id}/tags`, { tag_id: tag.id })],
      ["a tag's new name", ask("PATCH", `/tags/${tag.id}`, { name: `Renamed ${tag.id}` })],
      ["a tag that is taken away", ask("DELETE", `/contacts/${id}/tags/${tag.id}`)],
      ["a pinned note", ask("PATCH", `/contacts/${id}/notes/${note.id}`, { pinned: true })],
      ["a task's due date", ask("PATCH", `/tasks/${task.id}`, { due_at: "2026-03-02T17:00:00Z" })],
      ["a task that becomes overdue", async () => world.clock.advance({ days: 2 })],
      ["a completed task", ask("PATCH", `/tasks/${task.id}`, { completed: true })],
      [
        "a stage",
        ask("PATCH", `/opportunities/${opportunity.id}`, {
          stage_id: stages.find((one) => one.id !== opportunity.stage.id)!.id,
          lost_reason: "Price",
        }),
      ],
      ["a message", ask("POST", `/conversations/${conversation.id}/messages`, { body: "Hello" })],
      ["a closed conversation", ask("PATCH", `/conversations/${conversation.id}`, { status: "closed" })],
      ["a bulk upsert", ask("POST", "/contacts/bulk", { contacts: [{ email, city: "Turin" }] })],
      ["an upsert", ask("POST", "/contacts/upsert", { email, city: "Rome" })],
      ["a deleted opportunity", ask("DELETE", `/opportunities/${opportunity.id}`)],
      ["a deleted note", ask("DELETE", `/contacts/${id}/notes/${note.id}`)],
    ];
    const still: typeof moving = [
      ["a PATCH that changes nothing", ask("PATCH", `/contacts/${id}`, { city: "Rome" })],
      ["another contact's note", ask("POST", `/contacts/${other.id}/notes`, { body: "Other" })],
      ["another tag", async () => givenTag(world)],
    ];
    const found: [string, boolean][] = [];
    for (const [name, change] of [...moving, ...still]) {
      const before = await read();
      await change();
      found.push([name, (await read()) !== before]);
    }
    expect(found).toEqual([...moving.map(([name]) => [name, true]), ...still.map(([name]) => [name, false])]);
  });
});
