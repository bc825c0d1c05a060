/** Writes the refused rows of an import to a CSV file, each with its reason, to be corrected and imported again. */
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { Invalid } from "../../../vocabulary/errors.ts";
import type { RefusedRows } from "./contact.import.ts";
import { isReasonColumn, reasonColumns } from "./csv-columns.ts";
import { toCsvLine } from "../../../kit/csv/csv-line.ts";

export interface RefusedFile extends RefusedRows {
  close(): Promise<void>;
}

/**
 * Creates or truncates the file at `path` once the columns are known, readable by its owner only, with the delimiter of the imported file. The
 * reasons are the first two columns, which rows of any length have; those of an earlier import are replaced. Refuses, on `refused`, a file
 * that cannot be written, and a symbolic link.
 */
export function createRefusedFile(path: string): RefusedFile {
  let file: FileHandle | undefined;
  let dropped: ReadonlySet<number> = new Set();
  let delimiter: string | undefined;
  const write = (text: string) => asInvalid(path, () => file!.appendFile(text));
  const kept = (cells: readonly string[]) => cells.filter((_, index) => !dropped.has(index));

  return {
    async begin(columns, ofFile) {
      delimiter = ofFile;
      file = await asInvalid(path, () => openOwn(path));
      dropped = new Set(columns.flatMap((column, index) => (isReasonColumn(column) ? index : [])));
      await write(toCsvLine([...reasonColumns, ...kept(columns)], delimiter));
    },
    async add(rows) {
      const lines = rows.map(({ line, errors, cells, broken }) => {
        const whole = toCsvLine([line, Object.values(errors).flat().join(" "), ...kept(cells)], delimiter);
        // A malformed row is written unchanged, so that it is refused again until it is corrected.
        return broken === undefined ? whole : `${whole.slice(0, -1)}${delimiter}${broken.rest}\n`;
      });
      await write(lines.join(""));
    },
    close: () => asInvalid(path, async () => file?.close()),
  };
}

/** Does not follow symbolic links, which could point to another user's file. An existing file is reused and made private. */
async function openOwn(path: string): Promise<FileHandle> {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  const file = await open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600);
  try {
    if ((await file.stat()).isFile()) await file.chmod(0o600);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Turns errors of this file into 422, so that they are not mistaken for database errors. */
async function asInvalid<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === "ELOOP" ? "it is a symbolic link; name the file itself" : message;
    throw new Invalid({ refused: [`${path} cannot be written: ${reason}.`] });
  }
}
