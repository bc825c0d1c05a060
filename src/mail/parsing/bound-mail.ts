/** Bounds the structure of a mail before it is parsed: the bytes of its headers, and the number of its parts. */

export const mailBounds = { headerBytes: 262_144, parts: 200, depth: 20 } as const;

/** Bounds the headers by cutting them, and the parts by cutting the mail before the first part too many. */
export function boundMail(raw: Buffer): Buffer {
  return cutParts(cutHeaders(raw));
}

/** The bytes of the header block, without the empty line behind it. */
export function headerLength(raw: Buffer): number {
  const ends = ["\r\n\r\n", "\n\n"].map((end) => raw.indexOf(end)).filter((at) => at !== -1);
  return ends.length === 0 ? raw.length : Math.min(...ends);
}

function cutHeaders(raw: Buffer): Buffer {
  const end = headerLength(raw);
  if (end <= mailBounds.headerBytes) return raw;
  return Buffer.concat([raw.subarray(0, mailBounds.headerBytes), raw.subarray(end)]);
}

const delimiter = "\n--";
/** RFC 2046 allows 70 characters. */
const longestBoundary = 200;
const declaration = /boundary\s*=\s*(?:"([^"\r\n]{1,200})"|([^\s;"]{1,200}))/gi;

function cutParts(raw: Buffer): Buffer {
  let parts = 0;
  let boundaries: Set<string> | undefined;
  let candidates = 0;
  for (let at = raw.indexOf(delimiter); at !== -1; at = raw.indexOf(delimiter, at + 1)) {
    candidates += 1;
    if (candidates <= mailBounds.parts) continue;
    // Most mails have fewer such lines, whatever they are. Otherwise counting starts over.
    if (boundaries === undefined) {
      const named = raw.toString("latin1").matchAll(declaration);
      boundaries = new Set([...named].map(([, quoted, plain]) => quoted ?? plain!));
      at = -1;
      continue;
    }
    const [line = ""] = raw
      .toString("latin1", at + delimiter.length, at + delimiter.length + longestBoundary + 2)
      .split(/\r?\n/, 1);
    if (!boundaries.has(line.trimEnd())) continue;
    parts += 1;
    if (parts > mailBounds.parts) return raw.subarray(0, at + 1);
  }
  return raw;
}
