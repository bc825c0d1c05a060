/** The content codings of responses (RFC 9110, 8.4.1), and the setting that chooses among them. */

const names = ["zstd", "gzip", "br"] as const;
export type ContentCoding = (typeof names)[number];

/** What `on` stands for: the two that cost least per byte saved (docs/adr/0078). Almost every client that reads br reads gzip. */
const usual: ContentCoding[] = ["zstd", "gzip"];

/** `off`, `on`, or a comma-separated list, the preferred one first; undefined for anything else. */
export function readContentCodings(text: string): ContentCoding[] | undefined {
  const entries = text.split(",").map((entry) => entry.trim().toLowerCase());
  if (/^(off|false|no|0)$/.test(entries.join())) return [];
  if (/^(on|true|yes|1)$/.test(entries.join())) return usual;
  const known = entries.flatMap((entry) => names.filter((name) => name === entry));
  return known.length === entries.length && new Set(known).size === known.length ? known : undefined;
}
