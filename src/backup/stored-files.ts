/** The files of attachments in a backup: read and written piece by piece. */
import type { Blobs } from "../blobs/blobs.ts";
import { eachStoredFile } from "../crm/conversations/attachments/attachment.queries.ts";
import type { Rows } from "../storage/rows.ts";
import type { ArchivePart } from "./archive.ts";
import { filePartName } from "./backup.format.ts";

export interface FileCounts {
  /** Files of attachments. */
  files: number;
  /** Those of which the store has lost a piece. */
  missing_files: number;
}

/** A part for each piece of each file; `counts` is updated. */
export async function* readStoredFiles(rows: Rows, blobs: Blobs, counts: FileCounts): AsyncGenerator<ArchivePart> {
  for await (const { blob_key: key, size } of eachStoredFile(rows)) {
    let read = 0;
    for (let number = 0; read < size; number++) {
      const bytes = await blobs.readPiece(key, number);
      if (bytes === undefined) break;
      read += bytes.length;
      yield { name: filePartName(key, number), bytes };
    }
    if (read === size) counts.files += 1;
    else counts.missing_files += 1;
  }
}

export interface FileRestore {
  /** The number of files begun. */
  readonly files: number;
  take(key: string, number: number, bytes: Uint8Array): Promise<void>;
  /** Removes the files that were not there before. */
  undo(): Promise<void>;
}

/**
 * Writes the pieces of a backup. One that is there already stays: a backup may be restored beside the files from which it was taken, and may
 * turn out to be damaged only at its end. `blobs` null writes nothing.
 */
export function createFileRestore(blobs: Blobs | null): FileRestore {
  const written: string[] = [];
  let files = 0;
  return {
    get files() {
      return files;
    },
    async take(key, number, bytes) {
      if (number === 0) files += 1;
      if (blobs === null) return;
      if ((await blobs.readPiece(key, number)) !== undefined) return;
      if (number === 0) written.push(key);
      await blobs.writePiece(key, number, bytes);
    },
    async undo() {
      for (const key of written) await blobs!.remove(key);
    },
  };
}
