/** A clone keeps the list of its commands: a start opens none but its own, and no start is answered from a list that something has changed since. */
import { existsSync } from "node:fs";
import { appendFile, cp, mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startNode } from "../support/node-process.ts";

const repository = join(import.meta.dirname, "../..");

/** Says on stderr that it was opened. */
const command = (name: string, says: string) => `
  import { Command } from "@oclif/core";
  console.error("opened ${name}");
  export default class extends Command {
    static description = "${says}";
    async run() { this.log("${name} ran"); }
  }`;

const files: Readonly<Record<string, string>> = {
  "package.json": JSON.stringify({
    name: "crm",
    version: "1.0.0",
    type: "module",
    oclif: { commands: "./commands", topicSeparator: " " },
  }),
  "terminal/words.ts": `export const words = "the first";`,
  "commands/first.ts": `import { words } from "../terminal/words.ts";${command("first", "${words}").replaceAll('"${words}"', "words")}`,
  "commands/second.ts": command("second", "the second"),
  "commands/topic/third.ts": command("third", "the third"),
};

const list = "node_modules/.cache/crm/commands.json";

let folder: string;

const at = (clone: string, path: string) => join(folder, clone, path);

async function write(clone: string, path: string, text: string): Promise<void> {
  await mkdir(at(clone, join(path, "..")), { recursive: true });
  await writeFile(at(clone, path), text);
}

async function makeClone(clone: string): Promise<void> {
  for (const [path, text] of Object.entries(files)) await write(clone, path, text);
  await cp(join(repository, "bin"), at(clone, "bin"), { recursive: true });
  await mkdir(at(clone, "node_modules"));
  await symlink(join(repository, "node_modules/@oclif"), at(clone, "node_modules/@oclif"));
}

/** How it ended, and the commands that were opened for it. */
async function start(clone: string, ...parameters: string[]) {
  const { code, stdout, stderr } = await startNode([at(clone, "bin/crm.js"), ...parameters]).finished;
  const opened = [...stderr.matchAll(/^opened (.*)$/gm)].map(([, name]) => name);
  return { code, stdout, stderr, opened };
}

/** Starts until the files are old enough, two seconds, for a list to be kept of them. */
async function untilKept(clone: string): Promise<void> {
  const kept = async () => {
    await start(clone, "--help");
    return existsSync(at(clone, list));
  };
  await expect.poll(kept, { timeout: 15_000, interval: 200 }).toBe(true);
}

/** What is changed, how, and what the help shows from then on, or shows no longer. */
const changes: readonly [string, (clone: string) => Promise<void>, shown: string, gone?: string][] = [
  ["a command is added", (clone) => write(clone, "commands/topic/new.ts", command("new", "the new")), "the new"],
  ["a command is taken away", (clone) => rm(at(clone, "commands/second.ts")), "the first", "the second"],
  [
    "a command is edited, and its size and time are as they were",
    async (clone) => {
      const path = at(clone, "commands/second.ts");
      const { atime, mtime } = await stat(path);
      await write(clone, "commands/second.ts", command("second", "THE SECOND"));
      await utimes(path, atime, mtime);
    },
    "THE SECOND",
    "the second",
  ],
  [
    "a text is edited that a command has from elsewhere",
    (clone) => write(clone, "terminal/words.ts", `export const words = "THE FIRST";`),
    "THE FIRST",
    "the first",
  ],
  [
    "package.json is edited",
    (clone) => write(clone, "package.json", files["package.json"]!.replace("1.0.0", "2.0.0")),
    "crm/2.0.0",
  ],
  [
    "what makes the list is edited",
    (clone) => appendFile(at(clone, "bin/command-list.js"), `console.log("made anew");`),
    "made anew",
  ],
  ["the list is spoilt", (clone) => write(clone, list, `{"sources":{`), "the second"],
];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "crm list "));
  for (const clone of ["kept", "closed", "broken", ...changes.map(([what]) => what)]) await makeClone(clone);
  // As a folder that may not be written, which is no hindrance to root.
  await write("closed", "node_modules/.cache", "");
  await write("broken", "commands/second.ts", "export default class {");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("a start opens the command that is asked for alone, and --help none", async () => {
  const first = await start("kept", "second");
  expect(first).toMatchObject({ code: 0, stdout: "second ran\n" });
  expect(first.opened.toSorted()).toEqual(["first", "second", "third"]);

  await untilKept("kept");
  expect(await start("kept", "topic", "third")).toMatchObject({ code: 0, stdout: "third ran\n", opened: ["third"] });
  expect(await start("kept", "topic", "--help")).toMatchObject({
    stdout: expect.stringMatching(/topic third +the third/),
    opened: [],
  });
  expect(await start("kept", "fourth")).toMatchObject({ code: 2, opened: [] });
});

test("of several starts at once each keeps a whole list, and nothing else stays", async () => {
  await untilKept("kept");
  await rm(at("kept", list));
  const ends = await Promise.all([1, 2, 3].map(() => start("kept", "second")));
  expect(ends.map(({ stdout }) => stdout)).toEqual(ends.map(() => "second ran\n"));
  expect(await readdir(at("kept", join(list, "..")))).toEqual(["commands.json"]);
  expect((await start("kept", "--help")).opened).toEqual([]);
});

test.each(changes)("%s: the next start knows it", async (clone, change, shown, gone) => {
  await untilKept(clone);
  await change(clone);
  const { stdout } = await start(clone, "--help");
  expect(stdout).toContain(shown);
  if (gone !== undefined) expect(stdout).not.toContain(gone);
});

test("where nothing can be kept, or a command cannot be loaded, every start opens all that there are", async () => {
  await untilKept("kept");
  for (const time of ["first", "again"]) {
    const closed = await start("closed", "second");
    expect(closed, time).toMatchObject({ code: 0, stdout: "second ran\n" });
    expect(closed.opened).toHaveLength(3);
    const broken = await start("broken", "topic", "third");
    expect(broken, time).toMatchObject({ code: 0, stdout: "third ran\n", stderr: expect.stringContaining("second") });
    expect(broken.opened).toContain("first");
  }
});
