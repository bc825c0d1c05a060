/** The help of every command at any width: every word of it, none of them broken, and no line longer than the terminal. */
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { Config, Flags, Parser, settings } from "@oclif/core";
import { beforeAll, expect, test } from "vitest";
import { jsonResultOf } from "../../terminal/help/command-page.ts";
import { CrmHelp } from "../../terminal/help/crm-help.ts";

const root = join(import.meta.dirname, "../..");

let config: Config;
beforeAll(async () => {
  settings.enableAutoTranspile = false;
  config = await Config.load({ root, userPlugins: false });
});

/** What `crm … --help` prints on a terminal of `columns`. */
async function shown(words: readonly string[], columns: number): Promise<string> {
  const printed: string[] = [];
  class Printed extends CrmHelp {
    protected override log(...lines: string[]): void {
      printed.push(...lines);
    }
  }
  await new Printed(config, { maxWidth: columns }).showHelp([...words]);
  return stripVTControlCharacters(printed.join("\n"));
}

/** A backslash only says that an example goes on in the next line. */
function wordsOf(help: string): string[] {
  return help.split(/\s+/).filter((word) => word !== "" && word !== "\\");
}

test.each([32, 42, 60, 80, 132])("in %i columns", async (columns) => {
  const asked = [...config.commandIDs, ...config.topics.map(({ name }) => name)].map((id) => id.split(":"));
  expect(asked.length).toBeGreaterThan(30);
  for (const words of [[], ...asked]) {
    const help = await shown(words, columns);
    const whole = await shown(words, 10_000);
    expect(wordsOf(help), words.join(" ")).toEqual(wordsOf(whole));
    const lines = help.split("\n").filter((line) => line.length > columns);
    // What is longer is one word, or a flag with its value, which is not parted.
    const parted = lines.filter((line) => !/^ *(\[?--\S+ )?("[^"]*"|\S+)( \\)?$/.test(line));
    expect(parted, words.join(" ")).toEqual([]);
  }
});

test("every topic says itself what it is about", () => {
  const folders = new Set(config.commandIDs.filter((id) => id.includes(":")).map((id) => id.split(":")[0]));
  expect(Object.keys(config.pjson.oclif.topics ?? {}).toSorted()).toEqual([...folders].toSorted());
});

test("every command says what --json prints", () => {
  expect(config.commands.filter((command) => !jsonResultOf(command)).map(({ id }) => id)).toEqual([]);
});

/** What a shell hands to crm: the words after its name, without their quotes, up to a pipe or a redirection. */
function parametersOf(example: string): string[] {
  const [line = ""] = example.slice(example.lastIndexOf(bin) + bin.length).split(/ [|<>] |\)"$/);
  return (line.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g) ?? []).map((word) => word.replaceAll(/^['"]|['"]$/g, ""));
}

const bin = "<%= config.bin %>";

test("every example is a command line that its command takes", async () => {
  let count = 0;
  for (const { id, load, examples = [] } of config.commands) {
    const { args, flags, strict } = await load();
    for (const example of examples) {
      const words = id.split(/[: ]/);
      const parameters = parametersOf(String(example));
      expect(parameters.slice(0, words.length), String(example)).toEqual(words);
      await Parser.parse(parameters.slice(words.length), { args, flags: { ...flags, json: Flags.boolean() }, strict });
      count += 1;
    }
  }
  expect(count).toBeGreaterThan(150);
});
