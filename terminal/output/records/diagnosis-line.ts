/** A diagnosis of `crm doctor` as one line, with its verdict in color on a terminal. */
import { styleText } from "node:util";
import type { Diagnosis } from "../../../src/doctor/diagnose.ts";
import { printable } from "../table.ts";

const looks = { ok: "green", warning: "yellow", failure: "red" } as const;
/** Columns of the verdict and of the name of the check. */
const widths = { verdict: "failure".length, check: 22 };

/** `<verdict>  <check>  <found>. Fixed: <fixed>. To mend it: <remedy>` */
export function diagnosisLine({ check, verdict, found, remedy, fixed }: Diagnosis): string {
  const head = styleText(looks[verdict], verdict.padEnd(widths.verdict), { stream: process.stdout });
  const sentences = [found, ...(fixed === null ? [] : [`Fixed: ${fixed}`])].map((text) => `${printable(text)}.`);
  const end = remedy === null ? [] : [`To mend it: ${printable(remedy)}`];
  return [head, check.padEnd(widths.check), [...sentences, ...end].join(" ")].join("  ");
}
