/** Text as a terminal shows it: the columns that it takes, cut to fit, and wrapped where no word is broken. */
import { createRequire } from "node:module";
import { stripVTControlCharacters } from "node:util";
import type stringWidth from "string-width";
import { givenColumns } from "../../config/settings.terminal.ts";

const require = createRequire(import.meta.url);
let measure: typeof stringWidth | undefined;

/** Columns where neither a terminal nor COLUMNS says how many there are: what every terminal shows. */
const usualColumns = 80;

/** Columns of the terminal that `stream` is; where it is none, or has no size, those that COLUMNS says. */
export function columnsOfStream({ columns }: { readonly columns?: number }): number {
  return columns || (givenColumns() ?? usualColumns);
}

/** Columns of a line: two for a CJK character or an emoji, none for what combines or colours. */
export function columnsOf(line: string): number {
  const plain = line.includes("\u001B") ? stripVTControlCharacters(line) : line;
  if (/^[\x20-\x7E]*$/.test(plain)) return plain.length;
  // Loaded with the first text that needs it: it takes 20 ms, which a help in plain letters should not pay.
  measure ??= (require("string-width") as { default: typeof stringWidth }).default;
  return measure(plain);
}

/** At most `columns` of a line, with … for what is left out; what is one character to a reader is never parted. */
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

/** The text in lines of at most `columns`, broken between words alone: a word that is longer stands by itself, whole. */
export function wrap(text: string, columns: number): string {
  return text
    .split("\n")
    .flatMap((line) => fill(line.split(" "), columns))
    .join("\n");
}

/** `parts` in their order, as many to a line as `columns` hold, with a space between; empty ones are left out. */
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
