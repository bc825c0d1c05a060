/** Who is told what, when an attempt comes again, and how many may be under way: the parts of sending that touch nothing. */
import { describe, expect, it, test } from "vitest";
import { events, eventNames } from "../../src/vocabulary/events.ts";
import { scopeNames } from "../../src/vocabulary/scopes.ts";
import { yieldToEventLoop } from "../../src/kit/waiting/fair-lock.ts";
import { createAdaptiveConcurrency } from "../../src/queues/adaptive-concurrency.ts";
import { createSlots } from "../../src/queues/slots.ts";
import type { Standing } from "../../src/queues/slots.ts";
import { matchSubscribers, receives } from "../../src/webhooks/sending/subscribers.ts";
import type { Subscriber } from "../../src/webhooks/sending/subscribers.ts";
import { nextStep, toAttemptOutcome } from "../../src/webhooks/sending/schedule.ts";

const listener: Subscriber = {
  id: 1,
  workspaceId: 1,
  afterPosition: 0,
  events: null,
  scopes: scopeNames,
  locationIds: null,
};
const head = { id: 10, position: 10, workspace_id: 1, location_id: 5, event: "contact.created" as const };

describe("who is told what", () => {
  test("every scope shows its events, and no others", () => {
    for (const scope of scopeNames) {
      const heard = eventNames.filter((event) => receives({ ...listener, scopes: [scope] }, { ...head, event }));
      const readonly = scope.replace(".write", ".readonly");
      expect(heard, scope).toEqual(eventNames.filter((event) => events[event].scope === readonly));
    }
    const all = eventNames.filter((event) => receives(listener, { ...head, event }));
    expect(all).toEqual(eventNames.filter((event) => event !== "ping"));
    expect(eventNames.filter((event) => receives({ ...listener, scopes: [] }, { ...head, event }))).toEqual([]);
  });

  test.each<
    [
      what: string,
      of: Partial<Subscriber>,
      event: Partial<Omit<typeof head, "location_id">> & { location_id?: number | null },
      told: boolean,
    ]
  >([
    ["its event", { events: ["contact.created"] }, {}, true],
    ["another event", { events: ["contact.deleted"] }, {}, false],
    ["another workspace", { workspaceId: 2 }, {}, false],
    ["one of its locations", { locationIds: [4, 5] }, {}, true],
    ["another location", { locationIds: [4] }, {}, false],
    ["no location, of all", {}, { location_id: null }, true],
    ["no location, of some", { locationIds: [5] }, { location_id: null }, false],
    ["the last event before it", { afterPosition: 10 }, {}, false],
    ["the first one after it", { afterPosition: 9 }, {}, true],
  ])("%s", (_what, of, event, told) =>
    expect(receives({ ...listener, ...of }, { ...head, ...event } as typeof head)).toBe(told),
  );
});

test("a hundred events for a thousand webhooks are told in their order, and hold up nobody", async () => {
  const listeners = Array.from({ length: 1000 }, (_, place) => ({ ...listener, id: place + 1 }));
  const heads = Array.from({ length: 100 }, (_, place) => ({ ...head, id: 10 + place, position: 10 + place }));
  const foreign = [{ ...listener, id: 5000, workspaceId: 2 }];
  let [turns, counting] = [0, true];
  const others = (async () => {
    while (counting) await yieldToEventLoop().then(() => (turns += 1));
  })();
  const told = await matchSubscribers(heads as never, [...foreign, ...listeners]);
  counting = false;
  await others;
  const expected = heads.flatMap(({ id: event }) => listeners.map(({ id }) => [event, id]));
  expect(told.map(({ head: { id }, subscriber: { id: hook } }) => [id, hook])).toEqual(expected);
  expect(turns).toBeGreaterThan(3);
});

describe("what follows an attempt", () => {
  const delays = [60, 300, 1800, 7200];
  const failed = toAttemptOutcome(500, "");
  test.each([1, 2, 3, 4, 5])("attempt %i that fails", (attempt) => {
    const delay = delays[attempt - 1];
    const expected =
      delay === undefined
        ? { state: "failed", dueAt: null, disables: false }
        : { state: "retrying", dueAt: 1000 + delay * 1000, disables: false };
    expect(nextStep(failed, { attempt, roundStart: 0, endedAt: 1000 }, delays)).toEqual(expected);
    // A replay counts anew.
    expect(nextStep(failed, { attempt: attempt + 7, roundStart: 7, endedAt: 1000 }, delays)).toEqual(expected);
  });

  it.each([200, 201, 204, 299])("%i is delivered, whenever it comes", (status) => {
    for (const attempt of [1, 5])
      expect(nextStep(toAttemptOutcome(status, ""), { attempt, roundStart: 0, endedAt: 0 }, delays)).toEqual({
        state: "delivered",
        dueAt: null,
        disables: false,
      });
  });

  it("410 disables when it is the last word, and not before", () => {
    const gone = toAttemptOutcome(410, "");
    expect([1, 4, 5].map((attempt) => nextStep(gone, { attempt, roundStart: 0, endedAt: 0 }, delays).disables)).toEqual(
      [false, false, true],
    );
  });

  it.each([
    [300, "redirect"],
    [304, "redirect"],
    [399, "redirect"],
    [400, "http_4xx"],
    [499, "http_4xx"],
    [500, "http_5xx"],
    [599, "http_5xx"],
    [999, "http_5xx"],
  ])("%i is told as %s", (status, error) =>
    expect(toAttemptOutcome(status, "x")).toEqual({ status, error, body: "x" }),
  );
});

