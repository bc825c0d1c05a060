/** The report of an import as lines for a person. */
import type { ImportReport } from "../../src/crm/contacts/transfer/import.report.ts";
import { printable } from "./table.ts";

export function describeImport(report: ImportReport, { dryRun }: { readonly dryRun: boolean }): string[] {
  const { created, updated, unchanged, refused_count, refused, left_out, stopped_after_line } = report;
  const { merged_by_phone_count, merged_by_phone } = report;
  const ended = stopped_after_line === null ? "" : `Stopped after line ${stopped_after_line}: `;
  const more = refused_count - refused.length;
  return [
    `${dryRun ? "Would be: " : ""}${ended}${created} created, ${updated} updated, ${unchanged} unchanged, ${refused_count} refused.`,
    ...refused.map(({ line, errors }) => `line ${line}: ${Object.values(errors).flat().join(" ")}`),
    ...(more > 0 ? [`and ${more} more refused; --refused FILE keeps them all`] : []),
    ...merged_by_phone.map(
      ({ line, contact: { id, name } }) =>
        `line ${line}: merged into ${name}${id === null ? "" : ` (${id})`}, whom the phone alone found`,
    ),
    ...(merged_by_phone_count > merged_by_phone.length
      ? [`and ${merged_by_phone_count - merged_by_phone.length} more merged by the phone alone`]
      : []),
    ...left_out.map(
      ({ column, values }) => `column ${column}: ${values} ${values === 1 ? "value" : "values"} not imported`,
    ),
    ...(stopped_after_line === null || dryRun ? [] : ["What was imported stays; run it again to import the rest."]),
  ].map(printable);
}
