/** Generates docs/cli.md from the commands' own descriptions, the source of --help: `npm run docs:cli`. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Config, settings } from "@oclif/core";
import type { Command } from "@oclif/core";
import { describeFlag, jsonResultOf, paragraphsOf, spellArgument, spellFlag } from "../terminal/help/command-page.ts";
import { placeFlags, yesFlag } from "../terminal/input/flags.ts";

const root = join(import.meta.dirname, "..");
const page = join(root, "docs/cli.md");
const begin = "<!-- commands: begin -->";
const end = "<!-- commands: end -->";

/** Explained in the handwritten part above the commands. */
const common = new Map(Object.entries({ ...placeFlags, ...yesFlag }).map(([name, flag]) => [name, flag.description]));

/** The --json output of most commands, explained there as well. */
const usualResult = /^(the|a list of) [a-z ]+( as the API shows (it|them))?$/;

/** docs/cli.md, current and expected: generated between the markers, handwritten around them. */
export async function readReference(): Promise<{ readonly actual: string; readonly expected: string }> {
  const actual = readFileSync(page, "utf8");
  const [from, to] = [actual.indexOf(begin), actual.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/cli.md lacks the markers ${begin} and ${end}.`);
  settings.enableAutoTranspile = false;
  const reference = describeCommands(await Config.load({ root, userPlugins: false }));
  return { actual, expected: `${actual.slice(0, from)}${begin}\n\n${reference}\n\n${actual.slice(to)}` };
}

/** One section per topic; commands without a topic first. */
function describeCommands(config: Config): string {
  const commands = config.commands.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const topics = Map.groupBy(commands, ({ id }) => (id.includes(":") ? id.split(":")[0]! : ""));
  const sections = [...topics]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([topic, listed]) => {
      const { description = "" } = config.topics.find(({ name }) => name === topic) ?? {};
      const shared = [...common.keys()].filter((name) => listed.every((command) => commonOf(command).includes(name)));
      const summary = [toMarkdown(description), ...(shared.length > 0 ? [`All take ${listCode(shared)}.`] : [])];
      const explained = new Map<string, string>();
      return [
        topic === "" ? "## The service" : `## ${topic}\n\n${summary.join(" ")}`,
        ...listed.map((command) => describeCommand(command, shared, explained)),
      ].join("\n\n");
    });
  return sections.join("\n\n").replaceAll("<%= config.bin %>", config.bin);
}

/** `shared`: the common flags of the whole topic; `explained`: flags of its earlier commands, each with the command that explains it. */
function describeCommand(command: Command.Loadable, shared: readonly string[], explained: Map<string, string>): string {
  const name = `crm ${command.id.replaceAll(":", " ")}`;
  const args = Object.values(command.args);
  const rows = args.filter(saysMore).map((arg) => `\`${spellArgument(arg)}\`: ${toMarkdown(describeArgument(arg))}`);
  const repeated = new Map<string, string[]>();
  for (const flag of flagsOf(command).filter((flag) => !isCommon(flag))) {
    const row = `\`${spellFlag(flag)}\`${flag.required ? " (required)" : ""}: ${toMarkdown(describeFlag(flag))}${defaultOf(flag)}`;
    const by = explained.get(row);
    if (by === undefined) rows.push(row);
    else repeated.set(by, [...(repeated.get(by) ?? []), flag.name]);
    explained.set(row, by ?? name);
  }
  for (const [by, names] of repeated) rows.push(`${listCode(names)}: as for \`${by}\`.`);
  const others = commonOf(command).filter((flag) => !shared.includes(flag));
  if (others.length > 0) rows.push(`Also takes ${listCode(others)}.`);
  if (!usualResult.test(jsonResultOf(command))) {
    rows.push(`\`--json\`: ${toMarkdown(jsonResultOf(command))}.`);
  }
  const example = exampleOf(command);
  return [
    `### \`${[name, ...args.map(spellArgument)].join(" ")}\``,
    ...paragraphsOf(command.description ?? "").map(toMarkdown),
    ...(rows.length > 0 ? [rows.map((row) => `- ${row}`).join("\n")] : []),
    ...(example === undefined ? [] : [`\`\`\`sh\n${example}\n\`\`\``]),
  ].join("\n\n");
}

function flagsOf({ flags }: Command.Loadable): Command.Flag.Any[] {
  return Object.values(flags).filter(({ name, hidden }) => name !== "json" && hidden !== true);
}

function commonOf(command: Command.Loadable): string[] {
  return flagsOf(command)
    .filter(isCommon)
    .map(({ name }) => name);
}

function isCommon({ name, description }: Command.Flag.Any): boolean {
  return description !== undefined && common.get(name) === description;
}

/** Omits trivial descriptions such as "The contact.". */
function saysMore({ description = "", options }: Command.Arg.Any): boolean {
  return options !== undefined || !/^(The [\w-]+|Its name)\.$/.test(description);
}

function describeArgument({ description = "", options }: Command.Arg.Any): string {
  return options === undefined ? description : `${description} One of ${options.join(", ")}.`;
}

/** The first example that shows more than the heading and --json, which every command accepts; --help has them all. */
function exampleOf({ examples = [] }: Command.Loadable): string | undefined {
  const telling = examples
    .map(String)
    .filter((example) => / -(?!-json$)|[|<>"'=]/.test(example.replace("<%= config.bin %>", "")));
  return telling.find((example) => !example.includes(" --json")) ?? telling[0];
}

function defaultOf(flag: Command.Flag.Any): string {
  return flag.type === "option" && flag.default !== undefined ? ` Default: ${String(flag.default)}.` : "";
}

function listCode(names: readonly string[]): string {
  return names.map((name) => `\`--${name}\``).join(", ");
}

/** Escapes Markdown; quoted commands become code. */
function toMarkdown(text: string): string {
  return text.replaceAll(/[<*]/g, String.raw`\$&`).replaceAll(/"(crm [^"]+)"/g, "`$1`");
}

if (import.meta.main) writeFileSync(page, (await readReference()).expected);
