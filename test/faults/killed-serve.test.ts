/** kill -9 during writes: confirmed writes are there with their events, and all others are atomic. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { databaseKinds } from "../support/databases.ts";
import { chanceOf } from "../support/chance.ts";
import { openGround } from "./ground.ts";
import type { Ground } from "./ground.ts";
import { CutOff, Line, Refused } from "./line.ts";
import { until } from "./until.ts";
import { expectPositions, expectWhole } from "./wholeness.ts";

const rounds = 20;
const writers = 32;

/** A contact to create, with a unique e-mail. */
interface Wanted {
  readonly email: string;
  /** With an Idempotency-Key the request is retried until it gets a response. */
  readonly idempotencyKey: string | undefined;
  answeredId?: number;
}

/** Writes until the service is gone, starting with the retries in `again`. */
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

describe.each([...databaseKinds])("kill -9 of crm serve on %s", (kind) => {
  test(`${rounds} times under ${writers} writers loses no confirmed write`, async () => {
    const chance = chanceOf(`kill -9 on ${kind}`);
    await using ground = await openGround(kind);
    const wanted: Wanted[] = [];

    for (let round = 0; round < rounds; round++) {
      const serving = await ground.serve();
      await expectWhole(ground, serving.url, idsOf(wanted));
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
    // Also proves that a request that was processed without a response is not processed again.
    await expectWhole(ground, serving.url, idsOf(wanted));

    expect(await ground.run("worker", "--once")).toMatchObject({ code: 0 });
    await expectPositions(ground);
    expect((await serving.terminate()).code).toBe(0);
    process.stdout.write(`kill -9 on ${kind}: ${answeredOf(wanted).length} answered of ${wanted.length} sent\n`);
  });
});

function answeredOf(wanted: readonly Wanted[]): Wanted[] {
  return wanted.filter(({ answeredId }) => answeredId !== undefined);
}

function idsOf(wanted: readonly Wanted[]): Map<string, number> {
  return new Map(answeredOf(wanted).map(({ email, answeredId }) => [email, answeredId!]));
}
