/** What platform billing costs: a request of a paid app beside one of a free app, webhooks applied, and the memory of a reconciliation. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createConsola } from "consola";
import { loadSettings } from "../../config/settings.loading.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { applyDueEvents } from "../../src/marketplace/billing/platform/events/apply-events.ts";
import { openService } from "../../src/service.ts";
import { setFirstPassword } from "../../src/tenancy/invitations/redeem-link.service.ts";
import { hashPassword } from "../../src/tenancy/passwords/password.ts";
import { inviteUser } from "../../src/tenancy/users/user.service.ts";
import { billingDepsOf } from "../support/billing-duties.ts";
import { givenApp, givenTokens } from "../support/marketplace.ts";
import { startNode } from "../support/node-process.ts";
import { createPerson, password } from "../support/person.ts";
import { startFakeStripe } from "../support/stripe/fake-stripe.ts";
import type { FakeStripe } from "../support/stripe/fake-stripe.ts";
import type { Setting } from "./against-raw.ts";
import { connectTo } from "./connection.ts";
import { fill } from "./filled.ts";
import type { Filled } from "./filled.ts";
import { interleave } from "./interleave.ts";
import { probed } from "./probed-memory.ts";
import { get } from "./requests.ts";
import { numbers, timeOn } from "./seed-sql.ts";
import { secretKeys, startService } from "./servers.ts";

/** Apps, each with a subscription in each of the ten locations. */
const apps = 10_000;
const locations = 10;
const events = 10_000;
const fewSubscriptions = 1000;

export async function measurePlatformBilling(setting: Setting): Promise<void> {
  const stripe = await startFakeStripe(systemClock);
  try {
    const filled = await fill(setting.ground, "platform", { contacts: 1000, locations });
    await seedSubscriptions(filled);
    await measureEvents(setting, filled, stripe);
    await measureReconciliation(setting, filled, stripe);
  } finally {
    await stripe.close();
  }
}

/** The same request with the tokens of two apps: of one each install is paid for. */
export async function measurePaidRequests({ ground, load, plan, tell }: Setting): Promise<void> {
  const filled = await fill(ground, "paid", { contacts: 2000, locations: 1 });
  const [free, paid] = await makeApps(filled, ground.folder);
  await using service = await startService(filled.url, { directory: ground.folder, worker: false });
  const url = `http://127.0.0.1:${service.port}`;
  const owner = createPerson(url);
  await owner.signIn("app.owner@example.com");
  const path = `/api/v1/contacts/1?location_id=${filled.firstLocation}`;
  const sideOf = async (app: typeof free) => {
    const { access_token: apiKey } = await givenTokens({ url }, owner, app, filled.firstLocation);
    return { port: service.port, requests: [get({ ...filled, apiKey }, path)] };
  };
  const sides = [await sideOf(free), await sideOf(paid)] as const;
  const connection = await connectTo(filled.url);
  const { workspaceId, firstLocation } = filled;
  const now = timeOn(connection.dialect)(String(Date.now()));
  const later = timeOn(connection.dialect)(String(Date.now() + 86_400_000));
  await connection.run(
    `update apps set billing = 'platform', price_cents = 2900, trial_days = 0 where id = ${paid.id}`,
  );
  await connection.run(`insert into app_subscriptions (app_id, workspace_id, location_id, stripe_id, stripe_status, price_cents, created_at)
    values (${paid.id}, ${workspaceId}, ${firstLocation}, 'sub_paid', 'past_due', 2900, ${now})`);
  // In the grace period, so that the time is compared.
  await connection.run(`update app_installs set payment_due_at = ${later} where app_id = ${paid.id}`);
  await connection.close();
  const { connections, seconds } = plan;
  /** Nanoseconds of CPU time per response: the share of the machine does not matter. */
  const cpuOf = (side: (typeof sides)[number]) => async () => {
    const before = await readCpuTime(service.running.pid);
    const rate = await load.measure({ ...side, connections, seconds, status: 200 });
    return ((await readCpuTime(service.running.pid)) - before) / (rate * seconds);
  };
  const [ofFree, ofPaid] = [cpuOf(sides[0]), cpuOf(sides[1])];
  for (let slice = 0; slice < plan.warmUps; slice++) {
    await ofFree();
    await ofPaid();
  }
  tell({
    what: "CPU time of a request with the token of a paid app, of the same with a free app's",
    target: { most: 1.02 },
    kind: ground.kind,
    // The difference is small, so it takes more rounds than others.
    value: await interleave(plan.rounds * 5, ofPaid, ofFree),
  });
}

