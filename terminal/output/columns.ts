/** Text measured in terminal columns: width, truncation and word wrap. */
import { createRequire } from "node:module";
import { stripVTControlCharacters } from "node:util";
import type stringWidth from "string-width";
import { givenColumns } from "../../config/settings.terminal.ts";

const require = createRequire(import.meta.url);
let measure: typeof stringWidth | undefined;

/** Default width without a terminal and without COLUMNS. */
const usualColumns = 80;

/** Width of the terminal `stream`, else COLUMNS. */
export function columnsOfStream({ columns }: { readonly columns?: number }): number {
  return columns || (givenColumns() ?? usualColumns);
}

/** Display width of a line: two columns for a CJK character or an emoji, none for combining marks and colors. */
export function columnsOf(line: string): number {
  const plain = line.includes("\u001B") ? stripVTControlCharacters(line) : line;
  if (/^[\x20-\x7E]*$/.test(plain)) return plain.length;
  // Loaded on first use: it takes 20 ms, which plain ASCII help should not pay.
  measure ??= (require("string-width") as { default: typeof stringWidth }).default;
  return measure(plain);
}

/** Truncates a line to `columns` with …; a grapheme is never split. */
export function cut(line: string, columns: number): string {
  if (columnsOf(line) <= columns) return line;
  let kept = "";
  let taken = 0;
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    taken += columnsOf(segment);
    if (taken > columns - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** Wraps text to `columns` between words; a longer word has a line of its own. */
export function wrap(text: string, columns: number): string {
  return text
    .split("\n")
    .flatMap((line) => fill(line.split(" "), columns))
    .join("\n");
}

/** Joins `parts` with spaces into lines of at most `columns`; empty parts are skipped. */
export function fill(parts: readonly string[], columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const part of parts) {
    if (part === "") continue;
    if (line !== "" && columnsOf(line) + 1 + columnsOf(part) > columns) {
      lines.push(line);
      line = part;
    } else line = line === "" ? part : `${line} ${part}`;
  }
  return [...lines, line];
}
