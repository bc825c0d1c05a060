/** What an operation may ask of the kit beside its change: a step before the transaction, and an answer that nothing keeps. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Reader } from "../../src/events/caller.ts";
import { at } from "../../src/http/endpoint.ts";
import { toOpenApi } from "../../src/http/documents/openapi.ts";
import { lockedByChange, operation } from "../../src/operation/operation.ts";
import { Refusal, Unavailable } from "../../src/vocabulary/errors.ts";
import { request } from "../support/client.ts";
import { startSmallApp } from "../support/small-app.ts";
import type { SmallApp } from "../support/small-app.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

let world: World;
let app: SmallApp;
/** What ran, in order. */
const ran: string[] = [];
let changes = 0;

const shape = z.object({ secret: z.string(), of: z.string() });
const described = {
  summary: "",
  noun: "Secrets",
  may: { scope: "webhooks.write", role: "manager" },
  gives: shape,
} as const;

const endpoints = [
  at(
    "POST",
    "/prepared",
    operation({
      ...described,
      name: "createPrepared",
      input: z.object({ name: z.string() }),
      async before(reader, { input }) {
        ran.push("before");
        if (input.name === "unknown") throw new Refusal("user.not_found");
        // On SQLite this would wait for ever inside of a transaction, which is the only one that there is.
        return world.service.database.transaction(async () => `${input.name} of ${reader.location.id}`);
      },
      async change(change, { input, before }) {
        ran.push("change");
        expect(change.now).toBeInstanceOf(Date);
        return { secret: input.name, of: before };
      },
    }),
    201,
  ),
  at(
    "POST",
    "/secrets",
    operation({
      ...described,
      name: "createSecret",
      givesSecret: true,
      input: z.object({}),
      change: async () => ({ secret: String(++changes), of: "" }),
    }),
    201,
  ),
  at(
    "POST",
    "/notes/{id}/parts",
    operation({
      ...described,
      name: "createPart",
      find: { note: async (_reader: Reader, id: number) => ({ id }) },
      input: z.object({}),
      change: async (_change, { note }) => ({ secret: String(++changes), of: String(note.id) }),
    }),
    201,
  ),
  at(
    "POST",
    "/users/{user}/contacts/{contact}/tags/{tag}",
    operation({
      ...described,
      name: "createThree",
      find: {
        user: (_reader: Reader, id: number) => look("user", id),
        contact: lockedByChange((_reader, id) => look("contact", id)),
        tag: (_reader: Reader, id: number) => look("tag", id),
      },
      input: z.object({ name: z.string() }),
      change: async (_change, { contact }) => ({ secret: "", of: String(contact.id) }),
    }),
    201,
  ),
];

const missing = 404;
const broken = 503;

/** Remembers that it was asked. */
async function look(name: string, id: number): Promise<{ id: number } | undefined> {
  ran.push(name);
  if (id === broken) throw new Unavailable(undefined, "the database is gone");
  return id === missing ? undefined : { id };
}

beforeAll(async () => {
  world = await createWorld("sqlite");
  app = await startSmallApp(world, { endpoints });
});
afterAll(async () => {
  await app?.[Symbol.asyncDispose]();
  await world?.close();
});

async function post(path: string, body: object, { as = "owner" as const, key = "" } = {}) {
  ran.length = 0;
  const headers: Record<string, string> = key === "" ? {} : { "idempotency-key": key };
  const sent = { method: "POST", path: `/api/v1${path}`, key: world.keys[as], headers };
  return request(app.url, { ...sent, body: { location_id: world.north, ...body } });
}

describe("a step before the change", () => {
  test("runs with no transaction open, and hands its result on", async () => {
    const answer = await post("/prepared", { name: "Ada" });
    expect([answer.status, answer.body]).toEqual([201, { secret: "Ada", of: `Ada of ${world.north}` }]);
    expect(ran).toEqual(["before", "change"]);
  });

  test("refuses before anything is written", async () => {
    expect(await post("/prepared", { name: "unknown" })).toMatchObject({
      status: 404,
      body: { error: "user.not_found" },
    });
    expect(ran).toEqual(["before"]);
  });

  test.each([
    ["scope", { name: "Ada" }, { as: "readonly" as never }, 403],
    ["location", { name: "Ada", location_id: 0 }, {}, 404],
    ["input", { name: 7 }, {}, 422],
  ])("does not run before the check of %s", async (_what, body, options, status) => {
    expect((await post("/prepared", body, options)).status).toBe(status);
    expect(ran).toEqual([]);
  });

  test("does not run for a request that was answered under its Idempotency-Key", async () => {
    await post("/prepared", { name: "Ada" }, { key: "once" });
    expect(ran).toEqual(["before", "change"]);
    expect((await post("/prepared", { name: "Ada" }, { key: "once" })).headers.get("idempotency-replayed")).toBe(
      "true",
    );
    expect(ran).toEqual([]);
  });
});

describe("the records that a path names", () => {
  test.each([
    ["each but the held one, which the change looks up itself", [1, 2, 3], "Ada", 201, ["user", "tag"]],
    ["the held one too where the body is wrong", [1, 2, 3], 7, 422, ["user", "tag", "contact"]],
    ["and it is told first", [1, missing, 3], 7, 404, ["user", "tag", "contact"]],
    ["also before one that stands behind it", [1, missing, missing], "Ada", 404, ["user", "tag", "contact"]],
    ["and not when it stands behind", [missing, missing, 3], "Ada", 404, ["user"]],
    ["no other after an error that is not the client's", [1, 2, broken], "Ada", 503, ["user", "tag"]],
  ])("are asked for once: %s", async (_what, [user, contact, tag], name, status, asked) => {
    const answer = await post(`/users/${user}/contacts/${contact}/tags/${tag}`, { name });
    expect([answer.status, ran]).toEqual([status, asked]);
    if (status === 404) expect(answer.body.error).toBe(user === missing ? "user.not_found" : "contact.not_found");
  });
});

describe("an answer that carries a secret", () => {
  test("is not kept, and its key means nothing", async () => {
    const first = await post("/secrets", {}, { key: "k" });
    const second = await post("/secrets", { other: 1 }, { key: "k" });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.secret).not.toBe(first.body.secret);
    const kept = await world.service.database.rows("select 1 from idempotency_keys where operation like ?", [
      "%secrets",
    ]);
    expect(kept).toEqual([]);
  });

  test("is documented without the key, as the others are with it", () => {
    const { paths } = toOpenApi({ endpoints, routes: [], events: [] }, { version: "1", serverUrl: "/" }) as {
      paths: Record<string, { post: object }>;
    };
    const knows = (path: string) => JSON.stringify(paths[`/api/v1${path}`]!.post).includes("/IdempotencyKey");
    expect([knows("/secrets"), knows("/prepared")]).toEqual([false, true]);
  });
});

test("an Idempotency-Key is kept for an operation, however its address is spelled", async () => {
  const spelled = ["/notes/7/parts", "/notes/7/parts/", "/notes/07/parts", "/%6eotes/7/parts"];
  const answers = [];
  for (const path of spelled) answers.push((await post(path, {}, { key: "spelled" })).body);
  expect(answers).toEqual(spelled.map(() => ({ secret: String(changes), of: "7" })));
  expect((await post("/notes/8/parts", {}, { key: "spelled" })).body).toEqual({ secret: String(changes), of: "8" });
});
