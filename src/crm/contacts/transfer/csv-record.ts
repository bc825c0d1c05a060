/** Reads one record of CSV out of a text (RFC 4180), or says where it is broken, or that more of the text is needed to know. */

export type CsvParse =
  | { readonly kind: "record"; readonly cells: string[]; readonly end: number }
  /** `cells` are whole; the one that begins at `from` is not, since what stands at `at` cannot stand there. */
  | { readonly kind: "broken"; readonly cells: string[]; readonly from: number; readonly at: number }
  /** `same` says as much of what may follow as the text so far. */
  | { readonly kind: "more"; readonly same: string };

/** The record that begins at `start`; its last line may end with the text where `isLast` says that nothing follows. */
export function readRecord(text: string, start: number, delimiter: string, isLast: boolean): CsvParse {
  const cells: string[] = [];
  for (let from = start; ;) {
    const isQuoted = text[from] === '"';
    let end = isQuoted ? findClosing(text, from + 1) : findSpecial(text, from, delimiter);
    if (isQuoted) {
      // A quote at the end of what is known may be the first half of two.
      if (!isLast && (end === -1 || end === text.length - 1)) return { kind: "more", same: end === -1 ? '"' : '""' };
      if (end === -1) return { kind: "broken", cells, from, at: text.length };
      cells.push(text.slice(from + 1, end).replaceAll('""', '"'));
      end += 1;
    } else {
      if (end === -1 && !isLast) return { kind: "more", same: "_" };
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
        if (end === text.length - 1 && !isLast) return { kind: "more", same: "_\r" };
        return { kind: "record", cells, end: text[end + 1] === "\n" ? end + 2 : end + 1 };
      default:
        return { kind: "broken", cells: cells.slice(0, -1), from, at: end };
    }
  }
}

/** Where the quote stands that is not one half of two; -1 where there is none. */
function findClosing(text: string, from: number): number {
  for (let place = text.indexOf('"', from); ; place = text.indexOf('"', place + 2)) {
    if (place === -1 || text[place + 1] !== '"') return place;
  }
}

/** Where the bare cell ends, or a quote stands that cannot stand in it. */
function findSpecial(text: string, from: number, delimiter: string): number {
  const special = specials[delimiter]!;
  special.lastIndex = from;
  return special.exec(text)?.index ?? -1;
}

const specials: Readonly<Record<string, RegExp>> = { ",": /[,"\r\n]/g, ";": /[;"\r\n]/g, "\t": /[\t"\r\n]/g };

/** What can stand between two cells. */
export const delimiters = Object.keys(specials);
