/** Writes one line of CSV as RFC 4180 has it: a cell with a comma, a quote or a line break is quoted. */
export function toCsvLine(values: readonly (string | number | boolean | null)[]): string {
  const cells = values.map((value) => String(value ?? ""));
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")}\n`;
}
