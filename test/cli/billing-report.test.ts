/** `crm billing report`: over HTTP alone, its secret from the environment or stdin, and an exit code that tells refused from unreachable. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toFailure } from "../../terminal/failures.ts";
import { sendPaymentReport } from "../../terminal/payment-report.ts";
import { ledgerOf, subscriptionsOf } from "../support/billing.ts";
import { freePort } from "../support/free-port.ts";
import { givenApp } from "../support/marketplace.ts";
import type { TestApp } from "../support/marketplace.ts";
import { runInSession } from "../support/terminal-session.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

/** An unreachable database: the command needs none. */
const noDatabase = { CRM_DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" };
const payment = ["--amount", "29.00", "--status", "COMPLETED", "--type", "recurring"];

describe("against a service", () => {
  let world: World;
  let app: TestApp;
  let environment: Record<string, string>;
  beforeAll(async () => {
    world = await createWorld("sqlite");
    app = await givenApp(world);
    environment = { ...noDatabase, CRM_CLIENT_ID: app.client_id, CRM_CLIENT_SECRET: app.client_secret };
  });
  afterAll(() => world?.close());

  const report = (parameters: string[], options: Parameters<typeof runInSession>[1] = { environment }) =>
    runInSession(["billing", "report", "--url", world.url, ...parameters], options);

  test("what is given arrives, the secret by the environment or by stdin", async () => {
    const ids = ["--payment-id", "inv_1", "--subscription-id", "sub_1"];
    const first = await report(["--location", String(world.north), ...payment, ...ids]);
    expect(first).toMatchObject({ code: 0, stdout: `Reported to ${world.url}.\n`, stderr: "" });
    const company = ["--client-id", app.client_id, "--company", String(world.acme), "--amount=0.1"];
    const second = await report(
      [
        ...company,
        "--status",
        "FAILED",
        "--type",
        "one_time",
        "--payment-id",
        "x",
        "--occurred-at",
        "2026-03-01T12:00:00Z",
        "--json",
      ],
      {
        environment: noDatabase,
        input: `${app.client_secret}\n`,
      },
    );
    expect(second).toMatchObject({ code: 0, stdout: '{\n  "ok": true\n}\n', stderr: "" });
    expect(await ledgerOf(world.service, app)).toMatchObject([
      {
        location_id: world.north,
        amount_cents: 2900,
        status: "COMPLETED",
        payment_id: "inv_1",
        subscription_id: "sub_1",
      },
      { location_id: null, amount_cents: 10, status: "FAILED", payment_type: "one_time", payment_id: "x" },
    ]);
    expect((await subscriptionsOf(world.service, world.acme, app)).map(({ status }) => status)).toEqual([
      "active",
      "past_due",
    ]);
  });

  test("crm billing subscriptions and ledger show who pays for what, as tables and as JSON", async () => {
    const made = await givenApp(world, { name: "Listed" });
    const own = { ...environment, CRM_CLIENT_ID: made.client_id, CRM_CLIENT_SECRET: made.client_secret };
    const given = [...payment, "--payment-id", "inv_1", "--subscription-id", "sub_1"];
    expect(await report(["--location", String(world.south), ...given], { environment: own })).toMatchObject({
      code: 0,
    });
    const { databaseUrl, dataDir } = world.service.settings;
    const list = (...more: string[]) => billing("subscriptions", ...more);
    const billing = (...more: string[]) =>
      runInSession(["billing", ...more, "--workspace", String(world.acme)], {
        environment: { CRM_DATABASE_URL: databaseUrl, CRM_DATA_DIR: dataDir },
      });
    const { stdout } = await list("--json");
    expect(JSON.parse(stdout).find(({ app: { name } }: { app: { name: string } }) => name === "Listed")).toEqual({
      app: { name: "Listed", client_id: made.client_id },
      location_id: world.south,
      company_id: null,
      status: "active",
      amount_cents: 2900,
      subscription_id: "sub_1",
      last_report_at: world.clock.now().toISOString(),
      next_amount_cents: null,
      next_amount_from: null,
    });
    const line = (await list()).stdout.split("\n").find((one) => one.includes("Listed"));
    expect(line?.trim().split(/ {2,}/).slice(0, 5)).toEqual([
      "Listed",
      `location ${world.south}`,
      "active",
      "USD 29.00",
      "sub_1",
    ]);

    const ledger = (...more: string[]) => billing("ledger", "--app", made.client_id, ...more);
    expect(JSON.parse((await ledger("--location", String(world.south), "--json")).stdout)).toMatchObject([
      { app: { client_id: made.client_id }, location_id: world.south, amount_cents: 2900, payment_id: "inv_1" },
    ]);
    expect((await ledger("--limit", "1")).stdout.split("\n")[1]?.trim().split(/ {2,}/)).toEqual([
      world.clock.now().toISOString(),
      "Listed",
      `location ${world.south}`,
      "COMPLETED",
      "USD 29.00",
      "recurring",
      "inv_1",
    ]);
    expect(await billing("ledger", "--app", "crm_app_x")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no such app"),
    });
  });

  test.each([
    [
      ["--location", "1", ...payment.with(1, "1.005")],
      1,
      "The report was refused with 422 invalid_amount. amount must be",
    ],
    [
      ["--location", "999", ...payment],
      1,
      "The report was refused with 404 location.not_found. This credential has no access to a location with that id",
    ],
    [["--location", "1", ...payment, "--client-id", "crm_app_x"], 1, "The report was refused with 401 invalid_client."],
    [["--location", "1", ...payment.with(1, "much")], 2, '--amount is "much"; expected a number of US dollars such as'],
    [["--location", "1", ...payment.with(3, "PAID")], 2, "--status"],
    [["--location", "x", ...payment], 2, '--location is "x"; expected an id'],
    [payment, 2, "Give the payer: either --location or --company."],
    [["--location", "1", "--company", "1", ...payment], 2, "Give the payer: either --location or --company."],
  ])("%j exits %i", async (parameters, code, sentence) => {
    const ended = await report(parameters);
    expect(ended).toMatchObject({ code, stdout: "", stderr: expect.stringMatching(/^Error: .+\n$/) });
    expect(ended.stderr).toContain(sentence);
  });

  test("who the app is must be said", async () => {
    const location = ["--location", "1", ...payment];
    const { CRM_CLIENT_ID: _, ...secretAlone } = environment;
    const { CRM_CLIENT_SECRET: __, ...idAlone } = environment;
    expect(await report(location, { environment: secretAlone })).toMatchObject({
      code: 2,
      stderr: "Error: No client id given: set --client-id or CRM_CLIENT_ID.\n",
    });
    expect(await report(location, { environment: idAlone })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("No client secret given"),
    });
  });

  test("with --json a refusal is told by its code", async () => {
    const { code, stdout } = await report(["--location", "999", ...payment, "--json"]);
    expect([code, JSON.parse(stdout).error.error]).toEqual([1, "location.not_found"]);
  });
});

