/** Who else can look into the data folder, or at a key, is told at every start. */
import { chmod, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTerminal, setUpAcme } from "../support/terminal.ts";
import type { Terminal } from "../support/terminal.ts";

let terminal: Terminal;
beforeEach(async () => {
  terminal = await createTerminal("sqlite");
  await setUpAcme(terminal);
});
afterEach(() => terminal.close());

async function warnings(): Promise<string[]> {
  const { code, stderr } = await terminal.run(["workspaces", "list"]);
  expect(code).toBe(0);
  return stderr
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line).message);
}

test.each<[string, number, number, string[]]>([
  ["for its owner alone", 0o700, 0o600, []],
  ["for its owner alone, whatever lies in there", 0o700, 0o644, []],
  [
    "open to all",
    0o777,
    0o600,
    ["Every user of this machine can look into FOLDER (mode 777): chmod 700 keeps them out."],
  ],
  [
    "open to a group",
    0o750,
    0o600,
    ["The group it belongs to can look into FOLDER (mode 750): chmod 700 keeps it out."],
  ],
  [
    "open, and the key too",
    0o755,
    0o644,
    [
      "Every user of this machine can look into FOLDER (mode 755): chmod 700 keeps them out.",
      "Every user of this machine can read FOLDER/secret.key (mode 644): chmod 600 keeps them out.",
    ],
  ],
])("a data folder %s", async (_what, folderMode, keyMode, told) => {
  const { directory } = terminal;
  await chmod(join(directory, "secret.key"), keyMode);
  await chmod(directory, folderMode);
  expect(await warnings()).toEqual(told.map((sentence) => sentence.replaceAll("FOLDER", directory)));
  expect((await stat(directory)).mode & 0o777).toBe(folderMode);
});
