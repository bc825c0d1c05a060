/** Keeps a spreadsheet from taking what somebody wrote into a field for a formula, and takes the mark off again. */

/** What makes a cell one, behind any number of marks: OWASP, "CSV Injection". */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** The cell with an apostrophe in front where it would be a formula, or has such a mark already: no two cells become one. */
export function withMark(cell: string): string {
  return formula.test(cell) ? `'${cell}` : cell;
}

/** The cell that `withMark` made this of. */
export function withoutMark(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
}
