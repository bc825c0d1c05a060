/** Files of backups on a file system without hard links, such as exFAT. */
import { promises } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeBackupFile } from "../../src/backup/backup-files.ts";

const { link } = promises;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "crm-test-"));
  promises.link = () => Promise.reject(Object.assign(new Error("EPERM: operation not permitted"), { code: "EPERM" }));
  syncBuiltinESMExports();
});
afterAll(async () => {
  promises.link = link;
  syncBuiltinESMExports();
  await rm(folder, { recursive: true });
});

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

test("a backup is written there as well, and overwrites nothing", async () => {
  const path = join(folder, "one.tar.zst");
  await writeBackupFile(path, bytesOf("first"));
  await expect(writeBackupFile(path, bytesOf("second"))).rejects.toThrow(`${path} exists already`);
  expect(zstdDecompressSync(await readFile(path)).toString()).toBe("first");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(["one.tar.zst"]);
});
