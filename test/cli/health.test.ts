/** `crm health` tells apart a server that does not answer, one that is not trusted, and one that does not speak TLS. */
import { readFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../support/free-port.ts";
import { runCrm } from "../support/node-process.ts";
import { runInSession } from "../support/terminal-session.ts";

const certificates = join(import.meta.dirname, "../support/certificates");
const servers: Server[] = [];
const ports: Record<string, number> = {};

async function listen(name: string, server: Server): Promise<void> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  ports[name] = (server.address() as AddressInfo).port;
}

const answer = (_: unknown, response: { end(text: string): void }): void => response.end('{"status":"ready"}');

beforeAll(async () => {
  for (const name of ["self-signed", "expired", "wrong-name", "localhost"]) {
    const [cert, key] = ["pem", "key"].map((end) => readFileSync(join(certificates, `${name}.${end}`)));
    await listen(name, createServer({ cert, key }, answer));
  }
  await listen("plain", createHttpServer(answer));
  ports["closed"] = await freePort();
});
afterAll(() => servers.forEach((server) => server.close()));

const trust = "Set NODE_EXTRA_CA_CERTS=FILE to trust the certificates in FILE.";

test.each<[name: string, says: (url: string) => RegExp]>([
  [
    "self-signed",
    (url) => new RegExp(`^The certificate of ${url} is not trusted: self-signed certificate\\. ${trust}$`),
  ],
  ["plain", (url) => new RegExp(`^The server at ${url} does not speak TLS\\. Is it an http:// address\\?$`)],
  ["closed", (url) => new RegExp(`^No response from ${url}\\. Is crm serve running there\\?$`)],
])("%s", async (name, says) => {
  const url = `https://localhost:${ports[name]}`;
  const told = await runInSession(["health", "--url", url]);
  expect(told).toMatchObject({ code: 3, stdout: "" });
  expect(told.stderr).toMatch(/^Error: [^\n]+\n$/);
  expect(told.stderr.slice("Error: ".length, -1)).toMatch(says(url));
});

test.each([
  ["expired", "certificate has expired"],
  ["wrong-name", "does not match certificate's altnames"],
])("%s, of an issuer that is trusted", async (name, says) => {
  const url = `https://localhost:${ports[name]}`;
  const environment = { NODE_EXTRA_CA_CERTS: join(certificates, "ca.pem") };
  const { code, stderr } = await runCrm(["health", "--url", url], { environment });
  expect(code).toBe(3);
  expect(stderr).toMatch(new RegExp(`^Error: The certificate of ${url} is not valid: .*${says}.*\\.\\n$`));
});

test("a certificate that is trusted is no matter", async () => {
  const environment = { NODE_EXTRA_CA_CERTS: join(certificates, "localhost.pem") };
  const told = await runCrm(["health", "--url", `https://localhost:${ports["localhost"]}`], { environment });
  expect(told).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("responded with 200") });
});

test("a payment is not reported to a server that is not trusted", async () => {
  const url = `https://localhost:${ports["self-signed"]}`;
  const flags = "--client-id crm_app_1 --location 1 --amount 1.00 --status COMPLETED --type recurring".split(" ");
  const environment = { CRM_CLIENT_SECRET: "secret" };
  const told = await runInSession(["billing", "report", "--url", url, ...flags], { environment });
  expect(told).toMatchObject({ code: 3, stdout: "" });
  expect(told.stderr).toMatch(/is not trusted: .* The report was not sent\.\n$/);
});
