/** Records as a table if the terminal is wide enough, else a line per value; never cut in a pipe. */
import { styleText } from "node:util";
import { columnsOf, columnsOfStream, cut, wrap } from "./columns.ts";

interface TableOptions<Column> {
  /** Columns recognizable by their beginning: cut on a narrow terminal, never in a pipe. */
  readonly cuts?: readonly Column[];
  /** The text for no rows, ideally the command that creates the first. */
  readonly none?: string;
  /** Width of the terminal; null in a pipe. */
  readonly width?: number | null;
}

/** Minimum width of a cell. */
const leastColumns = 12;

/** Text without a final newline; a sentence if there are no rows. */
export function table<Row extends object, Column extends keyof Row & string>(
  rows: readonly Row[],
  columns: readonly Column[],
  { cuts = [], none = "Nothing found.", width = terminalWidth() }: TableOptions<Column> = {},
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

/** Column widths that fit into `room` including gaps; the widest columns that may be cut shrink first. */
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

/** One line per value; long values continue below, indented. */
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

/** Bold if the terminal supports it and NO_COLOR is not set. */
function emphasised(text: string, width: number | null): string {
  return width === null ? text : styleText("bold", text, { stream: process.stdout });
}

/** Width of the terminal at stdout; null for a pipe or a file. */
export function terminalWidth(): number | null {
  return process.stdout.isTTY ? columnsOfStream(process.stdout) : null;
}

function toCell(value: unknown): string {
  const text = Array.isArray(value) ? value.join(", ") : String(value ?? "");
  return text === "" ? "-" : printable(text);
}

/** Without control characters and bidi marks: a name chosen by another user must not move the cursor. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " ").replaceAll(/[\u202A-\u202E\u2066-\u2069]/gu, "");
}
