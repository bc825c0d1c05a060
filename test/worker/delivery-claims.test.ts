/** What keeps deliveries whole between workers: leases, fences, numbers of attempts, and turns among webhooks. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { hookQueue } from "../../src/webhooks/deliveries/hook-queue.ts";
import { sql } from "../../src/storage/sql-text.ts";
import type { Claimed, DueHook } from "../../src/webhooks/sending/take-deliveries.ts";
import type { Share } from "../../src/queues/slots.ts";
import { listDeliverySummaries } from "../../src/webhooks/deliveries/delivery-summary.queries.ts";
import { replayFailed, sendTest } from "../../src/webhooks/deliveries/delivery.service.ts";
import type { AttemptResult } from "../../src/webhooks/sending/acknowledge.ts";
import { reclaimDeliveries } from "../../src/webhooks/sending/reclaim-deliveries.ts";
import type { AttemptOutcome } from "../../src/webhooks/sending/schedule.ts";
import { settleAndClaim } from "../../src/webhooks/sending/settle-and-claim.ts";
import { cancelOrphans, pruneDeliveries } from "../../src/webhooks/sending/cleanup.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenDelivery, givenHook } from "../support/given-hooks.ts";
import { meeting } from "../support/meet.ts";
import { createWorld, emptyTables } from "../support/world.ts";
import type { World } from "../support/world.ts";

const delays = [60, 300, 1800, 7200];
const ok: AttemptOutcome = { status: 200, error: null, body: "" };

/** Of webhooks that no app has registered. */
const findDue = hookQueue.findDueWhere(sql`hooks.app_id is null`, sql`null as app_scopes`);

