/** The master key of the data folder: made once, for its owner alone, the same for all that start together. */
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { mintMasterKey } from "../../src/kit/secrets/master-keys.ts";
import { loadMasterKeys, MasterKeyError } from "../../src/storage/installation/master-key-file.ts";
import { startNode } from "../support/node-process.ts";

let folder: string;
let dataDir: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "crm-test-"));
  dataDir = join(folder, "data");
});
afterEach(() => rm(folder, { recursive: true }));

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
const load = (secretKeys: string[] | null = null) => loadMasterKeys({ secretKeys, dataDir }, { make: true });

it("makes a key once, readable by its owner alone, and keeps it", async () => {
  const keys = await load();
  expect(keys).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
  expect(await load()).toEqual(keys);
  expect(await readdir(dataDir)).toEqual(["secret.key"]);
  expect(await modeOf(dataDir)).toBe("700");
  expect(await modeOf(join(dataDir, "secret.key"))).toBe("600");
});

it("takes the keys of the settings and makes no file", async () => {
  const key = mintMasterKey();
  expect(await load([key])).toEqual([key]);
  await expect(stat(dataDir)).rejects.toThrow("ENOENT");
});

it("reads several keys, one a line, the first one first", async () => {
  const keys = [mintMasterKey(), mintMasterKey()];
  await mkdir(dataDir);
  await writeFile(join(dataDir, "secret.key"), `${keys.join("\r\n")}\n\n`);
  expect(await load()).toEqual(keys);
});

it.each([
  ["is empty", ""],
  ["holds no key", "hello\n"],
  ["holds half a key", mintMasterKey().slice(0, 20)],
])("refuses a file that %s, and leaves it as it is", async (_what, text) => {
  await mkdir(dataDir);
  const path = join(dataDir, "secret.key");
  await writeFile(path, text);
  const refused = load();
  await expect(refused).rejects.toBeInstanceOf(MasterKeyError);
  await expect(refused).rejects.toThrow(`The master key file ${path} contains no valid key`);
  expect(await readFile(path, "utf8")).toBe(text);
});

it("writes no key through a link, not even to a file that is not there", async () => {
  await mkdir(dataDir);
  await symlink(join(folder, "elsewhere"), join(dataDir, "secret.key"));
  await expect(load()).rejects.toBeInstanceOf(MasterKeyError);
  expect(await readdir(folder)).toEqual(["data"]);
  expect(await readdir(dataDir)).toEqual(["secret.key"]);
});

it("says which folder it cannot use", async () => {
  await writeFile(dataDir, "a file");
  await expect(load()).rejects.toThrow(
    `The master key ${join(dataDir, "secret.key")} cannot be read or created (ENOTDIR)`,
  );
});

it("gives one and the same key to all that start at about the same time", async () => {
  for (let round = 0; round < 60; round++) {
    const data = join(dataDir, `${round}`);
    const keys = Array.from({ length: 12 }, async (_, index) => {
      await sleep(index % 8);
      return loadMasterKeys({ secretKeys: null, dataDir: data }, { make: true });
    });
    expect(new Set((await Promise.all(keys)).flat()).size).toBe(1);
  }
});

it("gives one and the same key to processes that start together", async () => {
  const module = JSON.stringify(join(import.meta.dirname, "../../src/storage/installation/master-key-file.ts"));
  const script = `const { loadMasterKeys } = await import(${module});
    process.stdout.write(String(await loadMasterKeys({ secretKeys: null, dataDir: process.argv[1] }, { make: true })));`;
  const processes = Array.from({ length: 4 }, () => startNode(["--input-type=module", "--eval", script, dataDir]));
  const finished = await Promise.all(processes.map((process) => process.finished));
  expect(finished.map(({ stderr }) => stderr)).toEqual(["", "", "", ""]);
  expect(new Set(finished.map(({ stdout }) => stdout)).size).toBe(1);
  expect(await load()).toEqual([finished[0]!.stdout]);
});
