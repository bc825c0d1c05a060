/** TLS: certificates from files, renewed without a restart; what does not fit together is never used. */
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { get } from "node:https";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { connect as connectTls } from "node:tls";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startListener } from "../../src/http/connection/listener.ts";
import type { Listener } from "../../src/http/connection/listener.ts";
import { startRedirect, toHttps } from "../../src/http/connection/tls-redirect.ts";
import { openTls } from "../../src/http/connection/tls-listener.ts";
import { readTlsPair, watchTlsFiles } from "../../src/http/connection/tls.ts";
import type { TlsFiles } from "../../src/http/connection/tls.ts";

const certificate = (name: string) => join(import.meta.dirname, "../support/certificates", name);
const ca = readFileSync(certificate("localhost.pem"));
const files: TlsFiles = { cert: certificate("localhost.pem"), key: certificate("localhost.key") };

async function listen(patience = {}): Promise<Listener> {
  return startListener((message, response) => response.end(`${message.method} ${message.url}`), {
    host: "127.0.0.1",
    port: 0,
    refusedUnread: () => {},
    tls: await readTlsPair(files),
    patience: { look: 5, ...patience },
  });
}

const portOf = ({ url }: Listener): number => Number(new URL(url).port);

/** The body, and the name of the certificate. */
async function ask(listener: Listener, path = "/"): Promise<string> {
  const options = { ca, servername: "localhost", host: "127.0.0.1", port: portOf(listener), path, agent: false };
  const response = await new Promise<IncomingMessage>((resolve, reject) => get(options, resolve).once("error", reject));
  return text(response);
}

/** The serial number of the certificate that a new connection is shown. */
async function serialOf(listener: Listener): Promise<string> {
  const socket = connectTls({ host: "127.0.0.1", port: portOf(listener), rejectUnauthorized: false });
  await new Promise((resolve, reject) => socket.once("secureConnect", resolve).once("error", reject));
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
}

