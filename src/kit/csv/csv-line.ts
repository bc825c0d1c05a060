/** Writes a line of CSV (RFC 4180): cells with the delimiter, a quote or a line break are quoted. */
export function toCsvLine(values: readonly (string | number | boolean | null)[], delimiter = ","): string {
  return `${values.map((value) => toCell(String(value ?? ""), delimiter)).join(delimiter)}\n`;
}

function toCell(value: string, delimiter: string): string {
  return value.includes(delimiter) || /["\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
