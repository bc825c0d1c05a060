/** kill -9 during payment reports: each confirmed report is in the ledger once, retries are not duplicated, and the state is that of the last report. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { databaseKinds } from "../support/databases.ts";
import { reportOf } from "../support/billing.ts";
import { chanceOf, repetitions, sampleOf } from "../support/chance.ts";
import { openSystem } from "./tested-system.ts";
import type { TestedSystem } from "./tested-system.ts";
import { Interrupted, KeepAliveConnection, Refused } from "./keep-alive-connection.ts";
import { until } from "./until.ts";

const rounds = repetitions(3, 5);
const locations = 4;
/** One writer per location, and as many again that all report for the company. */
const writers = locations * 2;

interface Writer {
  /** The payer, and whether it has only one writer. */
  readonly payer: Record<string, unknown>;
  readonly isAlone: boolean;
  readonly name: string;
  serial: number;
  /** Sent without a response: it may or may not be recorded. */
  open: Record<string, unknown> | undefined;
}

type Credentials = Parameters<typeof reportOf>[0];

/** Reports sequentially until the service is gone. Retries the unconfirmed report first, if the payer has only one writer. */
async function write(url: string, app: Credentials, writer: Writer, answered: Set<string>): Promise<void> {
  const line = new KeepAliveConnection(url);
  const headers = { "x-service-client-key": app.client_id, "x-service-client-secret": app.client_secret };
  if (!writer.isAlone) writer.open = undefined;
  try {
    for (;;) {
      writer.open ??= reportOf(app, {
        ...writer.payer,
        paymentId: `${writer.name}.${(writer.serial += 1)}`,
        status: writer.serial % 3 === 0 ? "FAILED" : "COMPLETED",
        amount: writer.serial / 100,
      });
      const body = writer.open;
      const answer = await line.ask({ method: "POST", path: "/api/oauth/billing/webhook", headers, body });
      expect(answer).toMatchObject({ status: 200, body: { ok: true } });
      answered.add(String(body["paymentId"]));
      writer.open = undefined;
    }
  } catch (error) {
    if (!(error instanceof Interrupted || error instanceof Refused)) throw error;
  }
}

async function expectInvariants(system: TestedSystem, answered: ReadonlySet<string>): Promise<void> {
  const ledger = await system.rows<{ payment_id: string }>("select payment_id from billing_reports");
  const kept = ledger.map(({ payment_id }) => payment_id);
  const there = new Set(kept);
  expect(
    [...answered].filter((id) => !there.has(id)),
    "answered and not there",
  ).toEqual([]);
  expect(kept.length - there.size, "there more than once").toBe(0);
  const torn = await system.rows(`select s.id from app_subscriptions s
    join billing_reports r on r.id = (select max(id) from billing_reports where app_subscription_id = s.id)
    where s.payment_id <> r.payment_id or s.payment_status <> r.status or s.amount_cents <> r.amount_cents`);
  expect(torn, "states that are not of the last report").toEqual([]);
}

describe.each(sampleOf("Faults: killed reports", 1, databaseKinds))("kill -9 of crm serve on %s", (kind) => {
  test(`${rounds} times under ${writers} writers of payment reports loses and duplicates nothing`, async () => {
    const chance = chanceOf(`kill -9 in the middle of reports on ${kind}`);
    await using system = await openSystem(kind);
    const made = await system.run(
      "apps",
      "create",
      "Ledgerline",
      "--redirect-uri",
      "https://app.example.com/callback",
      "--scope",
      "contacts.readonly",
      "--json",
    );
    const app: Credentials = JSON.parse(made.stdout);
    const places = [system.location];
    while (places.length < locations) {
      const { stdout } = await system.run("locations", "create", `Place ${places.length}`, "--json");
      places.push(JSON.parse(stdout).id);
    }
    const all: Writer[] = places.flatMap((locationId) => [
      { payer: { locationId }, isAlone: true, name: `location ${locationId}`, serial: 0, open: undefined },
      {
        payer: { authType: "company", companyId: 1 },
        isAlone: false,
        name: `company by ${locationId}`,
        serial: 0,
        open: undefined,
      },
    ]);
    const answered = new Set<string>();
    let again = 0;
    for (let round = 0; round < rounds; round++) {
      const serving = await system.serve();
      const before = answered.size;
      const writing = all.map((writer) => write(serving.url, app, writer, answered));
      await until("the writers are under way", () => answered.size > before + writers * 8);
      await sleep(chance() * 300);
      await serving.kill();
      await Promise.all(writing);
      again += all.filter(({ open, isAlone }) => isAlone && open !== undefined).length;
      await expectInvariants(system, answered);
    }
    expect(again, "reports that were cut off").toBeGreaterThan(0);
    process.stdout.write(`${answered.size} answered, ${again} sent again\n`);
  });
});
