/** `crm serve` with TLS of its own, in several processes; a key that does not fit leaves nothing behind. */
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { get } from "node:https";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { startCrm } from "../support/node-process.ts";

const certificate = (name: string) => join(import.meta.dirname, "../support/certificates", name);
const timeoutSeconds = 60;

const given = (key: string) => {
  const data = join(mkdtempSync(join(tmpdir(), "crm-tls-")), "data");
  const environment = {
    CRM_DATA_DIR: data,
    CRM_PORT: "0",
    CRM_LOG_FORMAT: "json",
    CRM_TLS_CERT: certificate("localhost.pem"),
    CRM_TLS_KEY: certificate(key),
  };
  return { data, environment };
};

test("two processes answer over https, and redirect plain HTTP", { timeout: 90_000 }, async () => {
  const { environment } = given("localhost.key");
  const more = { ...environment, CRM_TLS_REDIRECT_PORT: "0" };
  await using serve = startCrm(["serve", "--processes", "2", "--no-worker"], { environment: more, timeoutSeconds });
  const [, url = ""] = await serve.match(/crm listening on (https:\S+)/);
  await serve.match(/"message":"started"[^]*"message":"started"/);
  const [, port = ""] = await serve.match(/"message":"redirecting plain HTTP","port":(\d+)/);
  const options = { ca: readFileSync(certificate("localhost.pem")), servername: "localhost", agent: false };
  const bodies = Array.from({ length: 4 }, async () => {
    const answer = await new Promise<IncomingMessage>((resolve, reject) =>
      get(`${url}/readyz`, options, resolve).once("error", reject),
    );
    return JSON.parse(await text(answer)).status;
  });
  expect(await Promise.all(bodies)).toEqual(Array.from({ length: 4 }, () => "ready"));
  const redirected = await fetch(`http://127.0.0.1:${port}/me`, { redirect: "manual" });
  expect([redirected.status, redirected.headers.get("location")]).toEqual([308, `${url}/me`]);
  serve.signal("SIGTERM");
  expect((await serve.finished).code).toBe(0);
});

test("a key that does not belong to the certificate is one sentence, and creates nothing", async () => {
  const { data, environment } = given("good.key");
  const { code, stderr } = await startCrm(["serve"], { environment }).finished;
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^Error: The key in \S+good\.key does not belong to the certificate in \S+localhost\.pem: .+\n$/,
  );
  expect(existsSync(data)).toBe(false);
});
