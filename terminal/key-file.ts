/** Writes the first API key where the printed curl line reads it from. */
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Readable by the owner alone; resolves to the file's path. */
export async function writeKeyFile(dataDir: string, key: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, "api-key");
  await writeFile(file, `${key}\n`, { mode: 0o600 });
  // The mode above counts only for a file that is new.
  await chmod(file, 0o600);
  return file;
}
