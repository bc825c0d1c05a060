/** The report of an import as lines for a person. */
import type { ImportReport } from "../../src/crm/contacts/transfer/import.report.ts";
import { printable } from "./table.ts";

interface ImportOptions {
  readonly dryRun: boolean;
}

export function describeImport(report: ImportReport, options: ImportOptions): string[] {
  const { stopped_after_line: stopped } = report;
  return [
    describeCounts(report, options),
    ...describeRefused(report),
    ...describeMerged(report),
    ...describeTags(report, options),
    ...report.left_out.map(({ column, values }) => `column ${column}: ${counted(values, "value")} not imported`),
    ...(stopped === null || options.dryRun ? [] : ["What was imported stays; run it again to import the rest."]),
  ].map(printable);
}

function describeCounts(report: ImportReport, { dryRun }: ImportOptions): string {
  const { created, updated, unchanged, refused_count: refused, stopped_after_line: stopped } = report;
  const counts = `${created} created, ${updated} updated, ${unchanged} unchanged, ${refused} refused.`;
  return `${dryRun ? "Would be: " : ""}${stopped === null ? "" : `Stopped after line ${stopped}: `}${counts}`;
}

function describeRefused({ refused, refused_count: count }: ImportReport): string[] {
  const lines = refused.map(({ line, errors }) => `line ${line}: ${Object.values(errors).flat().join(" ")}`);
  const more = count - refused.length;
  return more > 0 ? [...lines, `and ${more} more refused; --refused FILE keeps them all`] : lines;
}

function describeMerged({ merged_by_phone: merged, merged_by_phone_count: count }: ImportReport): string[] {
  const lines = merged.map(({ line, contact: { id, name } }) => {
    const whom = id === null ? name : `${name} (${id})`;
    return `line ${line}: merged into ${whom}, whom the phone alone found`;
  });
  const more = count - merged.length;
  return more > 0 ? [...lines, `and ${more} more merged by the phone alone`] : lines;
}

function describeTags({ created_tags: names, created_tags_count: count }: ImportReport, { dryRun }: ImportOptions) {
  if (count === 0) return [];
  const more = count > names.length ? ", …" : "";
  return [`${dryRun ? "would create" : "created"} ${counted(count, "tag")}: ${names.join(", ")}${more}`];
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
