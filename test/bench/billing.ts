/** What billing costs: reports beside the raw limit, and subscriptions whose ledger has grown beside those that are new. */
import { createConsola } from "consola";
import { loadSettings } from "../../config/settings.loading.ts";
import { listSubscriptions } from "../../src/marketplace/billing/subscription.queries.ts";
import { openSubscription } from "../../src/marketplace/billing/subscription.service.ts";
import { openService } from "../../src/service.ts";
import type { Setting } from "./against-raw.ts";
import type { Case } from "./case.ts";
import { connectTo } from "./connection.ts";
import { fill } from "./filled.ts";
import type { Filled } from "./filled.ts";
import { interleave } from "./interleave.ts";
import { locationsOf, send } from "./requests.ts";
import { secretKeys } from "./servers.ts";

const path = "/api/oauth/billing/webhook";

/** As many payers as there are locations: writers meet at their rows. */
function reports(filled: Filled): string[] {
  const { clientId, clientSecret } = filled.app;
  const headers = { "x-service-client-key": clientId, "x-service-client-secret": clientSecret };
  return locationsOf(filled).map((locationId) => {
    const payment = { amount: 29, status: "COMPLETED", paymentType: "recurring", paymentId: "inv_{serial}" };
    const body = { clientId, authType: "location", locationId, ...payment, subscriptionId: `sub_${locationId}` };
    return send("POST", filled, path, body, headers);
  });
}

export const billingCases: readonly Case[] = [
  {
    name: "report",
    title: "report a payment, 32 writers",
    target: { least: 0.5 },
    status: 200,
    changes: true,
    requests: async (filled) => reports(filled),
  },
];

const large = 100_000;

/** How an app stands with its payers, read as the terminal and an install read it. */
export async function measureBilling({ ground, plan, tell }: Setting): Promise<void> {
  const sides = [];
  for (const [name, rows] of [
    ["ledger_small", 10],
    ["ledger_large", large],
  ] as const) {
    const filled = await fill(ground, name, { contacts: 1000, locations: 10 });
    await seedLedger(filled, rows);
    sides.push(await openStatus(filled, ground.folder));
  }
  const [small, grown] = sides;
  const what = "how subscriptions stand, listed and held for an install: with 10 → 100,000 rows of ledger";
  const rate = (side: typeof small) => () => rateOf(side!.read, plan.seconds);
  for (let slice = 0; slice < plan.warmUps * 2; slice++) for (const side of sides) await rate(side)();
  const value = await interleave(plan.rounds, rate(small), rate(grown));
  tell({ what, target: { most: 1.3 }, kind: ground.kind, value });
  for (const { close } of sides) await close();
}

/** A subscription for each location, and `rows` reports of them in turns. */
async function seedLedger(filled: Filled, rows: number): Promise<void> {
  const connection = await connectTo(filled.url, { hurried: true });
  const { workspaceId, firstLocation, locations } = filled;
  const now = connection.dialect === "sqlite" ? "unixepoch() * 1000" : "now()";
  const series =
    connection.dialect === "sqlite"
      ? `with recursive s(n) as (select 0 union all select n + 1 from s where n < ${rows - 1}) select`
      : `with s(n) as (select generate_series(0, ${rows - 1})) select`;
  await connection.run(`insert into app_subscriptions (app_id, workspace_id, location_id, payment_status, amount_cents, last_report_at, created_at)
    select apps.id, ${workspaceId}, locations.id, 'COMPLETED', 2900, ${now}, ${now} from apps cross join locations order by locations.id`);
  await connection.run(`insert into billing_reports (app_subscription_id, status, amount_cents, payment_type, received_at)
    ${series} (select id from app_subscriptions where location_id = ${firstLocation} + n % ${locations}), 'COMPLETED', 2900, 'recurring', ${now} from s`);
  await connection.run("analyze");
  await connection.close();
}

async function openStatus({ url, workspaceId, firstLocation, locations }: Filled, directory: string) {
  const settings = loadSettings({ environment: { CRM_DATABASE_URL: url, CRM_SECRET_KEYS: secretKeys }, directory });
  const service = await openService(settings, { log: createConsola({ level: 1 }) });
  const caller = service.inWorkspace(workspaceId);
  let turn = 0;
  return {
    async read() {
      const { data } = await listSubscriptions(caller, {});
      if (data.length !== locations) throw new Error(`there are ${data.length} subscriptions`);
      turn += 1;
      const payer = { workspaceId, locationId: firstLocation + (turn % locations) };
      const isActive = await caller.change((change) => openSubscription(change, 1, payer, change.now));
      if (!isActive) throw new Error("a subscription is not active");
    },
    close: () => service.close(),
  };
}

async function rateOf(read: () => Promise<void>, seconds: number): Promise<number> {
  const begun = performance.now();
  let count = 0;
  for (; performance.now() < begun + seconds * 1000; count += 1) await read();
  return count / ((performance.now() - begun) / 1000);
}