/** The CPU time of a process with its threads, in nanoseconds. */
export async function readCpuTime(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`);
  const times = threads.map(async (thread) => {
    const text = await readFile(`/proc/${pid}/task/${thread}/schedstat`, "utf8");
    return Number(text.split(" ")[0]);
  });
  return (await Promise.all(times)).reduce((sum, time) => sum + time, 0);
}

async function makeApps({ url, workspaceId }: Filled, directory: string) {
  const settings = loadSettings({ environment: { CRM_DATABASE_URL: url, CRM_SECRET_KEYS: secretKeys }, directory });
  const service = await openService(settings, { log: createConsola({ level: 1 }) });
  try {
    const hash = await hashPassword(password);
    await service.inWorkspace(workspaceId).change(async (change) => {
      const email = "app.owner@example.com";
      const owner = await inviteUser(change, { email, name: "Owner", role: "owner", locationIds: null });
      await setFirstPassword(change, owner, hash);
    });
    const given = (name: string) => givenApp({ service, acme: workspaceId }, { name });
    return [await given("Free"), await given("Paid")] as const;
  } finally {
    await service.close();
  }
}

/** 100,000 subscriptions, active here as at Stripe. */
async function seedSubscriptions({ url, workspaceId }: Filled): Promise<void> {
  const connection = await connectTo(url, { hurried: true });
  const time = timeOn(connection.dialect);
  const now = time(String(Date.now()));
  await connection.run(`insert into apps (workspace_id, name, client_id, secret_hash, secret_last_four, redirect_uris, scopes, billing, install_type,
      price_cents, trial_days, charges_enabled, payouts_enabled, created_at)
    ${numbers(apps)} select ${workspaceId}, 'App ' || n, 'crm_app_' || n, 'hash ' || n, 'last', '[]', '[]', 'platform', 'location', 2900, 0, true, true, ${now} from numbers`);
  await connection.run(`insert into app_subscriptions (app_id, workspace_id, location_id, stripe_id, customer_id, stripe_status, price_cents, period_ends_at, created_at)
    select a.id, ${workspaceId}, l.id, 'sub_' || (row_number() over (order by a.id, l.id)), 'cus_1', 'active', 2900, ${time(String(periodEnd * 1000))}, ${now}
    from apps a cross join locations l where a.billing = 'platform'`);
  await connection.run(`insert into platform_checkouts (key, app_subscription_id, pending_install_id, status, price_cents, trial_days, subscription_id, created_at)
    select 'checkout-' || stripe_id, id, id, 'complete', 2900, 0, stripe_id, ${now} from app_subscriptions`);
  await connection.run("analyze");
  await connection.close();
}

const periodEnd = Math.floor(Date.now() / 1000) + 20 * 86_400;

function addSubscriptions({ books }: FakeStripe, count: number): void {
  const item = {
    id: "si_1",
    current_period_end: periodEnd,
    price: { id: "price_1", unit_amount: 2900, product: "prod_1" },
  };
  for (let number = books.subscriptions.size + 1; number <= count; number++) {
    const id = `sub_${number}`;
    books.subscriptions.set(id, {
      id,
      object: "subscription",
      status: "active",
      customer: "cus_1",
      metadata: { checkout: `checkout-${id}` },
      created: number,
      items: { object: "list", data: [item], has_more: false, url: "" } as never,
      latest_invoice: null,
      terms: { price: 2900, trialDays: 0, destination: "acct_1", metadata: {}, productName: "App" },
      anchor: 0,
      periods: 1,
      ends: periodEnd,
    });
  }
}

/** Each event is about another subscription, and so needs a read of its own. */
async function measureEvents({ ground, tell }: Setting, { url }: Filled, stripe: FakeStripe): Promise<void> {
  addSubscriptions(stripe, events);
  const connection = await connectTo(url, { hurried: true });
  const now = timeOn(connection.dialect)(String(Date.now() - 1000));
  await connection.run(`insert into stripe_events (stripe_id, type, subject, created_at, received_at, due_at)
    ${numbers(events)} select 'evt_' || n, 'customer.subscription.updated', 'sub_' || n, ${now}, ${now}, ${now} from numbers`);
  await connection.close();
  const settings = loadSettings({
    environment: { CRM_DATABASE_URL: url, CRM_SECRET_KEYS: secretKeys },
    directory: ground.folder,
  });
  const service = await openService(settings, { log: createConsola({ level: 1 }) });
  const deps = billingDepsOf({ service, clock: systemClock, stripe });
  const { signal } = new AbortController();
  const begun = performance.now();
  const used = process.cpuUsage();
  let applied = 0;
  for (let count = -1; count !== 0; applied += count) count = await applyDueEvents(deps, signal);
  const seconds = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(used);
  await service.close();
  if (applied !== events) throw new Error(`${applied} events were applied`);
  const what = `webhooks of Stripe applied, ${events} stored ones about as many subscriptions, the fake Stripe in the same process`;
  tell({ what: `${what}: a second`, target: { least: 200 }, kind: ground.kind, value: events / seconds });
  const cpuSeconds = (user + system) / 1_000_000;
  tell({ what: `${what}: a second of CPU time`, target: null, kind: ground.kind, value: events / cpuSeconds });
}

const executable = join(import.meta.dirname, "../../bin/crm.js");

async function measureReconciliation({ ground, tell }: Setting, { url }: Filled, stripe: FakeStripe): Promise<void> {
  const environment = { CRM_DATABASE_URL: url, CRM_SECRET_KEYS: secretKeys, ...stripe.environment };
  const peakAt = async (subscriptions: number): Promise<number> => {
    stripe.books.subscriptions.clear();
    addSubscriptions(stripe, subscriptions);
    const parameters = [...probed, executable, "billing", "reconcile", "--json"];
    const { code, stdout, stderr } = await startNode(parameters, {
      environment,
      directory: ground.folder,
      timeoutSeconds: 600,
    }).finished;
    if (code !== 0 || JSON.parse(stdout).subscriptions !== subscriptions)
      throw new Error(`reconcile failed: ${stderr}`);
    return Number(/^peak (.+)$/m.exec(stderr)![1]);
  };
  await peakAt(fewSubscriptions);
  const few = await peakAt(fewSubscriptions);
  const many = await peakAt(apps * locations);
  const what = "peak memory of `crm billing reconcile`, MiB";
  tell({ what: `${what}: ${fewSubscriptions} subscriptions`, target: null, kind: ground.kind, value: few });
  tell({
    what: `${what}: ${apps * locations} subscriptions`,
    target: { most: 250, unit: " MiB" },
    kind: ground.kind,
    value: many,
  });
}
