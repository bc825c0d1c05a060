/** The file that an import keeps its refused rows in: people's data, for its owner alone, where it was asked for and nowhere else. */
import { chmod, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createRefusedFile } from "../../src/crm/contacts/transfer/refused-file.ts";
import { Invalid } from "../../src/vocabulary/errors.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "crm-refused-"));
});
afterEach(() => rm(folder, { recursive: true }));

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

async function write(path: string): Promise<void> {
  const file = createRefusedFile(path);
  await file.begin(["email"], ",");
  await file.add([{ line: 2, cells: ["bad"], errors: { email: ["No."] } }]);
  await file.close();
}

const content = "refused_line,refused_because,email\n2,No.,bad\n";

test("a new one can be read by its owner alone", async () => {
  const path = join(folder, "refused.csv");
  await write(path);
  expect([await modeOf(path), await readFile(path, "utf8")]).toEqual(["600", content]);
});

test("one that is there is overwritten, and read by nobody else from then on", async () => {
  const path = join(folder, "refused.csv");
  await writeFile(path, "of yesterday, and longer than what is written now: ".repeat(5));
  await chmod(path, 0o644);
  await write(path);
  expect([await modeOf(path), await readFile(path, "utf8")]).toEqual(["600", content]);
});

test.each(["there.csv", "nowhere.csv"])("nothing is written through a link to %s", async (target) => {
  const path = join(folder, "refused.csv");
  await writeFile(join(folder, "there.csv"), "precious");
  await symlink(join(folder, target), path);
  await expect(write(path)).rejects.toThrow(Invalid);
  await expect(write(path)).rejects.toMatchObject({
    errors: { refused: [`${path} cannot be written: it is a symbolic link; name the file itself.`] },
  });
  expect(await readFile(join(folder, "there.csv"), "utf8")).toBe("precious");
  await expect(stat(join(folder, "nowhere.csv"))).rejects.toThrow("ENOENT");
});

test("what is no file keeps its rights", async () => {
  const before = await modeOf("/dev/null");
  await write("/dev/null");
  expect(await modeOf("/dev/null")).toBe(before);
});
