/** Following the event log with thirty-two writers and two workers that assign positions: each event exactly once, in order. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { entities } from "../../src/entities.ts";
import { prunePayloads } from "../../src/events/retention.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { repetitions, sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { payloadOf } from "../support/events.ts";
import { openSystem } from "./tested-system.ts";
import type { TestedSystem } from "./tested-system.ts";
import { KeepAliveConnection } from "./keep-alive-connection.ts";

const writers = 32;
/** Events per writer: one contact, and its notes. */
const contactsPerWriter = repetitions(5, 8);
const notesPerContact = 4;

/** After the last write, the maximum wait for the next event in milliseconds: workers poll many times per second. */
const patience = 15_000;

interface Seen {
  readonly id: number;
  readonly position: number;
  readonly event: string;
  readonly contact_id: number | null;
  readonly data: string;
}

/**
 * Reads from its last position, like any follower, until all events are written and read. Fails with the missing events if no further one
 * arrives.
 */
async function follow(url: string, written: () => boolean, count: () => Promise<number>): Promise<Seen[]> {
  const database = await openDatabase(url, entities);
  const seen: Seen[] = [];
  let lastCame = performance.now();
  async function missed(): Promise<string> {
    const ids = new Set(seen.map(({ id }) => id));
    const all = await database.rows<Pick<Seen, "id"> & { position: number | null }>(
      "select id, position from events left join event_positions on event_id = id order by id",
    );
    const named = all
      .filter(({ id }) => !ids.has(id))
      .map(({ id, position }) => `${id} (${position === null ? "was given none" : `position ${position}`})`);
    return `The follower stands at position ${seen.at(-1)?.position ?? 0}, and never saw the events ${named.join(", ")}`;
  }
  try {
    for (;;) {
      const mark = seen.at(-1)?.position ?? 0;
      const next = await database.rows<Seen>(
        "select id, position, event, contact_id, data from event_positions join events on id = event_id where position > ? order by position limit 100",
        [mark],
      );
      seen.push(...next);
      if (next.length > 0 || !written()) lastCame = performance.now();
      if (next.length > 0) continue;
      if (written() && seen.length >= (await count())) return seen;
      if (performance.now() - lastCame > patience) throw new Error(await missed());
      await sleep(5);
    }
  } finally {
    await database.close();
  }
}

interface Told {
  readonly position: number;
  readonly id: number;
  readonly event: string;
  readonly contact_id: number;
  readonly created_at: string;
  readonly data: { readonly id: number } | null;
}

interface Log {
  readonly key: string;
  /** The number of events, once all are written. */
  isWritten(): boolean;
  count(): Promise<number>;
}

/**
 * Reads the log over HTTP, each time after the position of the last response or error, until all events are written and read. Calls `seen`
 * with each page. Fails if a page does not continue where the last one ended.
 */
async function followOverHttp(
  url: string,
  { key, isWritten, count }: Log,
  limit: number,
  seen: (page: readonly Told[]) => Promise<unknown>,
): Promise<{ told: Told[]; refusals: number }> {
  const line = new KeepAliveConnection(url);
  const told: Told[] = [];
  let [after, refusals, lastCame] = [0, 0, performance.now()];
  for (;;) {
    const mayEnd = isWritten();
    const path = `/api/v1/events?after=${after}&limit=${limit}`;
    const { status, body } = await line.ask({ method: "GET", path, key });
    if (status === 422) {
      const [, named] = /Continue after (\d+),/.exec(body.message) ?? [];
      expect(Number(named), body.message).toBeGreaterThan(after);
      after = Number(named);
      refusals += 1;
      continue;
    }
    expect({ status, body }).toMatchObject({ status: 200 });
    const page: Told[] = body.data;
    // From position 0 a reader gets whatever is left.
    const first = after === 0 ? (page[0]?.position ?? 1) : after + 1;
    expect(page.map(({ position }) => position)).toEqual(page.map((_, place) => first + place));
    expect(page.filter(({ data }) => data === null)).toEqual([]);
    told.push(...page);
    await seen(page);
    after = body.last_position;
    if (page.length > 0 || !mayEnd) lastCame = performance.now();
    if (mayEnd && after >= (await count())) break;
    if (performance.now() - lastCame > patience) throw new Error(`nothing comes any more after position ${after}`);
  }
  line.close();
  return { told, refusals };
}

/** The notes of one contact are written sequentially, each committed before the next. */
async function write(system: TestedSystem, url: string, writer: number): Promise<Map<number, string[]>> {
  const line = new KeepAliveConnection(url);
  const written = new Map<number, string[]>();
  const ask = async (path: string, body: object) => {
    const answer = await line.ask({
      method: "POST",
      path: `/api/v1${path}`,
      key: system.key,
      body: { location_id: system.location, ...body },
    });
    expect(answer).toMatchObject({ status: 201 });
    return answer.body;
  };
  for (let contact = 0; contact < contactsPerWriter; contact++) {
    const { id } = await ask("/contacts", { first_name: "Flo", last_name: `${writer}.${contact}` });
    const notes: string[] = [];
    for (let note = 0; note < notesPerContact; note++) {
      const body = `${writer}.${contact}.${note}`;
      await ask(`/contacts/${id}/notes`, { body });
      notes.push(body);
    }
    written.set(id, notes);
  }
  line.close();
  return written;
}

