/** Reads the words that spreadsheets and other programs write for true and false. */

const words = new Map<string, boolean>([
  ...["true", "yes", "y", "1", "on", "x"].map((word) => [word, true] as const),
  ...["false", "no", "n", "0", "off"].map((word) => [word, false] as const),
]);

/** A truth value, or the cell if it is none. */
export function toBoolean(cell: string): boolean | string {
  return words.get(cell.toLowerCase()) ?? cell;
}