describe("a listener with a certificate", () => {
  let listener: Listener;
  beforeAll(async () => {
    listener = await listen();
  });
  afterAll(() => listener?.close());

  test("answers over https", async () => {
    expect(listener.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(await ask(listener, "/contacts?a=1")).toBe("GET /contacts?a=1");
  });

  test("answers pipelined requests in their order", async () => {
    const socket = connectTls({ host: "127.0.0.1", port: portOf(listener), ca, servername: "localhost" });
    const request = (path: string, more = "") => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;
    socket.write(request("/one") + request("/two") + request("/three", "Connection: close\r\n"));
    expect((await text(socket)).match(/GET \/(?:one|two|three)/g)).toEqual(["GET /one", "GET /two", "GET /three"]);
  });

  test("offers HTTP/1.1 alone", async () => {
    const options = {
      host: "127.0.0.1",
      port: portOf(listener),
      ca,
      servername: "localhost",
      ALPNProtocols: ["h2", "http/1.1"],
    };
    const socket = connectTls(options);
    await new Promise((resolve) => socket.once("secureConnect", resolve));
    expect(socket.alpnProtocol).toBe("http/1.1");
    socket.destroy();
  });

  test("cuts off plain HTTP, and serves on", async () => {
    const socket = connect(portOf(listener), "127.0.0.1");
    socket.on("error", () => {});
    socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await new Promise((resolve) => socket.once("close", resolve));
    expect(await ask(listener)).toBe("GET /");
  });
});

test("a stop does not wait for a client that only connected", async () => {
  const listener = await listen({ others: 100 });
  const silent = connect(portOf(listener), "127.0.0.1");
  silent.on("error", () => {});
  await new Promise((resolve) => silent.once("connect", resolve));
  const closed = new Promise((resolve) => silent.once("close", resolve));
  await listener.close();
  await closed;
});

test.each([
  ["no file", { cert: "/nowhere.pem", key: files.key }, "CRM_TLS_CERT: /nowhere.pem cannot be read (ENOENT)."],
  ["a folder", { cert: files.cert, key: tmpdir() }, `CRM_TLS_KEY: ${tmpdir()} cannot be read (EISDIR).`],
  [
    "a key as the certificate",
    { cert: files.key, key: files.key },
    `CRM_TLS_CERT: ${files.key} holds no certificate in PEM format.`,
  ],
  [
    "a certificate as the key",
    { cert: files.cert, key: files.cert },
    `CRM_TLS_KEY: ${files.cert} holds no private key in PEM format, or one with a passphrase.`,
  ],
  [
    "the key of another certificate",
    { cert: files.cert, key: certificate("good.key") },
    `The key in ${certificate("good.key")} does not belong to the certificate in ${files.cert}: set CRM_TLS_KEY and CRM_TLS_CERT to a pair.`,
  ],
])("refuses %s in one sentence", async (_what, given, sentence) => {
  await expect(readTlsPair(given)).rejects.toThrow(sentence);
});

test.each([
  ["a certificate alone", { tlsCert: files.cert, tlsKey: null }, "CRM_TLS_CERT and CRM_TLS_KEY belong together"],
  ["a key alone", { tlsCert: null, tlsKey: files.key }, "CRM_TLS_CERT and CRM_TLS_KEY belong together"],
  ["a redirect without TLS", { tlsCert: null, tlsKey: null }, "CRM_TLS_REDIRECT_PORT needs CRM_TLS_CERT"],
])("refuses %s", async (_what, given, sentence) => {
  const rest = { tlsRedirectPort: 80, baseUrl: null, host: "127.0.0.1" };
  await expect(openTls({ ...rest, ...given })).rejects.toThrow(sentence);
});

describe("renewed files", () => {
  let listener: Listener;
  let own: TlsFiles;
  let stop: () => void;
  const told: string[] = [];
  beforeEach(async () => {
    const directory = mkdtempSync(join(tmpdir(), "crm-tls-"));
    own = { cert: join(directory, "tls.pem"), key: join(directory, "tls.key") };
    copyFileSync(files.cert, own.cert);
    copyFileSync(files.key, own.key);
    listener = await listen();
    told.length = 0;
    stop = watchTlsFiles(
      listener.tlsServer!,
      { files: own, used: await readTlsPair(own), interval: 10 },
      { renewed: () => told.push("renewed"), refused: ({ message }) => told.push(message) },
    );
  });
  afterEach(async () => {
    stop();
    await listener.close();
  });

  test("are used for new connections once both are there", async () => {
    const before = await serialOf(listener);
    copyFileSync(certificate("good.pem"), own.cert);
    await expect.poll(() => told).toEqual([expect.stringMatching(/does not belong/)]);
    expect(await serialOf(listener)).toBe(before);
    copyFileSync(certificate("good.key"), own.key);
    await expect.poll(() => told.at(-1)).toBe("renewed");
    expect(await serialOf(listener)).not.toBe(before);
  });

  test("that hold nothing are told once, and the service goes on", async () => {
    writeFileSync(own.key, "");
    await expect.poll(() => told).toHaveLength(1);
    expect(await ask(listener)).toBe("GET /");
    copyFileSync(files.key, own.key);
    expect(told).toEqual([expect.stringMatching(/holds no private key/)]);
  });
});

describe("the port that redirects", () => {
  test.each([
    ["the host that was asked", null, "crm.example.com", "/me?a=1", "https://crm.example.com:8443/me?a=1"],
    ["without the port that was asked", null, "crm.example.com:8080", "/", "https://crm.example.com:8443/"],
    ["an IPv6 address", null, "[::1]:80", "/", "https://[::1]:8443/"],
    ["the public address", "https://crm.example.org/app", "evil.example", "/me", "https://crm.example.org/me"],
    ["a host with a user", null, "me@crm.example.com", "/", undefined],
    ["no host", null, "", "/", undefined],
  ])("%s", (_what, baseUrl, host, path, expected) => {
    expect(toHttps(baseUrl, 8443)(host, path)).toBe(expected);
  });

  test("keeps method and query, whatever is sent", async () => {
    const redirect = await startRedirect({ host: "127.0.0.1", port: 0, target: toHttps(null, 443) });
    const url = `http://127.0.0.1:${redirect.port}`;
    const answer = await fetch(`${url}/api/v1/contacts?a=1`, { method: "POST", body: "{}", redirect: "manual" });
    await redirect.close();
    expect([answer.status, answer.headers.get("location")]).toEqual([308, "https://127.0.0.1/api/v1/contacts?a=1"]);
  });
});
