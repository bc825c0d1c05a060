/** What was found, as a table for the terminal and for docs/performance.md. */
import type { Kind } from "./ground.ts";
import type { Ratio } from "./interleave.ts";

/** `least` for a share of the raw limit, `most` for a growth or a size; null: told, and judged by nobody. */
export type Target = { readonly least: number } | { readonly most: number; readonly unit?: string } | null;

export interface Finding {
  readonly what: string;
  readonly target: Target;
  /** null: neither database is involved. */
  readonly kind: Kind | null;
  readonly value: Ratio | number;
}

export function isMissed({ target, value }: Finding): boolean {
  if (target === null) return false;
  const judged = typeof value === "number" ? value : value.median;
  return "least" in target ? judged < target.least : judged > target.most;
}

const columns: readonly (Kind | null)[] = ["sqlite", "postgres", null];
const header = ["", "target", "SQLite", "PostgreSQL", "without a database"];

/** A Markdown table, one row per thing that was measured; a value that misses its target stands in bold. */
export function toTable(findings: readonly Finding[]): string {
  const shown = columns.filter((kind) => findings.some((finding) => finding.kind === kind));
  const rows = [...new Set(findings.map(({ what }) => what))].map((what) => {
    const found = findings.filter((finding) => finding.what === what);
    const cells = shown.map((kind) => toCell(found.find((finding) => finding.kind === kind)));
    return [what, toGoal(found[0]!.target), ...cells];
  });
  const titles = [header[0]!, header[1]!, ...shown.map((kind) => header[2 + columns.indexOf(kind)]!)];
  return [titles, titles.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
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
