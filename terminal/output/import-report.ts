/** The report of an import as lines for a person. */
import type { ImportReport } from "../../src/crm/contacts/transfer/contact.import.ts";
import { printable } from "./table.ts";

export function describeImport(
  { created, updated, unchanged, refused_count, refused, left_out, stopped_after_line }: ImportReport,
  { dryRun }: { readonly dryRun: boolean },
): string[] {
  const ended = stopped_after_line === null ? "" : `Stopped after line ${stopped_after_line}: `;
  const more = refused_count - refused.length;
  return [
    `${dryRun ? "Would be: " : ""}${ended}${created} created, ${updated} updated, ${unchanged} unchanged, ${refused_count} refused.`,
    ...refused.map(({ line, errors }) => `line ${line}: ${Object.values(errors).flat().join(" ")}`),
    ...(more > 0 ? [`and ${more} more refused; --refused FILE keeps them all`] : []),
    ...left_out.map(
      ({ column, values }) => `column ${column}: ${values} ${values === 1 ? "value" : "values"} not imported`,
    ),
    ...(stopped_after_line === null || dryRun ? [] : ["What was imported stays; run it again to import the rest."]),
  ].map(printable);
}
