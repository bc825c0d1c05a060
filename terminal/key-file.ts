/** Writes the first API key where the printed curl line reads it from. */
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeDataFolder } from "../src/storage/data-folder.ts";

/** Readable by the owner alone; resolves to the file's path. */
export async function writeKeyFile(dataDir: string, key: string): Promise<string> {
  makeDataFolder(dataDir);
  const file = join(dataDir, "api-key");
  await writeFile(file, `${key}\n`, { mode: 0o600 });
  // The mode above counts only for a file that is new.
  await chmod(file, 0o600);
  return file;
}
