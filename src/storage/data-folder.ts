/** Makes the folder that data is kept in, for the owner alone. */
import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes `path` and what is missing above it. Throws what the file system says. One folder after the other, since
 * Node's own recursive form never comes back where nothing can be made (in /proc).
 */
export function makeDataFolder(path: string): void {
  if (existsSync(path)) return;
  makeDataFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
}
