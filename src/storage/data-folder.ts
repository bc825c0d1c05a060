/** The folder that data is kept in: made for the owner alone, and what lies in there that others can read is told of. */
import { existsSync, mkdirSync, statSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

/** The file of the master keys in the data folder. */
export const masterKeyFile = "secret.key";

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

/**
 * Makes a file that its owner alone can read, and puts it on disk; false where there is anything of that name, a link to
 * nowhere included: nothing is written over it or through it.
 */
export async function makePrivateFile(path: string, text: string): Promise<boolean> {
  const file = await open(path, "wx", 0o600).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return undefined;
    throw error;
  });
  if (file === undefined) return false;
  try {
    await file.writeFile(text);
    await file.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  await flushFolder(dirname(path));
  return true;
}

/** Puts on disk which files `path` holds. */
export async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/**
 * A sentence on the folder, and one on the master key in it, where other users of the machine can look at them. A folder that is
 * closed hides what it holds. Told and not refused: volumes that belong to a group, and file systems that keep no modes
 * (of other systems, over a network), could never be as they should.
 */
export function whoElseCanLook(dataDir: string): string[] {
  const folder = modeOf(dataDir);
  if ((folder & 0o077) === 0) return [];
  const file = join(dataDir, masterKeyFile);
  const key = modeOf(file);
  const sentence = (path: string, mode: number, how: string, remedy: string) => {
    const [who, whom] = (mode & 0o007) > 0 ? ["Every user of this machine", "them"] : ["The group it belongs to", "it"];
    return `${who} can ${how} ${path} (mode ${mode.toString(8)}): ${remedy} keeps ${whom} out.`;
  };
  return [
    sentence(dataDir, folder, "look into", "chmod 700"),
    ...((key & 0o077) > 0 ? [sentence(file, key, "read", "chmod 600")] : []),
  ];
}

/** 0 for what is not there, and on Windows, which has no modes. */
function modeOf(path: string): number {
  if (process.platform === "win32") return 0;
  return (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o777;
}