describe.each(sampleOf("Faults: event log", 1, databaseKinds))("a follower of the event log on %s", (kind) => {
  test("gets each committed event once, in order, without gaps", async () => {
    await using system = await openSystem(kind);
    const [first, second] = await Promise.all([system.serve("--no-worker"), system.serve("--no-worker")]);
    const workers = [system.start("worker"), system.start("worker")];
    await Promise.all(workers.map((worker) => worker.match(/crm worker running/)));

    let written = false;
    const count = async () => {
      const [row] = await system.rows<{ count: number }>("select count(*) as count from events");
      return row!.count;
    };
    const following = follow(system.place.url, () => written, count);
    // Awaited when all is written; this prevents an unhandled rejection until then.
    following.catch(() => {});
    const byWriter = await Promise.all(
      Array.from({ length: writers }, (_, writer) => write(system, writer % 2 === 0 ? first.url : second.url, writer)),
    ).finally(() => {
      written = true;
    });
    const seen = await following;

    // Each read continued where the last one ended: no gap was filled later.
    expect(seen.map(({ position }) => position)).toEqual(seen.map((_, place) => place + 1));
    const ids = await system.rows<{ id: number }>("select id from events order by id");
    expect(seen.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(ids.map(({ id }) => id));

    for (const [contact, notes] of byWriter.flatMap((one) => [...one])) {
      const timeline = seen.filter(({ contact_id: id }) => id === contact);
      expect(timeline.map(({ event }) => event)).toEqual(["contact.created", ...notes.map(() => "note.added")]);
      expect(timeline.slice(1).map(({ data }) => payloadOf(data).body)).toEqual(notes);
    }
    for (const worker of workers) worker.signal("SIGTERM");
    for (const worker of workers) expect(await worker.finished).toMatchObject({ code: 0 });
  });
});

test("over HTTP, while payloads are pruned behind the reader, gets each event once, in order, and an error instead of pruned ones", async () => {
  await using system = await openSystem("postgres");
  const [first, second] = await Promise.all([system.serve("--no-worker"), system.serve("--no-worker")]);
  const workers = [system.start("worker"), system.start("worker")];
  await Promise.all(workers.map((worker) => worker.match(/crm worker running/)));
  const database = await openDatabase(system.place.url, entities);

  let written = false;
  const log: Log = {
    key: system.key,
    isWritten: () => written,
    async count() {
      const [row] = await database.rows<{ count: number }>("select count(*) as count from events");
      return row!.count;
    },
  };
  let forgotten = 0;
  // Prunes up to the last event that the fast reader has read, so nothing that it still needs.
  const forgetBehind = async (page: readonly Told[]) => {
    const last = page.at(-1);
    if (last === undefined) return;
    // The other followers want none of them, so their marks would only move within an hour.
    await database.transaction(({ rows }) =>
      rows("update event_marks set position = ? where position < ?", [last.position, last.position]),
    );
    forgotten += await prunePayloads(database, new Date(last.created_at));
  };
  const quick = followOverHttp(first.url, log, 200, forgetBehind);
  const slow = followOverHttp(second.url, log, 1, () => sleep(20));
  const reading = Promise.all([quick, slow]);
  // Awaited when all is written; this prevents an unhandled rejection until then.
  reading.catch(() => {});
  const byWriter = await Promise.all(
    Array.from({ length: writers }, (_, writer) => write(system, writer % 2 === 0 ? first.url : second.url, writer)),
  ).finally(() => {
    written = true;
  });
  const [{ told, refusals }, late] = await reading;

  expect(refusals).toBe(0);
  expect(told.map(({ position }) => position)).toEqual(told.map((_, place) => place + 1));
  const ids = await database.rows<{ id: number }>("select id from events order by id");
  expect(told.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(ids.map(({ id }) => id));
  for (const [contact, notes] of byWriter.flatMap((one) => [...one])) {
    const timeline = told.filter(({ contact_id: id }) => id === contact);
    expect(timeline.map(({ event }) => event)).toEqual(["contact.created", ...notes.map(() => "note.added")]);
  }
  // The slow reader gets an error each time that events were pruned before it read them.
  expect(forgotten).toBeGreaterThan(0);
  expect(late.refusals).toBeGreaterThan(0);
  expect(late.told.map(({ position }) => position)).toEqual(
    [...new Set(late.told.map(({ position }) => position))].toSorted((a, b) => a - b),
  );
  process.stdout.write(
    `${told.length} events, ${forgotten} forgotten meanwhile, the slow reader was told so ${late.refusals} times\n`,
  );
  await database.close();
  for (const worker of workers) worker.signal("SIGTERM");
  for (const worker of workers) expect(await worker.finished).toMatchObject({ code: 0 });
});
