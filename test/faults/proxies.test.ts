/** crm behind the real nginx and Caddy, by the samples of examples/proxy: what passes through them, and restarts that lose no request. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { databaseKinds } from "../support/databases.ts";
import { freePort } from "../support/free-port.ts";
import { certificates, isInstalled, proxyNames, startProxy } from "./proxy-process.ts";
import { openSystem } from "./tested-system.ts";

const ca = readFileSync(join(certificates, "localhost.pem"));

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly key?: string;
  readonly body?: Buffer | object;
  readonly headers?: Readonly<Record<string, string>>;
  /** The address that the client has. */
  readonly from?: string;
}

interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** A client with one keep-alive connection, which sends nothing twice. */
function openClient(port: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca, servername: "localhost" });
  return {
    async send({ method = "GET", path, key, body, headers = {}, from }: Sent): Promise<Received> {
      const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
      const client = request({
        agent,
        host: "127.0.0.1",
        port,
        method,
        path,
        localAddress: from,
        headers: {
          host: "localhost",
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(bytes === undefined ? {} : { "content-type": "application/json", "content-length": bytes.length }),
          ...headers,
        },
      });
      client.end(bytes);
      const [message] = (await once(client, "response")) as [IncomingMessage];
      return { status: message.statusCode!, headers: message.headers, bytes: await buffer(message) };
    },
    close: () => agent.destroy(),
  };
}

const behind = { CRM_TRUSTED_PROXIES: "127.0.0.1", CRM_BASE_URL: "https://localhost" };

for (const name of proxyNames.filter((one) => !isInstalled(one))) {
  process.stderr.write(
    `${name} is not installed: what crm does behind it is not tested here (CONTRIBUTING.md, "Faults").\n`,
  );
}

describe.each(proxyNames.filter(isInstalled))("behind %s", (name) => {
  test("addresses, limits, uploads, long URLs, pages and refusals arrive as they are", async () => {
    await using system = await openSystem("sqlite", { ...behind, CRM_RATE_LIMIT: "30/1h" });
    const { key, location } = system;
    const ports = [await freePort(), await freePort()] as const;
    await system.serve("--port", String(ports[0]));
    await using proxy = await startProxy(name, ports);
    const client = openClient(proxy.port);
    const headers = { "x-forwarded-for": "203.0.113.9" };

    const made = await client.send({
      method: "POST",
      path: "/api/v1/locations",
      key,
      body: { name: "South" },
      headers,
      from: "127.0.0.7",
    });
    expect([made.status, made.bytes.toString()]).toEqual([201, expect.stringContaining("South")]);
    // What the client claims to be is dropped.
    expect(await system.rows("select address from audit_entries where operation = 'createLocation'")).toEqual([
      { address: "127.0.0.7" },
    ]);

    const file = Buffer.alloc(5 * 2 ** 20, "x");
    const path = `/api/v1/attachments?location_id=${location}&name=plan.txt`;
    const uploaded = await client.send({
      method: "POST",
      path,
      key,
      body: file,
      headers: { "content-type": "text/plain" },
    });
    expect([uploaded.status, JSON.parse(uploaded.bytes.toString())]).toMatchObject([201, { size: file.length }]);
    const { url } = JSON.parse(uploaded.bytes.toString()) as { url: string };
    const { pathname, search } = new URL(url);
    expect((await client.send({ path: pathname + search })).bytes.equals(file)).toBe(true);

    const large = { location_id: location, first_name: "Ada", last_name: "L", note: "x".repeat(2 ** 20) };
    const refused = await client.send({ method: "POST", path: "/api/v1/contacts", key, body: large });
    expect([refused.status, JSON.parse(refused.bytes.toString())]).toMatchObject([413, { error: "payload_too_large" }]);

    const filters = JSON.stringify([{ field: "company", op: "contains", value: "x" }]) + " ".repeat(100_000);
    const list = `/api/v1/contacts?location_id=${location}&filters=${encodeURIComponent(filters).replaceAll("%20", "+")}`;
    expect((await client.send({ path: list, key })).status).toBe(200);

    const page = await client.send({
      path: "/sign-in",
      headers: { "accept-encoding": "gzip", "sec-fetch-site": "same-origin" },
    });
    expect([page.status, page.headers["content-encoding"], gunzipSync(page.bytes).toString()]).toEqual([
      200,
      "gzip",
      expect.stringMatching(/<\/html>\s*$/),
    ]);
    expect(
      (await client.send({ path: "/sign-in", headers: { "accept-encoding": "gzip" } })).headers["content-encoding"],
    ).toBeUndefined();

    const limited = await untilStatus(429, () => client.send({ path: "/api/v1/me", key }));
    expect(Number(limited.headers["retry-after"])).toBeGreaterThan(60);
    expect((await client.send({ path: "/metrics" })).status).toBe(404);
    client.close();
  });
});

// Caddy's sample has one service, which is reloaded in place.
describe.each(["nginx" as const].filter(isInstalled))("behind %s", (name) => {
  test.each([...databaseKinds])(
    "a rolling restart of two services on %s under writers loses no request",
    async (kind) => {
      await using system = await openSystem(kind, behind);
      const ports = [await freePort(), await freePort()] as const;
      const start = (port: number) => system.serve("--port", String(port));
      const services = [await start(ports[0]), await start(ports[1])];
      await using proxy = await startProxy(name, ports);
      const contact = { location_id: system.location, first_name: "Tess", last_name: "Term" };
      const created: number[] = [];
      let stopping = false;
      async function write(): Promise<void> {
        const client = openClient(proxy.port);
        while (!stopping) {
          const { status, bytes } = await client.send({
            method: "POST",
            path: "/api/v1/contacts",
            key: system.key,
            body: contact,
          });
          expect([status, bytes.toString()]).toEqual([201, expect.stringMatching(/^\{"id":/)]);
          created.push((JSON.parse(bytes.toString()) as { id: number }).id);
        }
        client.close();
      }
      const writing = Promise.all(Array.from({ length: 16 }, write));
      const restarting = (async () => {
        for (let round = 0; round < 2; round++) {
          for (const [place, port] of ports.entries()) {
            expect(await services[place]!.terminate()).toMatchObject({ code: 0, stderr: "" });
            services[place] = await start(port);
            await sleep(200);
          }
        }
        stopping = true;
      })();
      await Promise.all([writing, restarting]).finally(() => (stopping = true));
      const contacts = await system.rows<{ id: number }>("select id from contacts order by id");
      // Each was answered, and none was sent twice.
      expect(contacts.map(({ id }) => id)).toEqual(created.toSorted((a, b) => a - b));
      expect(created.length).toBeGreaterThan(100);
    },
  );
});

async function untilStatus(status: number, send: () => Promise<Received>): Promise<Received> {
  for (let count = 0; count < 100; count++) {
    const received = await send();
    if (received.status === status) return received;
  }
  throw new Error(`never answered ${status}`);
}
