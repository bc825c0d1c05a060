/** kill -9 during writes: confirmed writes are there with their events, and all others are atomic. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { databaseKinds } from "../support/databases.ts";
import { chanceOf, repetitions } from "../support/chance.ts";
import { openSystem } from "./tested-system.ts";
import type { TestedSystem } from "./tested-system.ts";
import { Interrupted, KeepAliveConnection, Refused } from "./keep-alive-connection.ts";
import { until } from "./until.ts";
import { expectPositions, expectInvariants } from "./invariants.ts";

const rounds = repetitions(3, 12);
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
  system: TestedSystem,
  url: string,
  writer: number,
  round: number,
  wanted: Wanted[],
  again: Wanted[],
): Promise<void> {
  const line = new KeepAliveConnection(url);
  for (let number = 0; ; number++) {
    const email = `w${writer}.${round}.${number}@example.com`;
    const one = again.pop() ?? { email, idempotencyKey: writer % 2 === 0 ? email : undefined };
    if (one.email === email) wanted.push(one);
    try {
      const { status, body } = await line.ask({
        method: "POST",
        path: "/api/v1/contacts",
        key: system.key,
        body: { location_id: system.location, first_name: "Ada", last_name: "Lovelace", email: one.email },
        headers: one.idempotencyKey === undefined ? {} : { "idempotency-key": one.idempotencyKey },
      });
      expect({ status, body }).toMatchObject({ status: 201, body: { email: one.email } });
      one.answeredId = body.id;
    } catch (error) {
      if (!(error instanceof Interrupted || error instanceof Refused)) throw error;
      return;
    }
  }
}

describe.each([...databaseKinds])("kill -9 of crm serve on %s", (kind) => {
  test(`${rounds} times under ${writers} writers loses no confirmed write`, async () => {
    const chance = chanceOf(`kill -9 on ${kind}`);
    await using system = await openSystem(kind);
    const wanted: Wanted[] = [];

    for (let round = 0; round < rounds; round++) {
      const serving = await system.serve();
      await expectInvariants(system, serving.url, idsOf(wanted));
      const before = answeredOf(wanted).length;
      const again = wanted.filter(
        ({ answeredId, idempotencyKey }) => answeredId === undefined && idempotencyKey !== undefined,
      );
      const writing = Array.from({ length: writers }, (_, writer) =>
        write(system, serving.url, writer, round, wanted, again),
      );
      await until("the writers are under way", () => answeredOf(wanted).length > before + writers);
      await sleep(chance() * 400);
      await serving.kill();
      await Promise.all(writing);
    }

    const serving = await system.serve("--no-worker");
    const again = wanted.filter(
      ({ answeredId, idempotencyKey }) => answeredId === undefined && idempotencyKey !== undefined,
    );
    const line = new KeepAliveConnection(serving.url);
    for (const { email, idempotencyKey } of again) {
      const { status } = await line.ask({
        method: "POST",
        path: "/api/v1/contacts",
        key: system.key,
        body: { location_id: system.location, first_name: "Ada", last_name: "Lovelace", email },
        headers: { "idempotency-key": idempotencyKey! },
      });
      expect(status).toBe(201);
    }
    line.close();
    // Also proves that a request that was processed without a response is not processed again.
    await expectInvariants(system, serving.url, idsOf(wanted));

    expect(await system.run("worker", "--once")).toMatchObject({ code: 0 });
    await expectPositions(system);
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
