/** Processor times as a table, with what machines of several sizes would bear by them. */
import type { Finding } from "./findings.ts";
import type { Kind } from "./ground.ts";

/** Begins what such a finding is called; `ofDatabase` ends it where PostgreSQL's processes were measured. */
export const processorPrefix = "processor time of one, µs: ";
export const ofDatabase = ", of PostgreSQL";

/** Of one machine that does nothing else. */
const machines = [4, 16, 64];
export const searchRare = "search a million contacts or conversations for a rare text";
/** Reads that any number of processes on one SQLite file answer at once; all else is written by one process at a time. */
const reads = new Set(["list 200 contacts", "get one full contact", searchRare]);

export function isProcessorTime({ what }: Finding): boolean {
  return what.startsWith(processorPrefix);
}

/** A row per operation. What is not measured on a database stays empty. */
export function toProcessorTable(findings: readonly Finding[]): string {
  const times = new Map(findings.map(({ what, kind, value }) => [keyOf(what, kind), value as number]));
  const names = new Set(findings.map(({ what }) => what.slice(processorPrefix.length).replace(ofDatabase, "")));
  const sizes = machines.join(", ");
  const titles = [
    "",
    "SQLite, µs",
    "PostgreSQL: service, µs",
    "database, µs",
    `a second on ${sizes} cores: SQLite`,
    "PostgreSQL",
  ];
  const rows = [...names].map((name) => {
    const time = (kind: Kind, suffix = "") => times.get(keyOf(`${processorPrefix}${name}${suffix}`, kind));
    const [alone, service, database] = [time("sqlite"), time("postgres"), time("postgres", ofDatabase)];
    const all = service === undefined || database === undefined ? undefined : service + database;
    const onSqlite = reads.has(name) ? borne(alone, machines) : borne(alone, [1]);
    return [name, ...[alone, service, database].map((one) => one?.toFixed(0) ?? ""), onSqlite, borne(all, machines)];
  });
  return [titles, titles.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function keyOf(what: string, kind: Kind | null): string {
  return `${kind} ${what}`;
}

const rounded = new Intl.NumberFormat("en", { maximumSignificantDigits: 2 });

function borne(microseconds: number | undefined, cores: readonly number[]): string {
  if (microseconds === undefined) return "";
  return cores.map((count) => rounded.format((count * 1_000_000) / microseconds)).join("; ");
}
