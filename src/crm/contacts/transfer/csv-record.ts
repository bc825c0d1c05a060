/** Parses one CSV record (RFC 4180). The result can also be "broken" (malformed) or "more" (more text is needed). */

export type CsvParse =
  | { readonly kind: "record"; readonly cells: string[]; readonly end: number }
  /** `cells` are complete; the cell at `from` is malformed, since the character at `at` is not allowed there. */
  | { readonly kind: "broken"; readonly cells: string[]; readonly from: number; readonly at: number }
  /** `same`: a short text that leaves the parser in the same state as the text so far. */
  | { readonly kind: "more"; readonly same: string; readonly begun: BegunRecord };

/** An incomplete record: its complete cells, where the next one begins, and how far its end was looked for. */
export interface BegunRecord {
  readonly cells: string[];
  readonly from: number;
  readonly looked: number;
}

/**
 * Parses a record, or the rest of it. `isLast`: no text follows, so the end of the text also ends the record. A record that arrives in many
 * pieces is not parsed again with each: that would take the square of their number.
 */
export function readRecord(
  text: string,
  { cells, from: first, looked }: BegunRecord,
  delimiter: string,
  isLast: boolean,
): CsvParse {
  for (let from = first, look = looked; ; look = from) {
    const isQuoted = text[from] === '"';
    let end = isQuoted ? findClosing(text, Math.max(look, from + 1)) : findSpecial(text, look, delimiter);
    if (isQuoted) {
      // A quote at the end of the text may be the first of a doubled quote.
      if (!isLast && end === -1) return { kind: "more", same: '"', begun: { cells, from, looked: text.length } };
      if (!isLast && end === text.length - 1) return { kind: "more", same: '""', begun: { cells, from, looked: end } };
      if (end === -1) return { kind: "broken", cells, from, at: text.length };
      cells.push(text.slice(from + 1, end).replaceAll('""', '"'));
      end += 1;
    } else {
      if (end === -1 && !isLast) return { kind: "more", same: "_", begun: { cells, from, looked: text.length } };
      if (end === -1) end = text.length;
      cells.push(text.slice(from, end));
    }
    switch (text[end]) {
      case delimiter:
        from = end + 1;
        continue;
      case undefined:
      case "\n":
        return { kind: "record", cells, end: Math.min(end + 1, text.length) };
      case "\r":
        if (end === text.length - 1 && !isLast) {
          cells.pop();
          return { kind: "more", same: "_\r", begun: { cells, from, looked: from } };
        }
        return { kind: "record", cells, end: text[end + 1] === "\n" ? end + 2 : end + 1 };
      default:
        return { kind: "broken", cells: cells.slice(0, -1), from, at: end };
    }
  }
}

/** The index of the closing quote, skipping doubled ones; -1 if there is none. */
function findClosing(text: string, from: number): number {
  for (let index = text.indexOf('"', from); ; index = text.indexOf('"', index + 2)) {
    if (index === -1 || text[index + 1] !== '"') return index;
  }
}

/** The index of the end of an unquoted cell, or of a quote that is not allowed in it. */
function findSpecial(text: string, from: number, delimiter: string): number {
  const special = specials[delimiter]!;
  special.lastIndex = from;
  return special.exec(text)?.index ?? -1;
}

const specials: Readonly<Record<string, RegExp>> = { ",": /[,"\r\n]/g, ";": /[;"\r\n]/g, "\t": /[\t"\r\n]/g };

/** The supported delimiters. */
export const delimiters = Object.keys(specials);
