/** Files of workflows: kept by drafts and versions, sent with each message, and removed when nothing names them. */
import PostalMime from "postal-mime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eachStoredFile } from "../../src/crm/conversations/attachments/attachment.queries.ts";
import { readInput } from "../../src/kit/input/read-input.ts";
import * as operations from "../../src/crm/workflows/workflow.operations.ts";
import { changedWorkflowInput, dryRunInput, newWorkflowInput } from "../../src/crm/workflows/workflow.schema.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenChannel, givenContact, made } from "../support/given.ts";
import { startMailServer } from "../support/mail-server.ts";
import { toLoopback } from "../support/receiver.ts";
import { givenRun, runOf } from "../support/workflows.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const prices = Buffer.alloc(1_500_000, "0123456789");

describe.each(sampleOf("files of workflows", 1, databaseKinds))("files of workflows on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind, { environment: toLoopback, quiet: true });
  });
  afterAll(() => world?.close());

  const inNorth = () => world.service.inLocation(world.acme, world.north);
  const work = () => world.service.worker.runOnce();
  const uploaded = async (content: Uint8Array = Buffer.from("1"), location = world.north): Promise<number> => {
    const path = `/attachments?location_id=${location}&name=prices.pdf`;
    const { id } = await made(world.send("owner", "POST", path, content, { "content-type": "application/pdf" }));
    return id;
  };
  const definition = (channel_id: number, attachment_ids: readonly unknown[] | null) => ({
    entry: "greet",
    nodes: { greet: { type: "send_message", channel_id, body: "Our prices", attachment_ids } },
  });
  const create = async (fields: object) => {
    const input = readInput(newWorkflowInput, { name: "Offer", ...fields });
    return world.service.carryOut(operations.createWorkflow, await inNorth(), { input });
  };
  const change = async (workflow: number, fields: object) => {
    const input = readInput(changedWorkflowInput, fields);
    return world.service.carryOut(operations.updateWorkflow, await inNorth(), { workflow, input });
  };
  const attempt = async (fields: object) => {
    const input = readInput(dryRunInput, fields);
    return world.service.carryOut(operations.tryDefinition, await inNorth(), { input });
  };
  const errorsOf = (work: Promise<unknown>): Promise<Record<string, string[]>> =>
    work.then(
      () => ({}),
      (error) => error.errors,
    );
  const attachments = () =>
    world.service.database.rows<{ id: number; blob_key: string; message_id: number | null }>(
      "select id, blob_key, message_id from attachments order by id",
    );
  const statusOf = async (id: number) =>
    (await world.send("owner", "GET", `/attachments/${id}?location_id=${world.north}`)).status;
  const nextDay = async () => {
    world.clock.advance({ hours: 26 });
    await work();
  };

  test("each message arrives with the file, which outlives days, contacts and conversations", async () => {
    await using server = await startMailServer();
    const { id: channel } = await givenChannel(world, {
      kind: "email",
      address: "desk@acme.example",
      transport: "smtp",
      transport_url: server.url,
    });
    const file = await uploaded(prices);
    const { id: workflow } = await create({ definition: definition(channel, [file]), publish: true });
    const runs = [];
    for (const email of ["ada@x.example", "bob@x.example"]) {
      await nextDay();
      const contact = await givenContact(world, { email });
      runs.push({ contact: contact.id, run: await givenRun(world, workflow, contact.id) });
      await work();
      await work();
    }
    for (const { run } of runs) expect(await runOf(world, run)).toMatchObject({ ended_reason: "finished" });
    expect(server.mails.map(({ to }) => to)).toEqual([["ada@x.example"], ["bob@x.example"]]);
    for (const { raw } of server.mails) {
      const [part] = (await PostalMime.parse(raw)).attachments;
      expect([part!.filename, part!.mimeType]).toEqual(["prices.pdf", "application/pdf"]);
      expect(Buffer.from(part!.content as ArrayBuffer).equals(prices)).toBe(true);
    }
    const rows = await attachments();
    expect(rows.map(({ blob_key }) => blob_key)).toEqual(Array.from({ length: 3 }, () => rows[0]!.blob_key));
    const files: unknown[] = [];
    for await (const stored of eachStoredFile(world.service.database)) files.push(stored);
    expect(files).toEqual([expect.objectContaining({ id: file, blob_key: rows[0]!.blob_key })]);

    // The file of a deleted message goes, its pieces stay.
    const conversations = await made(world.send("owner", "GET", `/conversations?location_id=${world.north}`));
    const [first] = conversations.data;
    await world.send("owner", "DELETE", `/conversations/${first.id}?location_id=${world.north}`);
    await nextDay();
    expect(await attachments()).toHaveLength(2);
    const { url } = await made(world.send("owner", "GET", `/attachments/${file}?location_id=${world.north}`));
    const download = await fetch(url);
    expect(Buffer.from(await download.arrayBuffer()).equals(prices)).toBe(true);
  });

  test("a draft keeps its files for as long as it names them, and a version for good", async () => {
    const { id: channel } = await givenChannel(world);
    const [drafted, published] = [await uploaded(), await uploaded()];
    const { id } = await create({ definition: definition(channel, [drafted, String(published)]) });
    await nextDay();
    expect([await statusOf(drafted), await statusOf(published)]).toEqual([200, 200]);
    await change(id, { definition: definition(channel, [published]), publish: true });
    await change(id, { definition: definition(channel, null) });
    world.clock.advance({ hours: 1 });
    await work();
    expect([await statusOf(drafted), await statusOf(published)]).toEqual([200, 200]);
    await nextDay();
    expect([await statusOf(drafted), await statusOf(published)]).toEqual([404, 200]);
  });

  test("pieces are removed with the last row that shares them", async () => {
    const { id: channel } = await givenChannel(world);
    const file = await uploaded();
    const { id: workflow } = await create({ definition: definition(channel, [file]), publish: true });
    await givenRun(world, workflow, (await givenContact(world)).id);
    await work();
    const [own, copy] = (await attachments()).slice(-2);
    expect([own!.id, own!.blob_key]).toEqual([file, copy!.blob_key]);
    const isThere = async () => (await world.service.blobs.readPiece(own!.blob_key, 0)) !== undefined;
    await world.service.database.transaction(({ rows }) =>
      rows("update attachments set workflow_id = null where id = ?", [file]),
    );
    await nextDay();
    expect([(await attachments()).at(-1), await isThere()]).toEqual([copy, true]);
    await world.service.database.transaction(({ rows }) =>
      rows("update attachments set message_id = null where id = ?", [copy!.id]),
    );
    await nextDay();
    expect([(await attachments()).filter(({ id }) => id === copy!.id), await isThere()]).toEqual([[], false]);
  });

  test("publishing and trying refuse files that cannot be sent", async () => {
    const { id: channel } = await givenChannel(world);
    const taken = await uploaded();
    await create({ definition: definition(channel, [taken]) });
    const old = await uploaded();
    world.clock.advance({ hours: 25 });
    const large = Buffer.alloc(13 * 1_048_576);
    const contact_id = (await givenContact(world)).id;
    const rows: readonly (readonly [ids: readonly unknown[], sentence: RegExp, tried?: "fine"])[] = [
      [[999_999], /must name attachments of the location .* not 999999\.$/],
      [[old], /uploaded for this workflow in the last day/],
      [[taken], /uploaded for this workflow/, "fine"],
      [[await uploaded(Buffer.from("1"), world.south)], /must name attachments of the location/],
      [[await uploaded(large), await uploaded(large)], /may have 25 MiB together/],
      [Array.from({ length: 16 }, (_, place) => place + 1), /must have at most 15 items/],
      [[1, 1], /must name each attachment once/],
      [["one"], /./],
    ];
    for (const [ids, sentence, tried] of rows) {
      const given = definition(channel, ids);
      const refused = { definition: [expect.stringMatching(sentence)] };
      expect(await errorsOf(create({ definition: given, publish: true }))).toEqual(refused);
      const dry = await errorsOf(attempt({ definition: given, contact_id }));
      expect(dry, String(sentence)).toEqual(tried === "fine" ? {} : refused);
    }
  });

  test("a kept file is not sent with a message, and trying leaves no copy", async () => {
    const { id: channel } = await givenChannel(world);
    const file = await uploaded();
    const { id: workflow } = await create({ definition: definition(channel, [file]) });
    const contact_id = (await givenContact(world)).id;
    const taken = await world.send("owner", "POST", "/conversations", {
      location_id: world.north,
      contact_id,
      channel_id: channel,
      body: "Hello",
      attachment_ids: [file],
    });
    expect([taken.status, Object.keys(taken.body.errors)]).toEqual([422, ["attachment_ids"]]);
    const before = await attachments();
    const { steps } = await attempt({ workflow_id: workflow, contact_id });
    expect(steps.length).toBeGreaterThan(0);
    expect(await attachments()).toEqual(before);
  });
});
