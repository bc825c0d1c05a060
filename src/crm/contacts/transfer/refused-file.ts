/** Keeps the rows that an import refused as a CSV file: beside each row the reason, to be mended and imported again. */
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { Invalid } from "../../../vocabulary/errors.ts";
import type { RefusedRows } from "./contact.import.ts";
import { isReasonColumn, reasonColumns } from "./csv-columns.ts";
import { toCsvLine } from "./csv-line.ts";

export interface RefusedFile extends RefusedRows {
  close(): Promise<void>;
}

/**
 * The file at `path`, written as the file that is imported, emptied once the columns are known; its owner alone may read it. The reasons stand in the first two columns, where no row is too
 * long or too short for them, and those of an earlier import give way to them. Refuses, on `refused`, a file that cannot be
 * written, and a symbolic link.
 */
export function createRefusedFile(path: string): RefusedFile {
  let file: FileHandle | undefined;
  let dropped: ReadonlySet<number> = new Set();
  let delimiter: string | undefined;
  const write = (text: string) => told(path, () => file!.appendFile(text));
  const kept = (cells: readonly string[]) => cells.filter((_, place) => !dropped.has(place));

  return {
    async begin(columns, ofFile) {
      delimiter = ofFile;
      file = await told(path, () => openOwn(path));
      dropped = new Set(columns.flatMap((column, place) => (isReasonColumn(column) ? place : [])));
      await write(toCsvLine([...reasonColumns, ...kept(columns)], delimiter));
    },
    async add(rows) {
      const lines = rows.map(({ line, errors, cells, broken }) => {
        const whole = toCsvLine([line, Object.values(errors).flat().join(" "), ...kept(cells)], delimiter);
        // What is broken stays so: it is refused again until somebody has mended it.
        return broken === undefined ? whole : `${whole.slice(0, -1)}${delimiter}${broken.rest}\n`;
      });
      await write(lines.join(""));
    },
    close: () => told(path, async () => file?.close()),
  };
}

/** A link might lead to a file of somebody else's choice. A file that is there keeps its place and loses its readers. */
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

/** A fault of this file must not be taken for one of the database. */
async function told<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === "ELOOP" ? "it is a symbolic link; name the file itself" : message;
    throw new Invalid({ refused: [`${path} cannot be written: ${reason}.`] });
  }
}