describe("where something else answers, or nothing", () => {
  /** A server that does this, and how often it was asked. */
  async function serverThat(answer: (count: number) => RequestListener) {
    let count = 0;
    const server = createServer((request, response) => {
      count += 1;
      answer(count)(request, response);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      asked: () => count,
      [Symbol.dispose]: () => void server.close(),
    };
  }
  const answering = (status: number, body = "", headers: Record<string, string> = {}): RequestListener => {
    return (_request, response) => void response.writeHead(status, headers).end(body);
  };
  const credentials = { clientId: "crm_app_x", clientSecret: "crm_cs_x" };
  const failureAt = (url: string) => sendPaymentReport({ url, ...credentials }, {}).then(() => undefined, toFailure);

  test("nothing is unreachable", async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const environment = { ...noDatabase, CRM_CLIENT_ID: "crm_app_x", CRM_CLIENT_SECRET: "crm_cs_x" };
    const ended = await runInSession(["billing", "report", "--url", url, "--location", "1", ...payment], {
      environment,
    });
    const sentence = `No response from ${url}. The report may not have arrived: send it again.`;
    expect(ended).toMatchObject({ code: 3, stdout: "", stderr: `Error: ${sentence}\n` });
  });

  test("a fault of the network is tried again", async () => {
    const cutOff: RequestListener = (request) => void request.socket.destroy();
    using server = await serverThat((count) => (count < 3 ? cutOff : answering(200, '{"ok":true}')));
    expect([await failureAt(server.url), server.asked()]).toEqual([undefined, 3]);
  });

  test("who does not answer in time is asked anew", async () => {
    const silent: RequestListener = () => {};
    using server = await serverThat((count) => (count < 3 ? silent : answering(200, '{"ok":true}')));
    const sent = sendPaymentReport({ url: server.url, ...credentials }, {}, { timeout: 1000 });
    expect([await sent.then(() => undefined, toFailure), server.asked()]).toEqual([undefined, 3]);
  });

  test.each([
    ["a service that is not well", answering(503), 3, "responded with 503. Send the report again later."],
    ["a defect of it", answering(500), 3, "responded with 500. Send the report again later."],
    ["too many reports", answering(429, '{"message":"Too many requests."}'), 1, "refused with 429. Too many requests."],
    [
      "another service",
      answering(404, "<html>"),
      1,
      "responded with 404, which is no response of crm: check --url, the base URL of the service.",
    ],
    [
      "a page",
      answering(200, "<html>"),
      1,
      "responded with 200, which is no response of crm: check --url, the base URL of the service.",
    ],
    [
      "another address",
      answering(307, "", { location: "http://evil.example/" }),
      1,
      "sends on to http://evil.example/",
    ],
  ])("%s is not asked twice", async (_name, answer, exitCode, sentence) => {
    using server = await serverThat(() => answer);
    expect([await failureAt(server.url), server.asked()]).toEqual([
      expect.objectContaining({ exitCode, message: expect.stringContaining(sentence) }),
      1,
    ]);
  });
});
