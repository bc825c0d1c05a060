/** Records as a plain table for people: columns aligned, names and values that a terminal cannot be tricked with. */

/** One line per row under a line of column names, without a newline at the end; a sentence when there are no rows. */
export function table<Row extends object>(rows: readonly Row[], columns: readonly (keyof Row & string)[]): string {
  if (rows.length === 0) return "There are none.";
  const lines = [
    columns.map((column) => column.replaceAll("_", " ")),
    ...rows.map((row) => columns.map((column) => toCell(row[column]))),
  ];
  const widths = columns.map((_, index) => Math.max(...lines.map((cells) => widthOf(cells[index] ?? ""))));
  return lines
    .map((cells) =>
      cells
        .map((cell, index) => cell + " ".repeat((widths[index] ?? 0) - widthOf(cell)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function toCell(value: unknown): string {
  if (value === null || value === undefined) return "-";
  return printable(Array.isArray(value) ? value.join(", ") : String(value));
}

/** Without control characters: a name that somebody else chose must not move the cursor or colour the screen. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, " ");
}

/** In code points, which is near enough to columns for most names. */
function widthOf(text: string): number {
  return [...text].length;
}
