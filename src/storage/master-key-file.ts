/** Where the master keys come from: the setting, else a file in the data folder that is made once. */
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mintMasterKey } from "../kit/master-keys.ts";

export async function loadMasterKeys({ secretKeys, dataDir }: { secretKeys: string[] | null; dataDir: string }): Promise<string[]> {
  if (secretKeys !== null) return secretKeys;
  const file = join(dataDir, "secret.key");
  try {
    return readKeys(file);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${mintMasterKey()}\n`, { mode: 0o600, flag: "wx" });
  try {
    // A link appears whole or not at all, and never replaces what another starter has made.
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    rmSync(draft);
  }
  return readKeys(file);
}

function readKeys(file: string): string[] {
  return readFileSync(file, "utf8").split("\n").map((line) => line.trim()).filter((line) => line !== "");
}