describe("how many may be under way", () => {
  it("one at first, twice as many after each that succeeds, at most sixteen, and one again after a failure", () => {
    const allowances = createAdaptiveConcurrency({ mostAtOnce: 1024, mostOfOne: 16 });
    const room = [];
    for (let round = 0; round < 6; round++) {
      room.push(allowances.plan().roomFor(1, false));
      allowances.took(1);
      allowances.ended(1, true, 10);
    }
    expect(room).toEqual([1, 2, 4, 8, 16, 16]);
    allowances.took(1);
    allowances.ended(1, false, 10);
    expect(allowances.plan().roomFor(1, false)).toBe(1);
  });

  it("what is under way counts, and what is given back changes nothing", () => {
    const allowances = createAdaptiveConcurrency({ mostAtOnce: 1024, mostOfOne: 16 });
    allowances.took(1);
    expect([allowances.plan().roomFor(1, false), allowances.full(), allowances.free()]).toEqual([0, [1], 1023]);
    allowances.ended(1, undefined, 10);
    expect([allowances.plan().roomFor(1, false), allowances.full(), allowances.free()]).toEqual([1, [], 1024]);
  });

  it("those that failed last hold at most half of the places, however many they are", () => {
    const allowances = createAdaptiveConcurrency({ mostAtOnce: 1024, mostOfOne: 16 });
    let taken = 0;
    for (let hook = 1; hook <= 1000; hook++) {
      if (allowances.plan().roomFor(hook, true) === 0) continue;
      allowances.took(hook);
      taken += 1;
    }
    expect(taken).toBe(512);
    expect(allowances.plan().roomFor(2000, false)).toBe(1);
    for (let hook = 1; hook <= 512; hook++) allowances.ended(hook, true, 10);
    expect(allowances.free()).toBe(1024);
    expect(allowances.plan().roomFor(600, true)).toBe(1);
  });

  it("those that were slow last hold at most half of the places, and grow as others do", () => {
    const allowances = createAdaptiveConcurrency({ mostAtOnce: 1024, mostOfOne: 64 });
    const hooks = Array.from({ length: 100 }, (_, place) => place + 1);
    let flying: number[] = [];
    for (let round = 0; round < 8; round++) {
      flying = hooks.flatMap((hook) => {
        const room = allowances.plan().roomFor(hook, false);
        for (let place = 0; place < room; place++) allowances.took(hook);
        return Array.from({ length: room }, () => hook);
      });
      for (const hook of round === 7 ? [] : flying) allowances.ended(hook, true, 9000);
    }
    expect([flying.length, flying.filter((hook) => hook === 1).length]).toEqual([512, 64]);
    expect(allowances.plan().roomFor(2000, false)).toBe(1);
    for (const hook of flying) allowances.ended(hook, true, 10);
    expect([allowances.free(), allowances.plan().roomFor(1, false)]).toEqual([1024, 64]);
  });

  describe("of eight places, in one turn", () => {
    const failing = (...holders: number[]): Standing[] => holders.map((holder) => ({ holder, isFailing: true }));
    const working = (...holders: number[]): Standing[] => holders.map((holder) => ({ holder, isFailing: false }));

    test.each<[what: string, found: Standing[], shared: number[], beside?: Standing[]]>([
      ["six that failed last get four", failing(1, 2, 3, 4, 5, 6), [1, 2, 3, 4]],
      ["those that work get the others", [...failing(1, 2, 3, 4, 5, 6), ...working(7, 8, 9)], [1, 2, 3, 4, 7, 8, 9]],
      ["what is about to start as well counts", failing(1, 2, 3, 4, 5, 6), [1, 2], failing(7, 8)],
      ["but not as failing where it works", failing(1, 2, 3, 4, 5, 6), [1, 2, 3, 4], working(7, 8)],
    ])("%s", (_what, found, shared, beside = []) => {
      const allowances = createAdaptiveConcurrency({ mostAtOnce: 8, mostOfOne: 64 });
      const slots = createSlots<Standing>({ allowances, standingOf: (due) => due });
      const most = { most: 256, room: Number.POSITIVE_INFINITY };
      const begun = slots.whole(
        beside.map((due) => ({ due, take: 1 })),
        { ...most, beside: [] },
      );
      const shares = slots.divide(found, { ...most, beside: begun });
      expect(shares.map(({ due, take }) => [due.holder, take])).toEqual(shared.map((holder) => [holder, 1]));
    });
  });

  it("a result makes room for others, too, while all places of the slow and failing are taken, and else for none", () => {
    const allowances = createAdaptiveConcurrency({ mostAtOnce: 8, mostOfOne: 64 });
    const isMade = () => allowances.ended(1, true, 9000).madeRoom;
    for (const count of [1, 2, 4]) {
      for (let place = 0; place < count; place++) allowances.took(1);
      if (count < 4) for (let place = 0; place < count; place++) allowances.ended(1, true, 9000);
    }
    // Alone it might have eight.
    expect([allowances.plan().roomFor(2, true), allowances.full()]).toEqual([0, [1, 2]]);
    expect([isMade(), allowances.full()]).toEqual([true, []]);
    expect(isMade()).toBe(false);
  });

  it("forgets whom it has not to know", () => {
    const allowances = createAdaptiveConcurrency({ mostAtOnce: 1024, mostOfOne: 16 });
    for (let hook = 1; hook <= 20_000; hook++) {
      allowances.took(hook);
      allowances.ended(hook, true, 10);
    }
    expect(allowances.plan().roomFor(1, false)).toBe(1);
  });
});