describe.each([...databaseKinds])("claims on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());
  // Webhooks of one test would hear the events of the next.
  afterEach(() => emptyTables(world, ["delivery_attempts", "deliveries", "hook_queues", "hooks"]));

  const turn = (
    ended: readonly AttemptResult[],
    shares: readonly Share<DueHook>[],
    worker: number | null = null,
  ): Promise<Claimed[]> => {
    const now = world.clock.now();
    return settleAndClaim(world.service.database, { ended, shares, now, leaseMilliseconds: 12_000, worker, delays });
  };

  const take = async (most = 16, full: readonly number[] = [], worker: number | null = null): Promise<Claimed[]> => {
    const due = await findDue<DueHook>(world.service.database, world.clock.now(), full);
    return turn(
      [],
      due.map((hook) => ({ due: hook, take: most })),
      worker,
    );
  };

  const end = (delivery: Claimed, outcome: AttemptOutcome | undefined) =>
    turn([{ delivery, outcome, durationMs: 5, endedAt: world.clock.now().getTime() }], []);

  const attempts = () =>
    world.service.database.rows("select delivery_id, number, status, error from delivery_attempts order by id");

  const giveBack = (flying: readonly number[] = [], gone: readonly number[] = []) =>
    reclaimDeliveries(world.service.database, { now: world.clock.now(), gone, delays, flying });

  const stateOf = async (id: number) =>
    (await world.service.database.rows("select state, attempt, attempt_open from deliveries where id = ?", [id]))[0];

  const one = async () => givenDelivery(world, (await givenHook(world)).id);

  it("a damaged payload keeps no other delivery from being claimed", async () => {
    await one();
    const damage = {
      sqlite: "update events set data = x'00' where id in (select event_id from deliveries)",
      postgres: "update events set data = 'damaged' where id in (select event_id from deliveries)",
    };
    await world.service.database.transaction(async ({ rows }) => rows(damage));
    await one();
    expect(await take()).toHaveLength(2);
  });

  it("what one has, nobody else gets", async () => {
    await one();
    expect(await take()).toHaveLength(1);
    expect(await take()).toEqual([]);
  });

  it("a lease that has ended is begun again under its number, once; then that attempt has crashed", async () => {
    const id = await one();
    await take();
    world.clock.advance({ milliseconds: 12_000 });
    expect(await giveBack()).toBe(0);
    world.clock.advance({ milliseconds: 1 });
    expect(await giveBack([id]), "not of a process that is alive").toBe(0);
    expect(await giveBack()).toBe(1);
    const [again] = (await take()) as [Claimed];
    expect([again.id, again.attempt]).toEqual([id, 1]);
    world.clock.advance({ seconds: 13 });
    await giveBack();
    expect(await take()).toEqual([]);
    expect(await stateOf(id)).toMatchObject({ state: "retrying", attempt: 1 });
    expect(await world.service.database.rows("select number, error from delivery_attempts")).toEqual([
      { number: 1, error: "crashed" },
    ]);
    world.clock.advance({ seconds: 60 });
    expect((await take()).map(({ attempt }) => attempt)).toEqual([2]);
  });

  it("what a worker had that is gone is begun again before its lease has ended, and nothing of another worker", async () => {
    const [id, other] = [await one(), await one()];
    const due = await findDue<DueHook>(world.service.database, world.clock.now(), []);
    for (const [place, hook] of due.entries()) await turn([], [{ due: hook, take: 1 }], place + 1);
    expect(await giveBack([], [3])).toBe(0);
    expect(await giveBack([], [1])).toBe(1);
    expect((await take()).map((again) => [again.id, again.attempt])).toEqual([[id, 1]]);
    expect(await stateOf(other)).toMatchObject({ state: "delivering" });
  });

  it("crashed five times it has failed", async () => {
    const id = await one();
    for (let round = 0; round < 10; round++) {
      world.clock.advance({ hours: 3 });
      await take();
      world.clock.advance({ seconds: 13 });
      await giveBack();
    }
    expect(await stateOf(id)).toMatchObject({ state: "failed", attempt: 5 });
    world.clock.advance({ days: 1 });
    expect(await take()).toEqual([]);
  });

  it("what the former target of a webhook responds says nothing about the new one", async () => {
    const hook = await givenHook(world);
    await givenDelivery(world, hook.id);
    const gone: AttemptOutcome = { status: 410, error: "http_4xx", body: "" };
    for (const wait of [0, ...delays.slice(0, -1)]) {
      world.clock.advance({ seconds: wait });
      await end((await take())[0]!, gone);
    }
    world.clock.advance({ seconds: delays.at(-1)! });
    const [last] = (await take()) as [Claimed];
    await world.send("owner", "PATCH", `/hooks/${hook.id}`, { target_url: "https://192.0.3.2/hooks/crm" });
    await end(last, gone);
    expect((await world.send("owner", "GET", `/hooks/${hook.id}`)).body).toMatchObject({
      status: "active",
      failing_since: null,
    });
  });

  it("nor does its success, while the new one fails", async () => {
    const failed: AttemptOutcome = { status: 500, error: "http_5xx", body: "" };
    const hook = await givenHook(world);
    await givenDelivery(world, hook.id);
    await end((await take())[0]!, failed);
    world.clock.advance({ seconds: delays[0]! });
    const [late] = (await take()) as [Claimed];
    await world.send("owner", "PATCH", `/hooks/${hook.id}`, { target_url: "https://192.0.3.2/hooks/crm" });
    await givenDelivery(world, hook.id);
    await end((await take())[0]!, failed);
    await end(late, ok);
    expect((await world.send("owner", "GET", `/hooks/${hook.id}`)).body).toMatchObject({
      failing_since: world.clock.now().toISOString(),
    });
  });

  it("a stale worker's acknowledgement is refused, and one that was only slow is taken", async () => {
    const id = await one();
    const [stale] = (await take()) as [Claimed];
    world.clock.advance({ seconds: 13 });
    await giveBack();
    const [fresh] = (await take()) as [Claimed];
    await end(stale, ok);
    expect(await stateOf(id)).toMatchObject({ state: "delivering" });
    expect(await attempts()).toEqual([]);
    await end(fresh, { status: 202, error: null, body: "" });
    expect(await stateOf(id)).toMatchObject({ state: "delivered" });
    expect(await attempts()).toEqual([{ delivery_id: id, number: 1, status: 202, error: null }]);

    const slow = await one();
    const [claimed] = (await take()) as [Claimed];
    world.clock.advance({ seconds: 13 });
    await giveBack();
    await end(claimed!, ok);
    expect(await stateOf(slow)).toMatchObject({ state: "delivered" });
  });

  it.each(["this version", "an older one, which writes its row at once"])(
    "shows an open attempt that %s began",
    async (by) => {
      const { id: hook } = await givenHook(world);
      const id = await givenDelivery(world, hook);
      const began = world.clock.now();
      const [claimed] = (await take()) as [Claimed];
      if (by !== "this version") {
        await world.service.database.transaction(async ({ rows }) => {
          await rows("insert into delivery_attempts (delivery_id, number, at) values (?, 1, ?)", [id, began]);
          await rows("update deliveries set attempt_at = null where id = ?", [id]);
        });
      }
      const shown = async () => {
        const [delivery] = (await world.send("owner", "GET", `/hooks/${hook}/deliveries`)).body.data;
        const { data } = await listDeliverySummaries(world.service.inWorkspace(world.acme), hook, {});
        return [delivery.attempts, data.map(({ last_attempt }) => last_attempt)];
      };
      const open = { number: 1, at: began.toISOString(), duration_ms: null, status: null, error: null };
      expect(await shown()).toEqual([[{ ...open, body: null }], [open]]);

      world.clock.advance({ seconds: 1 });
      await end(claimed, undefined);
      expect(await shown(), "released").toEqual([[{ ...open, body: null }], [open]]);

      const again = world.clock.now().toISOString();
      await end((await take())[0]!, { status: 202, error: null, body: "Taken." });
      const over = { number: 1, at: again, duration_ms: 5, status: 202, error: null };
      expect(await shown()).toEqual([[{ ...over, body: "Taken." }], [over]]);
    },
  );

  it("the end of an attempt that counts as crashed is refused", async () => {
    const id = await one();
    await take();
    world.clock.advance({ seconds: 13 });
    await giveBack();
    const [second] = (await take()) as [Claimed];
    world.clock.advance({ seconds: 13 });
    await giveBack();
    await end(second, ok);
    expect(await stateOf(id)).toMatchObject({ state: "retrying" });
    expect(await attempts()).toEqual([{ delivery_id: id, number: 1, status: null, error: "crashed" }]);
  });

  it("two that take at the same time share what waits: nothing twice", async () => {
    const hook = await givenHook(world);
    for (let count = 0; count < 12; count++) await givenDelivery(world, hook.id);
    const taken = (await Promise.all([take(8), take(8), take(8)])).flat().map(({ id }) => id);
    taken.push(...(await take(16)).map(({ id }) => id));
    expect(taken).toHaveLength(12);
    expect(new Set(taken).size).toBe(12);
  });

  it("what is made while another is taken is not forgotten", async () => {
    const hook = await givenHook(world);
    await givenDelivery(world, hook.id);
    const written = Promise.withResolvers<void>();
    const making = world.service.inWorkspace(world.acme).change(async (change) => {
      await sendTest(change, hook.id);
      await change.rows("select 1 as reached");
      written.resolve();
      await sleep(100);
    });
    await written.promise;
    const first = await take();
    await making;
    expect(first.length + (await take()).length).toBe(2);
  });

  it("what is given back begins again at once, under its number", async () => {
    const id = await one();
    const [claimed] = (await take()) as [Claimed];
    await end(claimed, undefined);
    expect(await stateOf(id)).toMatchObject({ state: "pending", attempt: 1 });
    expect((await take()).map(({ attempt }) => attempt)).toEqual([1]);
  });

  it("a clock that jumps back keeps what waits waiting, one that jumps ahead loses nothing", async () => {
    const id = await one();
    world.clock.advance({ days: -1 });
    expect(await take()).toEqual([]);
    world.clock.advance({ days: 400 });
    const [claimed] = (await take()) as [Claimed];
    await end(claimed, { status: 500, error: "http_5xx", body: "" });
    expect(await stateOf(id)).toMatchObject({ state: "retrying" });
    world.clock.advance({ days: 400 });
    expect(await take()).toHaveLength(1);
  });

  it("goes round the webhooks: few of the one with many, and whoever waited longest first", async () => {
    const many = await givenHook(world);
    const few = await givenHook(world);
    for (let count = 0; count < 50; count++) await givenDelivery(world, many.id);
    await givenDelivery(world, few.id);
    const first = await take(2);
    expect(first.map(({ hook }) => hook.hook_id).toSorted()).toEqual([many.id, many.id, few.id].toSorted());
    world.clock.advance({ seconds: 1 });
    await givenDelivery(world, few.id);
    expect((await take(3, [many.id])).map(({ hook }) => hook.hook_id)).toEqual([few.id]);
    expect(await take(16)).toHaveLength(16);
  });

  // SQLite has no locks of rows.
  it.each(kind === "postgres" ? [kind] : [])(
    "on %s, the health of webhooks is noted in the order of their ids",
    async () => {
      const [low, high] = [await givenHook(world), await givenHook(world)];
      for (const hook of [low, high]) await givenDelivery(world, hook.id);
      const ends = (await take())
        .toSorted((one, another) => another.hook.hook_id - one.hook.hook_id)
        .map((delivery): AttemptResult => ({
          delivery,
          outcome: { status: 500, error: "http_5xx", body: "" },
          durationMs: 5,
          endedAt: 0,
        }));
      const { database } = world.service;
      let noting: Promise<unknown> | undefined;
      await database.transaction(async ({ rows }) => {
        await rows("select id from hooks where id = ? for update", [low.id]);
        noting = turn(ends, []);
        await sleep(100);
        // The transaction that waits for the lower row has not locked the higher one yet.
        await database.transaction((other) =>
          other.rows("select id from hooks where id = ? for update nowait", [high.id]),
        );
      });
      await noting;
    },
  );

  // As two statements meet on PostgreSQL: the second has found the row before the first changed it, and waits for its lock.
  it.each<[what: string, state: string, prepare: string, change: (hook: number) => Promise<number>]>([
    [
      "a replay of those that have failed",
      "failed",
      "update hooks set status = 'active' where id = ?",
      (hook) => replayFailed(world.service.inWorkspace(world.acme), hook, new Date(0)),
    ],
    [
      "a cancellation of those of a removed webhook",
      "pending",
      "update hooks set removed_at = created_at where id = ?",
      () => cancelOrphans(world.service.database, sql`true`, world.clock.now()),
    ],
    [
      "a deletion of old ones",
      "retrying",
      "update hooks set status = 'active' where id = ?",
      () => pruneDeliveries(world.service.database, new Date(world.clock.now().getTime() + 1)),
    ],
  ])("%s leaves alone what was claimed meanwhile", async (_what, state, prepare, change) => {
    const { database } = world.service;
    const hook = await givenHook(world);
    const id = await givenDelivery(world, hook.id);
    await database.transaction(async ({ send }) => {
      send("update deliveries set state = ? where id = ?", [state, id]);
      send(prepare, [hook.id]);
    });
    const claiming = meeting(database, () => change(hook.id));
    await claiming.database.transaction(({ rows }) =>
      rows("update deliveries set state = 'delivering', due_at = null, leased_until = ? where id = ? returning id", [
        world.clock.now(),
        id,
      ]),
    );
    expect(await claiming.second).toBe(0);
    expect(await stateOf(id)).toMatchObject({ state: "delivering" });
  });

  it("takes the oldest of a webhook first", async () => {
    const hook = await givenHook(world);
    const ids: number[] = [];
    for (let count = 0; count < 5; count++) {
      ids.push(await givenDelivery(world, hook.id));
      world.clock.advance({ milliseconds: 5 });
    }
    const taken = [...(await take(2)), ...(await take(2))].map(({ id }) => id);
    expect(taken.toSorted((a, b) => a - b)).toEqual(ids.slice(0, 4));
  });
});
