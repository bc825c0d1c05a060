/** SIGTERM under load: graceful shutdown answers every started request, interrupts none, and exits with 0. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { databaseKinds } from "../support/databases.ts";
import { openRaw } from "../support/socket.ts";
import { chanceOf } from "../support/chance.ts";
import { openGround } from "./ground.ts";
import type { Ground } from "./ground.ts";
import { Line, Refused, requestText } from "./line.ts";
import type { Asked } from "./line.ts";

const rounds = 6;
const writers = 32;

/** Writes sequentially until connections are refused. An interrupted request fails the test. */
async function write(url: string, asked: Asked, answered: number[]): Promise<void> {
  const line = new Line(url);
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

const contactOf = (ground: Ground): Asked => ({
  method: "POST",
  path: "/api/v1/contacts",
  key: ground.key,
  body: { location_id: ground.location, first_name: "Tess", last_name: "Term" },
});

describe.each([...databaseKinds])("SIGTERM to crm serve on %s", (kind) => {
  test.each([
    { of: "one process", given: [] },
    { of: "two on one port", given: ["--processes", "2"] },
  ])(`${rounds} times under ${writers} writers, of $of, cuts nothing off`, async ({ of, given }) => {
    const chance = chanceOf(`SIGTERM on ${kind} of ${of}`);
    await using ground = await openGround(kind);
    const answered: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const serving = await ground.serve(...given);
      const writing = Promise.all(
        Array.from({ length: writers }, () => write(serving.url, contactOf(ground), answered)),
      );
      await Promise.race([writing, sleep(300 + chance() * 300)]);
      const ended = serving.terminate();
      await writing;
      expect(await ended).toMatchObject({ code: 0, signal: null, stderr: "" });
    }
    expect(answered.length).toBeGreaterThan(rounds * writers);
    // Every processed request has got its response.
    const contacts = await ground.rows<{ id: number }>("select id from contacts order by id");
    expect(contacts.map(({ id }) => id)).toEqual(answered.toSorted((a, b) => a - b));
  });

  test("ends in time with clients that never finish: a partial request, an idle connection, a response that is not read", async () => {
    await using ground = await openGround(kind);
    const serving = await ground.serve();
    const whole = requestText(contactOf(ground));
    const idle = await openRaw(serving.url);
    const half = await openRaw(serving.url);
    half.write(whole.slice(0, -10));
    // A response larger than all socket buffers.
    const line = new Line(serving.url);
    const { body: contact } = await line.ask(contactOf(ground));
    const path = `/api/v1/contacts/${contact.id}`;
    for (let note = 0; note < 100; note++) {
      const body = { location_id: ground.location, body: "Ж".repeat(65_536) };
      expect(await line.ask({ ...contactOf(ground), path: `${path}/notes`, body })).toMatchObject({ status: 201 });
    }
    const deaf = await openRaw(serving.url);
    deaf.socket.pause();
    deaf.write(requestText({ method: "GET", path: `${path}?location_id=${ground.location}`, key: ground.key }));
    await line.ask({ method: "GET", path: "/healthz" });

    const begun = performance.now();
    serving.process.signal("SIGTERM");
    expect(await serving.process.finished).toMatchObject({ code: 0, signal: null });
    expect(performance.now() - begun).toBeLessThan(20_000);
    for (const { socket } of [idle, half, deaf]) socket.destroy();
    line.close();
  });

  test("stops crm worker as well", async () => {
    await using ground = await openGround(kind);
    const worker = ground.start("worker");
    await worker.match(/crm worker running/);
    worker.signal("SIGTERM");
    expect(await worker.finished).toMatchObject({ code: 0, signal: null, stderr: "" });
  });
});
