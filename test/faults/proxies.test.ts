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
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { freePort } from "../support/free-port.ts";
import { certificates, isInstalled, prepareProxy, proxyNames, startProxy } from "./proxy-process.ts";
import { openSessionOfOwner } from "./owner-session.ts";
import { openSystem } from "./tested-system.ts";
import type { TestedSystem } from "./tested-system.ts";

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
  async function open({ method = "GET", path, key, body, headers = {}, from }: Sent): Promise<IncomingMessage> {
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
    return message;
  }
  return {
    /** Resolves when the response begins. */
    open,
    async send(sent: Sent): Promise<Received> {
      const message = await open(sent);
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

// On every machine, whatever is installed.
test.each(proxyNames)("the sample of %s leads to the service alone", (name) => {
  const { files } = prepareProxy(name, { folder: "/tmp", port: 1443, plainPort: 1080, backends: [1300, 1301] });
  const text = Object.values(files).join();
  expect(text).toContain("127.0.0.1:1300");
  expect(text).not.toMatch(/127\.0\.0\.1:300\d/);
});

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

describe.each(proxyNames.filter(isInstalled))("behind %s", (name) => {
  test.each(sampleOf(`SIGHUP behind ${name}`, 1, databaseKinds))(
    "a live page on %s passes as it comes, and SIGHUP replaces two processes under writers without a lost request",
    async (kind) => {
      await using system = await openSystem(kind, { ...behind, CRM_LOG_LEVEL: "info" });
      const ports = [await freePort(), await freePort()] as const;
      const { process: service } = await system.serve("--port", String(ports[0]), "--processes", "2");
      await using proxy = await startProxy(name, ports);

      const client = openClient(proxy.port);
      const live = await client.open({
        path: `/l/${system.location}/live`,
        headers: { accept: "text/event-stream", cookie: `__Host-crm_session=${await openSessionOfOwner(system)}` },
      });
      expect([live.statusCode, live.headers["content-type"]]).toEqual([200, "text/event-stream; charset=utf-8"]);
      const events = (async () => {
        let text = "";
        for await (const piece of live) if (/event: contact\n/.test((text += String(piece)))) return text;
        return text;
      })();

      await using writers = startWriters(system, proxy.port);
      expect(await events).toMatch(/event: contact\ndata: \d+\n/);
      client.close();
      for (let round = 1; round <= 2; round++) {
        service.signal("SIGHUP");
        await expect.poll(() => service.printed().stderr.match(/"reloaded"/g)?.length, { timeout: 60_000 }).toBe(round);
      }
      await writers.requireAllKept();
    },
  );
});

// Caddy's sample has one service, which is replaced in place.
describe.each(["nginx" as const].filter(isInstalled))("behind %s", (name) => {
  test.each([...databaseKinds])(
    "a rolling restart of two services on %s under writers loses no request",
    async (kind) => {
      await using system = await openSystem(kind, behind);
      const ports = [await freePort(), await freePort()] as const;
      const start = (port: number) => system.serve("--port", String(port));
      const services = [await start(ports[0]), await start(ports[1])];
      await using proxy = await startProxy(name, ports);
      await using writers = startWriters(system, proxy.port);
      for (let round = 0; round < 2; round++) {
        for (const [place, port] of ports.entries()) {
          expect(await services[place]!.terminate()).toMatchObject({ code: 0, stderr: "" });
          services[place] = await start(port);
          await sleep(200);
        }
      }
      await writers.requireAllKept();
    },
  );
});

interface Writers extends AsyncDisposable {
  /** Stops them. Each contact was answered 201, and none was sent twice. */
  requireAllKept(): Promise<void>;
}

/** Sixteen clients that create one contact after the other, and send nothing twice. */
function startWriters(system: TestedSystem, port: number): Writers {
  const contact = { location_id: system.location, first_name: "Tess", last_name: "Term" };
  const created: number[] = [];
  let stopping = false;
  async function write(): Promise<void> {
    const client = openClient(port);
    while (!stopping) {
      const sent = { method: "POST", path: "/api/v1/contacts", key: system.key, body: contact };
      const { status, bytes } = await client.send(sent);
      expect([status, bytes.toString()]).toEqual([201, expect.stringMatching(/^\{"id":/)]);
      created.push((JSON.parse(bytes.toString()) as { id: number }).id);
    }
    client.close();
  }
  const writing = Promise.all(Array.from({ length: 16 }, write));
  writing.catch(() => (stopping = true));
  return {
    async requireAllKept() {
      stopping = true;
      await writing;
      const contacts = await system.rows<{ id: number }>("select id from contacts order by id");
      expect(contacts.map(({ id }) => id)).toEqual(created.toSorted((a, b) => a - b));
      expect(created.length).toBeGreaterThan(100);
    },
    async [Symbol.asyncDispose]() {
      stopping = true;
      await writing.catch(() => {});
    },
  };
}

async function untilStatus(status: number, send: () => Promise<Received>): Promise<Received> {
  for (let count = 0; count < 100; count++) {
    const received = await send();
    if (received.status === status) return received;
  }
  throw new Error(`never answered ${status}`);
}
