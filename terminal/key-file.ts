/** Writes the first API key to the file that the printed curl command reads. */
import { dirname, join } from "node:path";
import { makeFolder, makePrivateFile } from "../src/storage/data-folder.ts";

/** Creates a file that only its owner can read, and never overwrites a key. Resolves to its path. */
export async function writeKeyFile(dataDir: string, key: string): Promise<string> {
  for (let number = 1; ; number++) {
    const file = join(dataDir, number === 1 ? "api-key" : `api-key-${number}`);
    if (await write(file, `${key}\n`).catch((error: unknown) => Promise.reject(toSentence(error, file)))) return file;
  }
}

async function write(file: string, text: string): Promise<boolean> {
  makeFolder(dirname(file));
  return makePrivateFile(file, text);
}

/** Thrown without its cause, which a transaction would take for a database error. */
function toSentence(error: unknown, file: string): Error {
  const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
  return new Error(
    `The API key cannot be written to ${file}${code}: free space there, or set another folder (CRM_DATA_DIR).`,
  );
}
