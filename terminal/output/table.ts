/** Records for people: a row each where the terminal is wide enough, else a line for each value; whole in a pipe. */
import { styleText } from "node:util";
import { columnsOf, columnsOfStream, cut, wrap } from "./columns.ts";

interface TableOptions<Column> {
  /** Columns of text that is still recognised by its beginning: cut on a terminal that is too narrow, never in a pipe. */
  readonly cuts?: readonly Column[];
  /** What is said when there are no rows: best with the command that makes the first. */
  readonly none?: string;
  /** Columns of the terminal that it is shown on; null in a pipe. */
  readonly width?: number | null;
}

/** Columns that a cell is never cut below. */
const leastColumns = 12;

/** Text for a terminal or a pipe, without a newline at the end; a sentence when there are no rows. */
export function table<Row extends object, Column extends keyof Row & string>(
  rows: readonly Row[],
  columns: readonly Column[],
  { cuts = [], none = "There are none.", width = terminalWidth() }: TableOptions<Column> = {},
): string {
  if (rows.length === 0) return none;
  const heads = columns.map((column) => column.replaceAll("_", " "));
  const cells = rows.map((row) => columns.map((column) => toCell(row[column])));
  const widths = columns.map((_, place) => Math.max(...[heads, ...cells].map((line) => columnsOf(line[place]!))));
  const fitted =
    width === null
      ? widths
      : fit(
          widths,
          columns.map((column) => cuts.includes(column)),
          width,
        );
  if (fitted === undefined) return cells.map((values) => record(heads, values, width!)).join("\n\n");
  const head = queueKeyOf(heads, fitted, (text) => emphasised(text, width));
  return [head, ...cells.map((line) => queueKeyOf(line, fitted))].join("\n");
}

/** The widths of columns that fit `room` together with the gaps between them: the widest of those that may be cut give first. */
function fit(widths: readonly number[], mayBeCut: readonly boolean[], room: number): number[] | undefined {
  const fitted = [...widths];
  const gaps = 2 * (widths.length - 1);
  for (let over = fitted.reduce((sum, width) => sum + width, gaps) - room; over > 0; over--) {
    const widest = fitted.reduce(
      (found, width, place) => (mayBeCut[place] && width > (fitted[found] ?? leastColumns) ? place : found),
      -1,
    );
    if (widest === -1) return undefined;
    fitted[widest]! -= 1;
  }
  return fitted;
}

function queueKeyOf(cells: readonly string[], widths: readonly number[], style = (text: string) => text): string {
  return cells
    .map((cell, place) => {
      const shown = cut(cell, widths[place]!);
      return style(shown) + " ".repeat(widths[place]! - columnsOf(shown));
    })
    .join("  ")
    .trimEnd();
}

/** A line for each value, which goes on below itself where it is longer. */
function record(heads: readonly string[], values: readonly string[], width: number): string {
  const names = Math.max(...heads.map(columnsOf));
  return heads
    .map((head, place) => {
      const indent = " ".repeat(names + 2);
      const value = wrap(values[place]!, Math.max(leastColumns, width - names - 2)).replaceAll("\n", `\n${indent}`);
      return `${emphasised(head, width)}${" ".repeat(names - columnsOf(head) + 2)}${value}`;
    })
    .join("\n");
}

/** Bold on a terminal that shows it, unless NO_COLOR is set. */
function emphasised(text: string, width: number | null): string {
  return width === null ? text : styleText("bold", text, { stream: process.stdout });
}

/** Columns of the terminal that stdout is; null where it is none, such as a pipe or a file. */
export function terminalWidth(): number | null {
  return process.stdout.isTTY ? columnsOfStream(process.stdout) : null;
}

function toCell(value: unknown): string {
  const text = Array.isArray(value) ? value.join(", ") : String(value ?? "");
  return text === "" ? "-" : printable(text);
}

/** Without control characters and marks that turn the direction of reading: a name that somebody else chose must not move the cursor. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " ").replaceAll(/[\u202A-\u202E\u2066-\u2069]/gu, "");
}
