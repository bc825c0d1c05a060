/** Webhooks in clear are for development: a service that the world reaches refuses to start with them, and makes nothing. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { refusePlainHttp } from "../../src/outbound/outside.ts";
import { freshDatabase } from "../support/databases.ts";
import { startCrm } from "../support/node-process.ts";

test.each([
  ["https://crm.example.com", true],
  ["http://192.168.1.10:3000", true],
  ["http://localhost.example.com", true],
  ["http://localhost:3000", false],
  ["http://127.0.0.1:3000/crm", false],
  ["http://[::1]:3000", false],
])("reached at %s: refused is %s", (baseUrl, isRefused) => {
  const start = () => refusePlainHttp({ webhookAllowHttp: true }, baseUrl);
  if (isRefused) expect(start).toThrow(/CRM_WEBHOOK_ALLOW_HTTP is on.*loopback/);
  else expect(start).not.toThrow();
  expect(() => refusePlainHttp({ webhookAllowHttp: false }, baseUrl)).not.toThrow();
});

test.each([
  ["https://crm.example.com", 1],
  ["http://localhost:3000", 0],
])("reached at %s crm serve exits %i", async (baseUrl, code) => {
  const { directory, drop } = await freshDatabase("sqlite");
  await using serve = startCrm(["serve", "--port", "0"], {
    environment: {
      CRM_DATA_DIR: join(directory, "data"),
      CRM_WEBHOOK_ALLOW_HTTP: "on",
      CRM_BASE_URL: baseUrl,
    },
    directory,
  });
  if (code === 0) {
    await serve.match(/crm listening on/);
    serve.signal("SIGTERM");
  }
  const ended = await serve.finished;
  expect(ended.code).toBe(code);
  if (code === 1) {
    expect(ended.stderr).toMatch(/CRM_WEBHOOK_ALLOW_HTTP is on.*loopback/);
    expect(existsSync(join(directory, "data"))).toBe(false);
  }
  await drop();
});
