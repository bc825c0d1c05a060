/** SIGTERM under load: graceful shutdown answers every started request, interrupts none, and exits with 0. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { databaseKinds } from "../support/databases.ts";
import { openRaw } from "../support/socket.ts";
import { chanceOf, repetitions, sampleOf } from "../support/chance.ts";
import { openSystem } from "./tested-system.ts";
import type { TestedSystem } from "./tested-system.ts";
import { KeepAliveConnection, Refused, requestText } from "./keep-alive-connection.ts";
import type { Asked } from "./keep-alive-connection.ts";
import { until } from "./until.ts";

const rounds = repetitions(2, 6);
const writers = 32;

/** Writes sequentially until connections are refused. An interrupted request fails the test. */
async function write(url: string, asked: Asked, answered: number[]): Promise<void> {
  const line = new KeepAliveConnection(url);
  for (;;) {
    try {
      const { status, body } = await line.ask(asked);
      expect({ status, body }).toMatchObject({ status: 201 });
      answered.push(body.id);
    } catch (error) {
      if (error instanceof Refused) return;
      throw error;
    }
  }
}

const contactOf = (system: TestedSystem): Asked => ({
  method: "POST",
  path: "/api/v1/contacts",
  key: system.key,
  body: { location_id: system.location, first_name: "Tess", last_name: "Term" },
});

describe.each(sampleOf("Faults: SIGTERM", 1, databaseKinds))("SIGTERM to crm serve on %s", (kind) => {
  test.each([
    { of: "one process", given: [] },
    { of: "two on one port", given: ["--processes", "2"] },
  ])(`${rounds} times under ${writers} writers, of $of, cuts nothing off`, async ({ of, given }) => {
    const chance = chanceOf(`SIGTERM on ${kind} of ${of}`);
    await using system = await openSystem(kind);
    const answered: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const serving = await system.serve(...given);
      const before = answered.length;
      const writing = Promise.all(
        Array.from({ length: writers }, () => write(serving.url, contactOf(system), answered)),
      );
      const underWay = until("the writers are under way", () => answered.length > before + writers);
      await Promise.race([writing, underWay.then(() => sleep(chance() * 300))]);
      const ended = serving.terminate();
      await writing;
      expect(await ended).toMatchObject({ code: 0, signal: null, stderr: "" });
    }
    expect(answered.length).toBeGreaterThan(rounds * writers);
    // Every processed request has got its response.
    const contacts = await system.rows<{ id: number }>("select id from contacts order by id");
    expect(contacts.map(({ id }) => id)).toEqual(answered.toSorted((a, b) => a - b));
  });

  test("ends in time with clients that never finish: a partial request, an idle connection, a response that is not read", async () => {
    await using system = await openSystem(kind);
    const serving = await system.serve();
    const whole = requestText(contactOf(system));
    const idle = await openRaw(serving.url);
    const half = await openRaw(serving.url);
    half.write(whole.slice(0, -10));
    // A response larger than all socket buffers.
    const line = new KeepAliveConnection(serving.url);
    const { body: contact } = await line.ask(contactOf(system));
    const path = `/api/v1/contacts/${contact.id}`;
    for (let note = 0; note < 100; note++) {
      const body = { location_id: system.location, body: "Ж".repeat(65_536) };
      expect(await line.ask({ ...contactOf(system), path: `${path}/notes`, body })).toMatchObject({ status: 201 });
    }
    const deaf = await openRaw(serving.url);
    deaf.socket.pause();
    deaf.write(requestText({ method: "GET", path: `${path}?location_id=${system.location}`, key: system.key }));
    await line.ask({ method: "GET", path: "/healthz" });

    const begun = performance.now();
    serving.process.signal("SIGTERM");
    expect(await serving.process.finished).toMatchObject({ code: 0, signal: null });
    expect(performance.now() - begun).toBeLessThan(20_000);
    for (const { socket } of [idle, half, deaf]) socket.destroy();
    line.close();
  });

  test("stops crm worker as well", async () => {
    await using system = await openSystem(kind);
    const worker = system.start("worker");
    await worker.match(/crm worker running/);
    worker.signal("SIGTERM");
    expect(await worker.finished).toMatchObject({ code: 0, signal: null, stderr: "" });
  });
});
