/**
 * `npm run bench [-- --quick] [-- --only NAME] [-- --grown CASE] [-- --on DATABASE]`: measures the service in ratios, prints them as a table, and
 * renews their rows in docs/performance.md, unless it was but a quick look or was profiled.
 */
import { parseArgs } from "node:util";
import { measureAgainstRaw } from "./against-raw.ts";
import type { Setting } from "./against-raw.ts";
import { measureAgentStart, measureToolCalls } from "./agents.ts";
import { measureAttachments } from "./attachments.ts";
import { measureBilling } from "./billing.ts";
import { cases } from "./cases.ts";
import { measureDeliveries } from "./deliveries.ts";
import { describeMachine } from "./document.ts";
import { measureDistance } from "./distance.ts";
import { isMissed, toTable } from "./findings.ts";
import type { Finding } from "./findings.ts";
import { measureCustomEquality, measureNouns } from "./nouns.ts";
import { measureMigrations } from "./migrations.ts";
import { measureNeighbours } from "./neighbours.ts";
import { measureInboundMail } from "./inbound-mail.ts";
import { kinds, openGround } from "./ground.ts";
import { measureGrowth } from "./growth.ts";
import { measureOauth } from "./oauth.ts";
import { measureOperating } from "./operating.ts";
import { startLoad } from "./load-process.ts";
import { measurePaidRequests, measurePlatformBilling } from "./platform-billing.ts";
import { measureProcesses } from "./processes.ts";
import { quickPlan, wholePlan } from "./plan.ts";
import { measureProcessorTimes } from "./processor-times.ts";
import { record } from "./record.ts";
import { measureSearches } from "./searches.ts";
import { startOnce } from "./servers.ts";
import { measureColdStart, measureCommands } from "./starts.ts";
import { measureEnrollment } from "./workflow-enrollment.ts";
import { measureHistory } from "./workflow-history.ts";
import { measureWorkflows } from "./workflows.ts";

const names = [
  ...cases.map(({ name }) => name),
  "nouns",
  "custom-equality",
  "neighbours",
  "searches",
  "distance",
  "processes",
  "processor",
  "deliveries",
  "workflows",
  "enrollment",
  "history",
  "oauth",
  "billing",
  "paid",
  "platform",
  "mail",
  "attachments",
  "operating",
  "migrations",
  "agents",
  "growth",
  "start",
  "commands",
];
const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string", multiple: true },
    // Of `growth`, which takes a quarter of an hour whole.
    grown: { type: "string", multiple: true },
    on: { type: "string", multiple: true },
    profile: { type: "string" },
  },
});
refuseUnknown("--only", options.only, names);
refuseUnknown(
  "--grown",
  options.grown,
  cases.map(({ name }) => name),
);
refuseUnknown("--on", options.on, kinds);

const plan = options.quick ? quickPlan : wholePlan;
const isWanted = (name: string): boolean => options.only?.includes(name) ?? true;
const chosen = cases.filter(({ name }) => isWanted(name));
const machine = describeMachine();
const versions: string[] = [];
const findings: Finding[] = [];
const begun = new Date();

const load = startLoad();
try {
  for (const kind of kinds) {
    if (options.on?.includes(kind) ?? true) await measureOn(kind);
  }
  if (isWanted("commands")) await measureCommands(plan, tell);
  if (isWanted("agents")) await measureAgentStart(plan, tell);
} finally {
  load.close();
}

const day = begun.toISOString().slice(0, 10);
const place = `${machine} ${versions.join(", ")}.`;
console.log(`\nMeasured on ${day} on ${place}\n\n${toTable(findings)}`);
const missed = findings.filter(isMissed);
console.log(missed.length === 0 ? "\nEvery target is met." : `\nTargets missed: ${missed.length}.`);
if (missed.length > 0) process.exitCode = 1;
if (!options.quick && options.profile === undefined) await record(findings, day, place);

async function measureOn(kind: (typeof kinds)[number]): Promise<void> {
  const ground = await openGround(kind);
  versions.push(ground.version);
  const setting: Setting = { ground, load, plan, tell, profiles: options.profile };
  try {
    await startOnce(await ground.create("empty"), ground.folder);
    if (chosen.length > 0) await measureAgainstRaw(setting, chosen);
    if (isWanted("nouns")) await measureNouns(setting);
    if (isWanted("custom-equality")) await measureCustomEquality(setting);
    if (isWanted("neighbours")) await measureNeighbours(setting);
    if (isWanted("searches")) await measureSearches(setting);
    if (isWanted("distance") && kind === "postgres") await measureDistance(setting);
    if (isWanted("processes")) await measureProcesses(setting);
    if (isWanted("processor")) await measureProcessorTimes(setting);
    if (isWanted("deliveries")) await measureDeliveries(setting);
    if (isWanted("workflows")) await measureWorkflows(setting);
    if (isWanted("enrollment")) await measureEnrollment(setting);
    if (isWanted("history")) await measureHistory(setting);
    if (isWanted("oauth")) await measureOauth(setting);
    if (isWanted("billing")) await measureBilling(setting);
    if (isWanted("paid")) await measurePaidRequests(setting);
    if (isWanted("platform")) await measurePlatformBilling(setting);
    if (isWanted("attachments")) await measureAttachments(setting);
    if (isWanted("operating")) await measureOperating(setting);
    if (isWanted("migrations")) await measureMigrations(setting);
    if (isWanted("agents")) await measureToolCalls(setting);
    if (isWanted("mail")) await measureInboundMail(setting);
    if (isWanted("growth")) await measureGrowth(setting, ({ name }) => options.grown?.includes(name) ?? true);
    if (isWanted("start")) await measureColdStart(setting);
  } finally {
    await ground.close();
  }
}

function tell(finding: Finding): void {
  findings.push(finding);
  const { what, kind, value, ofBare } = finding;
  const told =
    typeof value === "number"
      ? value.toFixed(0)
      : `${value.median.toFixed(2)} (${value.low.toFixed(2)} to ${value.high.toFixed(2)})`;
  console.log(
    `${(kind ?? "").padEnd(9)} ${told.padEnd(20)} ${what}${ofBare === true ? ", of the bare limit" : ""}${isMissed(finding) ? "  ← missed" : ""}`,
  );
}

function refuseUnknown(option: string, given: readonly string[] | undefined, known: readonly string[]): void {
  const unknown = given?.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  console.error(`${option} ${unknown}: there are ${known.join(", ")}.`);
  process.exit(2);
}
