/** Prevents CSV injection: escapes cells that spreadsheets would evaluate as formulas, and unescapes them on import. */

/** The first characters of formulas, after any number of apostrophes (OWASP, "CSV Injection"). */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** Prefixes an apostrophe if the cell would be a formula or is already escaped, so that escaping is reversible. */
export function escapeFormula(cell: string): string {
  return formula.test(cell) ? `'${cell}` : cell;
}

/** The inverse of `escapeFormula`. */
export function unescapeFormula(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
}
