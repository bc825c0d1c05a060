/**
 * Workers killed while sending to a mail server: no message is lost, and at most four are duplicated per kill, the number in flight per
 * channel.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { databaseKinds } from "../support/databases.ts";
import { startMailServer } from "../support/mail-server.ts";
import type { MailServer } from "../support/mail-server.ts";
import { chanceOf, repetitions, sampleOf } from "../support/chance.ts";
import { openSystem } from "./tested-system.ts";
import type { TestedSystem } from "./tested-system.ts";
import { until } from "./until.ts";

const mostOfOne = 4;

async function withChannel(system: TestedSystem, server: MailServer): Promise<number> {
  const transport = ["--transport", "smtp", "--transport-url", server.url];
  const address = ["--kind", "email", "--address", "desk@acme.example"];
  const { code, stdout, stderr } = await system.run("channels", "create", "Desk", ...address, ...transport, "--json");
  expect([code, stderr]).toEqual([0, ""]);
  return (JSON.parse(stdout) as { id: number }).id;
}

/** Messages over HTTP, each to a new contact, queued for a worker. */
async function sendTexts(system: TestedSystem, url: string, channel: number, count: number): Promise<void> {
  const post = async (path: string, body: object): Promise<{ id: number }> => {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${system.key}`, "content-type": "application/json" },
      body: JSON.stringify({ location_id: system.location, ...body }),
    });
    expect(answer.status).toBe(201);
    return (await answer.json()) as { id: number };
  };
  for (let number = 0; number < count; number++) {
    const email = `ada.${number}@example.com`;
    const { id } = await post("/contacts", { first_name: "Ada", last_name: "Lovelace", email });
    await post("/conversations", { contact_id: id, channel_id: channel, body: `Number ${number}` });
  }
}

const countOf = async (system: TestedSystem): Promise<Record<string, number>> => {
  const rows = await system.rows<{ status: string; count: number }>(
    "select status, count(*) as count from messages group by status",
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
};

const idsOf = ({ mails }: MailServer): string[] => mails.map(({ headers }) => headers["message-id"]![0]!);

describe.each(sampleOf("Faults: messages", 1, databaseKinds))("messages on %s", (kind) => {
  test("a worker that is killed repeatedly, at any step, loses none", async () => {
    const chance = chanceOf(`kill -9 of a worker that sends messages on ${kind}`);
    await using system = await openSystem(kind);
    let slow = true;
    await using server = await startMailServer({
      async data() {
        await sleep(slow ? 20 + chance() * 60 : 0);
        return undefined;
      },
    });
    const channel = await withChannel(system, server);
    const serving = await system.serve("--no-worker");
    await sendTexts(system, serving.url, channel, 120);
    const kills = repetitions(3, 5);
    for (let round = 0; round < kills; round++) {
      const worker = system.start("worker");
      await worker.match(/worker running/);
      await sleep(50 + chance() * 300);
      worker.signal("SIGKILL");
      await worker.finished.catch(() => {});
    }
    expect((await countOf(system))["queued"], "something waits when the last one begins").toBeGreaterThan(0);
    slow = false;
    const last = system.start("worker");
    await last.match(/worker running/);
    // Messages of a killed worker are reclaimed immediately, long before the lease expires, since its death is detected.
    await until("everything is sent", async () => ((await countOf(system))["sent"] ?? 0) === 120, 30_000);
    expect(await countOf(system)).toEqual({ sent: 120 });
    expect(new Set(idsOf(server)).size).toBe(120);
    const again = idsOf(server).length - 120;
    expect(again).toBeLessThanOrEqual(kills * mostOfOne);
    expect(await system.rows("select id from message_sends")).toEqual([]);
    expect(await system.rows("select count(*) as count from events where event = 'message.sent'")).toEqual([
      { count: 120 },
    ]);
    process.stdout.write(`kill -9 of a worker that sends messages on ${kind}: ${again} arrived again\n`);
    last.signal("SIGTERM");
    expect((await last.finished).code).toBe(0);
  });

  test("killed workers and an unavailable server: the messages of each conversation arrive in order", async () => {
    const chance = chanceOf(`order of messages past killed workers on ${kind}`);
    await using system = await openSystem(kind, { CRM_MESSAGE_RETRY_DELAYS: "1,1,1,1,1,1,1,1,1,1,1,1" });
    let isAway = false;
    await using server = await startMailServer({
      async data() {
        await sleep(20 + chance() * 60);
        return isAway ? [421, "4.3.2 Shutting down"] : undefined;
      },
    });
    const channel = await withChannel(system, server);
    const serving = await system.serve("--no-worker");
    const lines = 6;
    const parts = 12;
    await sendTexts(system, serving.url, channel, lines);
    const conversations = await system.rows<{ id: number }>("select id from conversations order by id");
    for (let part = 1; part < parts; part++)
      for (const { id } of conversations) {
        const answer = await fetch(`${serving.url}/api/v1/conversations/${id}/messages`, {
          method: "POST",
          headers: { authorization: `Bearer ${system.key}`, "content-type": "application/json" },
          body: JSON.stringify({ location_id: system.location, body: `Part ${part}` }),
        });
        expect(answer.status).toBe(201);
      }
    const beside = system.start("worker");
    for (let round = 0; round < repetitions(3, 5); round++) {
      const worker = system.start("worker");
      await worker.match(/worker running/);
      await sleep(chance() * 400);
      isAway = round % 2 === 0;
      worker.signal("SIGKILL");
      await worker.finished.catch(() => {});
    }
    isAway = false;
    await until("everything is sent", async () => ((await countOf(system))["sent"] ?? 0) === lines * parts, 60_000);
    for (const [to, mails] of Map.groupBy(server.mails, (mail) => mail.to[0]!)) {
      const places = mails.map(({ raw }) => Number(/Part (\d+)/.exec(raw)?.[1] ?? 0));
      // A message in flight of a killed worker arrives again before any later one.
      expect(places, to).toEqual(places.toSorted((one, another) => one - another));
      expect(new Set(places).size).toBe(parts);
    }
    beside.signal("SIGTERM");
    expect((await beside.finished).code).toBe(0);
  });

  test("a worker that is killed during a send: another one sends the message immediately", async () => {
    await using system = await openSystem(kind);
    let thinks = true;
    let asked = 0;
    await using server = await startMailServer({
      data() {
        asked += 1;
        return thinks ? "never" : undefined;
      },
    });
    const channel = await withChannel(system, server);
    const serving = await system.serve("--no-worker");
    await sendTexts(system, serving.url, channel, 1);
    const worker = system.start("worker");
    await until("it is under way", () => asked === 1, 30_000);
    const beside = system.start("worker");
    await beside.match(/worker running/);
    worker.signal("SIGKILL");
    thinks = false;
    const killed = performance.now();
    await until("it is sent", async () => ((await countOf(system))["sent"] ?? 0) === 1, 30_000);
    // Long before its lease of ninety seconds expires.
    expect(performance.now() - killed).toBeLessThan(15_000);
    process.stdout.write(`taken over on ${kind} after ${Math.round(performance.now() - killed)} ms\n`);
    beside.signal("SIGTERM");
    expect((await beside.finished).code).toBe(0);
  });

  test("three concurrent workers send each message once; SIGTERM waits for sends that finish in time and releases the others", async () => {
    await using system = await openSystem(kind);
    let thinks = false;
    await using server = await startMailServer({ data: async () => (thinks ? "never" : void (await sleep(10))) });
    const channel = await withChannel(system, server);
    const serving = await system.serve();
    const workers = [system.start("worker"), system.start("worker")];
    await Promise.all(workers.map((worker) => worker.match(/worker running/)));
    await sendTexts(system, serving.url, channel, 60);
    await until("everything is sent", async () => ((await countOf(system))["sent"] ?? 0) === 60, 60_000);
    expect(idsOf(server)).toHaveLength(60);
    expect(new Set(idsOf(server)).size).toBe(60);
    for (const worker of workers) worker.signal("SIGTERM");
    for (const worker of workers) expect((await worker.finished).code).toBe(0);

    thinks = true;
    const waiting = "select attempt, leased_until is not null as leased from message_sends";
    const { conversation_id } = (
      await system.rows<{ conversation_id: number }>("select conversation_id from messages")
    )[0]!;
    await fetch(`${serving.url}/api/v1/conversations/${conversation_id}/messages`, {
      method: "POST",
      headers: { authorization: `Bearer ${system.key}`, "content-type": "application/json" },
      body: JSON.stringify({ location_id: system.location, body: "One more" }),
    });
    await until("it is under way", async () => Boolean((await system.rows<{ leased: unknown }>(waiting))[0]?.leased));
    const begun = performance.now();
    expect((await serving.terminate()).code).toBe(0);
    expect(performance.now() - begun).toBeLessThan(12_000);
    const [given] = await system.rows<{ attempt: number; leased: boolean | number }>(waiting);
    expect([given!.attempt, Boolean(given!.leased)]).toEqual([0, false]);
  });
});
