/** Shells complete `crm`: the printed script is sourced, and TAB is pressed. */
import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCrm, startProcess } from "../support/node-process.ts";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "crm-completion-"));
  for (const shell of ["bash", "zsh"]) {
    const { code, stdout, stderr } = await runCrm(["completion", shell], { directory });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    await writeFile(join(directory, `crm.${shell}`), stdout);
  }
  await writeFile(join(directory, "people.csv"), "");
  // In place of crm: says what it was asked. The last word is what is typed before TAB.
  await writeFile(join(directory, "bashrc"), 'source crm.bash\ncrm() { echo "ran <$*>"; }\n');
  await writeFile(
    join(directory, ".zshrc"),
    'autoload -U compinit\ncompinit -D\nsource crm.zsh\ncrm() { print "ran <$*>"; }\n',
  );
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const commands: Record<string, string> = {
  bash: "bash --noprofile --rcfile bashrc -i",
  zsh: "zsh -i",
};
const shells = Object.keys(commands).filter((shell) => spawnSync(shell, ["--version"]).status === 0);

describe.each(shells)("%s", (shell) => {
  /** Types `keys` at a prompt of the shell on a real terminal, presses Enter, and gives what crm was asked for. */
  async function type(keys: string): Promise<string> {
    await using running = startProcess("script", ["--quiet", "--return", "--command", commands[shell]!, "/dev/null"], {
      environment: { TERM: "dumb", ZDOTDIR: directory, PS1: "", HISTFILE: "" },
      directory,
      input: `${keys}\nexit\n`,
    });
    const [, asked = ""] = await running.match(/^ran <(.*)>\r?$/m);
    return asked;
  }

  test.each([
    ["crm cont\t", "contacts"],
    ["crm contacts exp\t", "contacts export"],
    ["crm users invite ada@example.com --ro\tow\t", "users invite ada@example.com --role owner"],
    ["crm contacts export --loc\t 1", "contacts export --location 1"],
    ["crm keys create --scope tags.w\t", "keys create --scope tags.write"],
    ["crm contacts import peo\t", "contacts import people.csv"],
    ["crm contacts import people.csv --refused peo\t", "contacts import people.csv --refused people.csv"],
    ["crm help loc\t upd\t", "help locations update"],
    ["crm migrate st\t", "migrate status"],
  ])("%j", async (keys, asked) => {
    expect((await type(keys)).trim().replaceAll(/ +/g, " ")).toBe(asked);
  });
});

/** What bash would offer for the last of `words`. */
function offered(...words: string[]): string[] {
  const script = `source crm.bash
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _crm
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = spawnSync("bash", ["--noprofile", "--norc", "-c", script, "bash", ...words], { cwd: directory });
  return String(stdout).split("\n").filter(Boolean);
}

test.each([
  [
    ["crm", "con"],
    ["config", "contacts", "conversations"],
  ],
  [
    ["crm", "users", ""],
    ["invite", "invite-again", "list", "remove", "reset-password", "sessions", "sign-out", "update"],
  ],
  [
    ["crm", "users", "invite", "x", "--role", ""],
    ["owner", "manager", "member"],
  ],
  [
    ["crm", "users", "invite", "--role", "="],
    ["owner", "manager", "member"],
  ],
  [
    ["crm", "users", "invite", "--role", "=", "m"],
    ["manager", "member"],
  ],
  [
    ["crm", "serve", "--no-"],
    ["--no-worker", "--no-migrate", "--no-setup"],
  ],
  [
    ["crm", "completion", ""],
    ["bash", "zsh"],
  ],
  [["crm", "contacts", "show", ""], []],
  [["crm", "contacts", "export", "--location", ""], []],
  [
    ["crm", "nothing", ""],
    ["apps", "attachments", "audit"],
  ],
])("bash offers after %j", (words, expected) => {
  expect(offered(...words).slice(0, Math.max(3, expected.length))).toEqual(expected);
});

test("no folder is made and nothing opened for it, and --json carries the script", async () => {
  const empty = await mkdtemp(join(tmpdir(), "crm-completion-"));
  try {
    const { stdout } = await runCrm(["completion", "zsh", "--json"], { directory: empty });
    expect(JSON.parse(stdout)).toEqual({ shell: "zsh", script: expect.stringMatching(/^#compdef crm\n/) });
    expect(await readdir(empty)).toEqual([]);
    const refused = await runCrm(["completion", "fish"], { directory: empty });
    expect(refused).toMatchObject({
      code: 2,
      stdout: "",
      stderr: 'Error: SHELL is "fish"; expected one of bash, zsh.\n',
    });
  } finally {
    await rm(empty, { recursive: true, force: true });
  }
});
