/** What is sent again, and how often the service carries it out: exactly once. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { sampleOf } from "../../test/support/chance.ts";
import { databaseKinds } from "../../test/support/databases.ts";
import { request } from "../../test/support/client.ts";
import { createWorld } from "../../test/support/world.ts";
import type { World } from "../../test/support/world.ts";
import { createClient, responseOf } from "../src/client.ts";
import type { Crm } from "../src/client.ts";
import { startFaultyProxy } from "./support/faulty-proxy.ts";
import type { Fault, FaultyProxy } from "./support/faulty-proxy.ts";

describe.each(sampleOf("the client's faults", 1, databaseKinds))("on %s", (kind) => {
  let world: World;
  let proxy: FaultyProxy;
  let crm: Crm;
  beforeAll(async () => {
    world = await createWorld(kind);
    proxy = await startFaultyProxy(world.url);
    crm = createClient({ baseUrl: proxy.url, token: world.keys.owner!, location: world.north });
  });
  afterAll(async () => {
    await proxy?.[Symbol.asyncDispose]();
    await world?.close();
  });
  afterEach(() => {
    proxy.faults.length = 0;
    proxy.seen.length = 0;
  });

  let last = 0;
  const nextContact = () => ({ first_name: "Ada", last_name: "Lovelace", email: `ada.${(last += 1)}@example.com` });
  const countOf = async (email: string) =>
    (
      await request(world.url, {
        method: "GET",
        path: `/api/v1/contacts?location_id=${world.north}&email=${email}`,
        key: world.keys.owner,
      })
    ).body.data.length as number;

  const soon = { "retry-after": "0" };
  test.each<{ what: string; faults: Fault[]; replayed?: boolean }>([
    { what: "the rate limit", faults: [{ status: 429, headers: soon, body: { message: "Too many requests." } }] },
    { what: "a database that is away", faults: [{ status: 503, headers: soon, body: { error: "unavailable" } }] },
    { what: "a proxy that has lost the service", faults: [{ status: 502 }] },
    { what: "a connection reset in the middle of the request", faults: ["reset before"] },
    { what: "a connection reset when it was carried out", faults: ["reset after"], replayed: true },
    {
      what: "one that is still being carried out",
      faults: ["reset after", { status: 409, headers: soon, body: { error: "request_in_progress" } }],
      replayed: true,
    },
    {
      what: "three faults in a row",
      faults: ["reset before", "reset after", { status: 429, headers: soon }],
      replayed: true,
    },
  ])("a POST is sent again after $what, and done once", async ({ faults, replayed = false }) => {
    const contact = nextContact();
    proxy.faults.push(...faults);
    const created = await crm.contacts.create(contact);
    expect(created.email).toBe(contact.email);
    expect(responseOf(created)!.headers.get("idempotency-replayed")).toBe(replayed ? "true" : null);
    expect(proxy.seen.length).toBe(faults.length + 1);
    expect(new Set(proxy.seen.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
    expect(await countOf(contact.email)).toBe(1);
  });

  test("the caller's Idempotency-Key is sent as it is, and makes two calls one", async () => {
    const contact = nextContact();
    const options = { idempotencyKey: "order-4711" };
    const [one, other] = [await crm.contacts.create(contact, options), await crm.contacts.create(contact, options)];
    expect(other.id).toBe(one.id);
    expect(await countOf(contact.email)).toBe(1);
  });

  test("a DELETE whose answer was lost has succeeded", async () => {
    const { id } = await crm.contacts.create(nextContact());
    proxy.faults.push("reset after");
    expect(await crm.contacts.delete(id)).toBeUndefined();
    await expect(crm.contacts.delete(id)).rejects.toMatchObject({ code: "contact.not_found" });
  });

  test("a POST that the service stores no answer of is not sent again after a lost one", async () => {
    proxy.faults.push("reset after");
    const hook = { event: "contact.created", target_url: "https://example.com/" } as const;
    await expect(crm.hooks.register(hook)).rejects.toMatchObject({ status: 0, code: "connection_failed" });
    expect(proxy.seen.length).toBe(1);
    proxy.faults.push({ status: 429, headers: soon });
    expect(await crm.hooks.register(hook)).toMatchObject({ secret: expect.stringMatching(/^whsec_/) });
  });

  test.each<{ what: string; faults: Fault[]; options?: object; error: object; requests: number }>([
    {
      what: "as often as retries says",
      faults: [
        { status: 429, headers: soon },
        { status: 429, headers: soon },
        { status: 429, headers: soon },
      ],
      options: { retries: 2 },
      error: { status: 429, code: "rate_limited", retryAfter: 0 },
      requests: 3,
    },
    {
      what: "not at all if the service asks for a longer wait than a minute",
      faults: [{ status: 429, headers: { "retry-after": "61" } }],
      error: { status: 429, retryAfter: 61 },
      requests: 1,
    },
    {
      what: "not at all after an internal error",
      faults: [{ status: 500, body: { error: "server_error", message: "x" } }],
      error: { status: 500, code: "server_error", detail: "x" },
      requests: 1,
    },
    {
      what: "until the timeout",
      faults: ["silence", "silence"],
      options: { retries: 1, timeout: 30 },
      error: { status: 0, code: "timeout" },
      requests: 2,
    },
  ])("a request is sent again $what", async ({ faults, options = {}, error, requests }) => {
    proxy.faults.push(...faults);
    await expect(crm.tags.list({}, options)).rejects.toMatchObject(error);
    expect(proxy.seen.length).toBe(requests);
  });

  test("signal gives up a request, and the wait before it is sent again", async () => {
    const reason = new Error("no longer needed");
    expect(() => AbortSignal.abort(reason).throwIfAborted()).toThrow(reason);
    await expect(crm.tags.list({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    for (const fault of ["silence", { status: 503, headers: { "retry-after": "60" } }] as const) {
      const controller = new AbortController();
      proxy.faults.push(fault);
      proxy.seen.length = 0;
      const listing = crm.tags.list({}, { signal: controller.signal });
      await expect.poll(() => proxy.seen.length).toBe(1);
      controller.abort(reason);
      await expect(listing).rejects.toBe(reason);
    }
  });

  test("twenty calls with an expired token wait for one new one", async () => {
    let current = "crm_key_expired";
    let refreshes = 0;
    let refreshing: Promise<string> | undefined;
    const token = ({ rejected }: { readonly rejected?: string }) => {
      if (rejected !== current) return current;
      refreshing ??= (async () => {
        refreshes += 1;
        current = world.keys.owner!;
        return current;
      })();
      return refreshing;
    };
    const waiting = Array.from({ length: 20 }, () => crm.tags.list({}, { token }));
    expect((await Promise.all(waiting)).length).toBe(20);
    expect(refreshes).toBe(1);
  });
});
