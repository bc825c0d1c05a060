/** The data folder: created readable by its owner only; looser permissions are reported. */
import { existsSync, mkdirSync, statSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

/** The master key file in the data folder. */
export const masterKeyFile = "secret.key";

/**
 * Creates `path` and its missing parents one by one, since Node's recursive mkdir hangs where nothing can be created
 * (in /proc). Throws the errors of the file system.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
}

/**
 * Creates a file with mode 0600 and syncs it; false if the name exists, even as a dangling link: nothing is overwritten
 * or written through a link.
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

/** Syncs the directory `path`. */
export async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/**
 * Warnings about the folder and the master key if other users can read them. A closed folder protects its content. Not
 * an error: volumes owned by a group and file systems without modes (of other systems, over a network) could never
 * comply.
 */
export function permissionWarnings(dataDir: string): string[] {
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

/** The permission bits; 0 for a missing file and on Windows, which has no modes. */
function modeOf(path: string): number {
  if (process.platform === "win32") return 0;
  return (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o777;
}
