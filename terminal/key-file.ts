/** Writes the first API key where the printed curl line reads it from. */
import { dirname, join } from "node:path";
import { makeDataFolder, makePrivateFile } from "../src/storage/data-folder.ts";

/** Readable by the owner alone, and beside those that are there: no key is written over. Resolves to the file's path. */
export async function writeKeyFile(dataDir: string, key: string): Promise<string> {
  for (let number = 1; ; number++) {
    const file = join(dataDir, number === 1 ? "api-key" : `api-key-${number}`);
    if (await write(file, `${key}\n`).catch((error: unknown) => Promise.reject(toSentence(error, file)))) return file;
  }
}

async function write(file: string, text: string): Promise<boolean> {
  makeDataFolder(dirname(file));
  return makePrivateFile(file, text);
}

/** Without its cause, which in the middle of a transaction would be taken for a fault of the database. */
function toSentence(error: unknown, file: string): Error {
  const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
  return new Error(
    `The API key cannot be written to ${file}${code}: make room for it there, or name another folder (CRM_DATA_DIR).`,
  );
}
