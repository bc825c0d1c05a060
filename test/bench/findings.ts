/** What was found, as a table for the terminal and for docs/performance.md. */
import type { Kind } from "./ground.ts";
import type { Ratio } from "./interleave.ts";

/** `least` for a share of the raw limit, `most` for a growth or a size; null for a result that is only reported. */
export type Target = { readonly least: number } | { readonly most: number; readonly unit?: string } | null;

export interface Finding {
  readonly what: string;
  readonly target: Target;
  /** null: neither database is involved. */
  readonly kind: Kind | null;
  readonly value: Ratio | number;
  /** A share of the bare limit: it stands in a column beside the one of the raw limit. */
  readonly ofBare?: true;
}

export function isMissed({ target, value }: Finding): boolean {
  if (target === null) return false;
  const judged = typeof value === "number" ? value : value.median;
  return "least" in target ? judged < target.least : judged > target.most;
}

interface Column {
  readonly title: string;
  /** What a row shows here; all of it at once for its targets. */
  readonly cell: (row: readonly Finding[]) => string;
}

const columns: readonly Column[] = [
  { title: "target", cell: (row) => toGoals(row.filter(({ ofBare }) => ofBare !== true)) },
  valueColumn("SQLite", "sqlite"),
  valueColumn("PostgreSQL", "postgres"),
  { title: "target, of the bare limit", cell: (row) => toGoals(row.filter(({ ofBare }) => ofBare === true)) },
  valueColumn("SQLite, of the bare limit", "sqlite", true),
  valueColumn("PostgreSQL, of the bare limit", "postgres", true),
  valueColumn("without a database", null),
];

function valueColumn(title: string, kind: Kind | null, ofBare?: true): Column {
  return { title, cell: (row) => toCell(row.find((found) => found.kind === kind && found.ofBare === ofBare)) };
}

/**
 * A Markdown table, one row per thing that was measured; a value that misses its target stands in bold. With `dayOf`, the last
 * column tells the days on which the values of a row were found.
 */
export function toTable<Found extends Finding>(findings: readonly Found[], dayOf?: (found: Found) => string): string {
  const rows = Map.groupBy(findings, ({ what }) => what);
  const days = { title: "measured", cell: (row: readonly Found[]) => toDays(row, dayOf) };
  const shown = [...columns, days].filter(({ cell }) => [...rows.values()].some((row) => cell(row) !== ""));
  const titles = ["", ...shown.map(({ title }) => title)];
  const cells = [...rows].map(([what, row]) => [what, ...shown.map(({ cell }) => cell(row))]);
  return [titles, titles.map(() => "---"), ...cells].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function toDays<Found>(row: readonly Found[], dayOf: ((found: Found) => string) | undefined): string {
  return dayOf === undefined ? "" : [...new Set(row.map(dayOf))].toSorted().join(", ");
}

/** One for all databases, or one for each in the order of the columns. */
function toGoals(row: readonly Finding[]): string {
  return [...new Set(row.map(({ target }) => toGoal(target)).filter((goal) => goal !== ""))].join(", ");
}

function toGoal(target: Target): string {
  if (target === null) return "";
  if ("least" in target) return `≥ ${target.least}`;
  return `≤ ${target.most}${target.unit ?? " ×"}`;
}

function toCell(finding: Finding | undefined): string {
  if (finding === undefined) return "";
  const { value } = finding;
  const text =
    typeof value === "number"
      ? value.toFixed(0)
      : `${value.median.toFixed(2)} (${value.low.toFixed(2)} to ${value.high.toFixed(2)})`;
  return isMissed(finding) ? `**${text}**` : text;
}
