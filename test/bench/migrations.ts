/** How long writes wait for each migration of a large database, beside what `crm upgrade-check` says: one writes a row of every large table each ten milliseconds. */
import { setTimeout as sleep } from "node:timers/promises";
import { runCrm } from "../support/node-process.ts";
import type { Setting } from "./against-raw.ts";
import { connectTo } from "./connection.ts";
import { fill } from "./filled.ts";
import { toRatio } from "./interleave.ts";
import { secretKeys } from "./servers.ts";

/** The first one that is measured. */
const from = "event_traces";
const pause = 10;
const tables = ["contacts", "contact_tags", "notes", "events", "conversations", "messages", "opportunities", "tasks"];

export async function measureMigrations({ ground, plan, tell }: Setting): Promise<void> {
  const { kind, folder } = ground;
  const { url } = await fill(ground, "migrating", { contacts: plan.growth[1], locations: 1 });
  const environment = { CRM_DATABASE_URL: url, CRM_SECRET_KEYS: secretKeys, CRM_DATA_DIR: folder };
  const crm = async (...parameters: readonly string[]): Promise<string> => {
    const options = { environment, directory: folder, timeoutSeconds: 1800 };
    const { code, stdout, stderr } = await runCrm([...parameters, "--json"], options);
    if (code !== 0) throw new Error(`crm ${parameters.join(" ")} ended with ${code}: ${stderr}`);
    return stdout;
  };
  const { applied } = JSON.parse(await crm("migrate", "status")) as { applied: string[] };
  const names = applied.slice(applied.findIndex((name) => name.endsWith(`_${from}`)));
  await crm("migrate", "down", "--to", names[0]!, "--yes");
  const { migrations } = JSON.parse(await crm("upgrade-check")) as Told;
  const waits: { readonly wait: number; readonly told: number }[] = [];
  for (const name of names) {
    const told = migrations.find((one) => one.name === name)!.blocked_seconds * 1000;
    const wait = await longestWait(url, crm("migrate", "up", "--to", name));
    console.log(`${kind.padEnd(9)} ${wait.toFixed(0).padStart(6)} ms, told ${told.toFixed(0).padStart(6)} ms  ${name}`);
    waits.push({ wait, told });
  }
  const { long = [], short = [] } = Object.groupBy(waits, ({ told }) => (told < most ? "short" : "long"));
  const contacts = plan.growth[1].toLocaleString("en-US");
  tell({
    what: `the longest that a write waits for a migration of ${contacts} contacts, unless \`crm upgrade-check\` says so`,
    target: { most, unit: " ms" },
    kind,
    value: Math.max(...short.map(({ wait }) => wait)),
  });
  if (long.length > 0)
    tell({
      what: "… of what it says",
      target: { most: 1.5 },
      kind,
      value: toRatio(long.map(({ wait, told }) => wait / told)),
    });
}

/** In milliseconds. */
const most = 1000;

interface Told {
  readonly migrations: readonly { readonly name: string; readonly blocked_seconds: number }[];
}

/** In milliseconds, of a transaction that writes a row of each table. */
async function longestWait(url: string, over: Promise<unknown>): Promise<number> {
  const connection = await connectTo(url);
  if (connection.dialect === "sqlite") await connection.run("pragma busy_timeout = 600000");
  const texts = tables.map((table) => `update ${table} set id = id where id = 1`);
  let isOver = false;
  const ended = over.finally(() => (isOver = true));
  let longest = 0;
  try {
    while (!isOver) {
      const begun = performance.now();
      await connection.run(["begin", ...texts, "commit"].join("; "));
      longest = Math.max(longest, performance.now() - begun);
      await sleep(pause);
    }
    await ended;
    return longest;
  } finally {
    await connection.close();
  }
}
