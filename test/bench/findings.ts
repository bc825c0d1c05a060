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
  readonly ofBare?: true | undefined;
  /** Refers to a footnote. */
  readonly mark?: string;
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

/** Ends what a row of growth is called. */
const growthSuffix = ": 10,000 → 1,000,000 contacts";

/** Shares of the raw limit and all else; what needs no database; then those shares of the bare limit that have a target, and growth. */
export function toTables(findings: readonly Finding[]): string {
  const {
    growth = [],
    bare = [],
    alone = [],
    other = [],
  } = Object.groupBy(findings, ({ what, kind, ofBare }) =>
    what.endsWith(growthSuffix) ? "growth" : ofBare === true ? "bare" : kind === null ? "alone" : "other",
  );
  const judged = bare.filter(({ target }) => target !== null).map((found) => ({ ...found, ofBare: undefined }));
  const grown = growth.map((found) => ({ ...found, what: found.what.slice(0, -growthSuffix.length) }));
  return [
    toTable(other),
    toTable(alone),
    "Of the bare limit:",
    toTable(judged),
    "From a location of 10,000 contacts to one of 1,000,000, at most 1.3 times, 3 for parts of texts and a rare `search` (an owner of a fifth has no target):",
    toTable(grown, ({ title }) => title !== "target"),
  ].join("\n\n");
}

/** A Markdown table, one row per measurement; a value that misses its target is bold. */
export function toTable(findings: readonly Finding[], isWanted: (column: Column) => boolean = () => true): string {
  const rows = Map.groupBy(findings, ({ what }) => what);
  const shown = columns.filter(isWanted).filter(({ cell }) => [...rows.values()].some((row) => cell(row) !== ""));
  const titles = ["", ...shown.map(({ title }) => title)];
  const cells = [...rows].map(([what, row]) => [what, ...shown.map(({ cell }) => cell(row))]);
  return [titles, titles.map(() => "---"), ...cells].map((row) => `| ${row.join(" | ")} |`).join("\n");
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
      : `${value.median.toFixed(2)} (${value.low.toFixed(2)}–${value.high.toFixed(2)})`;
  return `${isMissed(finding) ? `**${text}**` : text}${finding.mark ?? ""}`;
}
