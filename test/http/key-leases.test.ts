/** Work in several changes under an Idempotency-Key: concurrent requests wait for the one that holds it, as for a single change. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { at } from "../../src/http/endpoint.ts";
import { operation } from "../../src/operation/operation.ts";
import { Invalid } from "../../src/vocabulary/errors.ts";
import { request } from "../support/client.ts";
import type { HttpAnswer } from "../support/client.ts";
import { databaseKinds } from "../support/databases.ts";
import { startSmallApp } from "../support/small-app.ts";
import type { SmallApp } from "../support/small-app.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

/** One time that the work is done: it has begun, and ends when the test says so. */
interface Working {
  readonly end: (how: "done" | "refused" | "unchanged") => void;
}

describe.each([...databaseKinds])("a key that is held on %s", (kind) => {
  let world: World;
  let app: SmallApp;
  let begun: Working[] = [];
  let atBegin: () => void = () => {};

  const work = operation({
    name: "workInSteps",
    summary: "",
    noun: "Works",
    may: { scope: "contacts.write", role: "member" },
    input: z.object({ name: z.string() }),
    gives: z.object({ time: z.int() }),
    async steps(_caller, _given, { complete }) {
      const time = begun.length + 1;
      const how = await new Promise<Parameters<Working["end"]>[0]>((resolve) => {
        begun.push({ end: resolve });
        atBegin();
      });
      if (how === "refused") throw new Invalid({ name: ["Refused."] });
      return how === "unchanged" ? { time } : complete(async () => ({ time }));
    },
  });

  beforeAll(async () => {
    world = await createWorld(kind);
    app = await startSmallApp(world, { endpoints: [at("POST", "/works", work, 200)] });
  });
  beforeEach(() => {
    begun = [];
  });
  afterAll(async () => {
    await app?.[Symbol.asyncDispose]();
    await world?.close();
  });

  function post(key: string, name = "Ada"): Promise<HttpAnswer> {
    const headers = { "idempotency-key": key };
    const body = { location_id: world.north, name };
    return request(app.url, { method: "POST", path: "/api/v1/works", key: world.keys.owner, headers, body });
  }

  /** Resolves when the work has begun so many times. */
  async function untilBegun(times: number): Promise<void> {
    while (begun.length < times) await new Promise<void>((resolve) => (atBegin = resolve));
  }

  test.each([
    ["gives both requests its answer", "done", ["200 1", "200 1"], 1],
    ["is free again for the second one if the first is refused", "refused", ["422", "200 2"], 2],
    ["is free again for the second one if the first changed nothing", "unchanged", ["200 1", "200 2"], 2],
  ] as const)("%s", async (name, how, answers, times) => {
    const first = post(name);
    await untilBegun(1);
    const second = post(name);
    begun[0]!.end(how);
    const shown = ({ status, body }: HttpAnswer) => [status, ...(status === 200 ? [body.time] : [])].join(" ");
    const [one] = await Promise.all([first, times === 2 && untilBegun(2).then(() => begun[1]!.end("done"))]);
    expect([shown(one), shown(await second)]).toEqual(answers);
    expect(begun).toHaveLength(times);
  });

  test("refuses another body", async () => {
    const first = post("body");
    await untilBegun(1);
    const second = post("body", "Bob");
    begun[0]!.end("done");
    expect([(await first).status, (await second).status]).toEqual([200, 422]);
    expect(begun).toHaveLength(1);
  });

  test("refuses a second request after five seconds", async () => {
    const first = post("late");
    await untilBegun(1);
    expect(await post("late")).toMatchObject({ status: 409, body: { error: "request_in_progress" } });
    begun[0]!.end("done");
    expect((await first).body).toEqual({ time: 1 });
    expect((await post("late")).body).toEqual({ time: 1 });
  });

  test("is free again a minute after its process has died, and the work of that one changes no answer", async () => {
    const first = post("died");
    await untilBegun(1);
    world.clock.advance({ seconds: 61 });
    const second = post("died");
    await untilBegun(2);
    begun[1]!.end("done");
    expect((await second).body).toEqual({ time: 2 });
    begun[0]!.end("done");
    expect((await first).body).toEqual({ time: 2 });
    expect((await post("died")).body).toEqual({ time: 2 });
  });
});
