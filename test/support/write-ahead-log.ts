/** Reads the write-ahead log of an SQLite file as it lies on the disk. https://sqlite.org/fileformat2.html#walformat */
import { readFileSync } from "node:fs";

const headerLength = 32;
const frameHeaderLength = 24;

/** How many commits the log beside the file at `path` holds: those since it was last begun anew. */
export function commitsIn(path: string): number {
  const log = readFileSync(`${path}-wal`);
  if (log.length === 0) return 0;
  const salt = log.subarray(16, 24);
  const frameLength = frameHeaderLength + log.readUInt32BE(8);
  let commits = 0;
  for (let at = headerLength; at + frameLength <= log.length; at += frameLength) {
    // What comes then is left over from before.
    if (!log.subarray(at + 8, at + 16).equals(salt)) break;
    // The last page of a commit says how many pages the database has then.
    if (log.readUInt32BE(at + 4) !== 0) commits++;
  }
  return commits;
}
