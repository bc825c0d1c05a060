/** An import report as lines of text. */
import type { ImportReport } from "../../src/crm/contacts/transfer/import.report.ts";
import { printable } from "./table.ts";
import { counted } from "../../src/kit/text.ts";

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
    ...describeFields(report, options),
    ...report.left_out.map(({ column, values }) => `column ${column}: ${counted(values, "value")} not imported`),
    ...describeWorkflows(report, options),
    ...(stopped === null || options.dryRun ? [] : ["Imported rows stay; run it again to import the remaining rows."]),
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
  return more > 0 ? [...lines, `and ${more} more refused; --refused FILE writes all of them`] : lines;
}

function describeMerged({ merged_by_phone: merged, merged_by_phone_count: count }: ImportReport): string[] {
  const lines = merged.map(({ line, contact: { id, name } }) => {
    const whom = id === null ? name : `${name} (${id})`;
    return `line ${line}: merged into ${whom}, matched by phone only`;
  });
  const more = count - merged.length;
  return more > 0 ? [...lines, `and ${more} more merged, matched by phone only`] : lines;
}

function describeTags({ created_tags: names, created_tags_count: count }: ImportReport, { dryRun }: ImportOptions) {
  if (count === 0) return [];
  const more = count > names.length ? ", …" : "";
  return [`${dryRun ? "would create" : "created"} ${counted(count, "tag")}: ${names.join(", ")}${more}`];
}

function describeFields({ created_fields: fields }: ImportReport, { dryRun }: ImportOptions): string[] {
  if (fields.length === 0) return [];
  const names = fields.map(({ name, type }) => `${name} (${type})`).join(", ");
  return [`${dryRun ? "would create" : "created"} ${counted(fields.length, "custom field")}: ${names}`];
}

function describeWorkflows({ workflows }: ImportReport, { dryRun }: ImportOptions): string[] {
  return workflows.map(({ id, name, event, contacts, starts, filtered }) => {
    const raised = `${counted(contacts, "contact")} with ${event}`;
    if (!starts) return `workflow ${id} (${name}) starts for none of ${raised}: its trigger does not take imports`;
    const those = filtered ? `those of ${raised} that match its filter` : raised;
    return `workflow ${id} (${name}) ${dryRun ? "would start" : "starts"} for ${those}`;
  });
}
