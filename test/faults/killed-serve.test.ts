/** kill -9 in the middle of writes: what was answered is there with its event, and nothing is there by halves. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { databaseKinds } from "../support/databases.ts";
import { chanceOf } from "./chance.ts";
import { openGround } from "./ground.ts";
import type { Ground } from "./ground.ts";
import { CutOff, Line, Refused } from "./line.ts";
import { until } from "./until.ts";

const rounds = 20;
const writers = 32;

/** A contact that somebody wanted, under an e-mail that nobody else has. */
interface Wanted {
  readonly email: string;
  /** With a key it is asked for again until it is answered. */
  readonly idempotencyKey: string | undefined;
  answeredId?: number;
}

/** Writes until the service is gone; what was not answered and may be sent again is taken from `again` first. */
async function write(
  ground: Ground,
  url: string,
  writer: number,
  round: number,
  wanted: Wanted[],
  again: Wanted[],
): Promise<void> {
  const line = new Line(url);
  for (let number = 0; ; number++) {
    const email = `w${writer}.${round}.${number}@example.com`;
    const one = again.pop() ?? { email, idempotencyKey: writer % 2 === 0 ? email : undefined };
    if (one.email === email) wanted.push(one);
    try {
      const { status, body } = await line.ask({
        method: "POST",
        path: "/api/v1/contacts",
        key: ground.key,
        body: { location_id: ground.location, first_name: "Ada", last_name: "Lovelace", email: one.email },
        headers: one.idempotencyKey === undefined ? {} : { "idempotency-key": one.idempotencyKey },
      });
      expect({ status, body }).toMatchObject({ status: 201, body: { email: one.email } });
      one.answeredId = body.id;
    } catch (error) {
      if (!(error instanceof CutOff || error instanceof Refused)) throw error;
      return;
    }
  }
}

async function expectWhole(ground: Ground, url: string, wanted: readonly Wanted[]): Promise<void> {
  const contacts = await ground.rows<{ id: number; email: string }>(
    "select id, email from contacts where deleted_at is null",
  );
  const events = await ground.rows<{ contact_id: number }>(
    "select contact_id from events where event = 'contact.created'",
  );
  const idByEmail = new Map(contacts.map(({ id, email }) => [email, id]));
  expect(idByEmail.size, "no e-mail twice").toBe(contacts.length);
  const answered = wanted.filter(({ answeredId }) => answeredId !== undefined);
  const lost = answered.filter(({ email, answeredId }) => idByEmail.get(email) !== answeredId);
  expect(lost, "answered 201 and not there").toEqual([]);
  // Contact and event stand and fall together, also where nobody was answered.
  const byId = (a: number, b: number) => a - b;
  expect(events.map(({ contact_id: id }) => id).toSorted(byId)).toEqual(contacts.map(({ id }) => id).toSorted(byId));

  const line = new Line(url);
  const list = await line.ask({
    method: "GET",
    path: `/api/v1/contacts?location_id=${ground.location}`,
    key: ground.key,
  });
  line.close();
  expect(list.body.total).toBe(contacts.length);
}

describe.each([...databaseKinds])("kill -9 of crm serve on %s", (kind) => {
  test(`${rounds} times under ${writers} writers loses nothing that was answered`, async () => {
    const chance = chanceOf(`kill -9 on ${kind}`);
    await using ground = await openGround(kind);
    const wanted: Wanted[] = [];

    for (let round = 0; round < rounds; round++) {
      const serving = await ground.serve();
      await expectWhole(ground, serving.url, wanted);
      const before = answeredOf(wanted).length;
      const again = wanted.filter(
        ({ answeredId, idempotencyKey }) => answeredId === undefined && idempotencyKey !== undefined,
      );
      const writing = Array.from({ length: writers }, (_, writer) =>
        write(ground, serving.url, writer, round, wanted, again),
      );
      await until("the writers are under way", () => answeredOf(wanted).length > before + writers);
      await sleep(chance() * 400);
      await serving.kill();
      await Promise.all(writing);
    }

    const serving = await ground.serve("--no-worker");
    const again = wanted.filter(
      ({ answeredId, idempotencyKey }) => answeredId === undefined && idempotencyKey !== undefined,
    );
    const line = new Line(serving.url);
    for (const { email, idempotencyKey } of again) {
      const { status } = await line.ask({
        method: "POST",
        path: "/api/v1/contacts",
        key: ground.key,
        body: { location_id: ground.location, first_name: "Ada", last_name: "Lovelace", email },
        headers: { "idempotency-key": idempotencyKey! },
      });
      expect(status).toBe(201);
    }
    line.close();
    // Also proves that a request which was carried out and never answered is not carried out again.
    await expectWhole(ground, serving.url, wanted);

    expect(await ground.run("worker", "--once")).toMatchObject({ code: 0 });
    const positions = await ground.rows<{ position: number | null }>("select position from events order by position");
    expect(positions.map(({ position }) => position)).toEqual(positions.map((_, place) => place + 1));
    expect((await serving.terminate()).code).toBe(0);
    process.stdout.write(`kill -9 on ${kind}: ${answeredOf(wanted).length} answered of ${wanted.length} sent\n`);
  });
});

function answeredOf(wanted: readonly Wanted[]): Wanted[] {
  return wanted.filter(({ answeredId }) => answeredId !== undefined);
}
