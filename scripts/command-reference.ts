/** The commands in docs/cli.md, from their own descriptions, the source of --help. */
import { join } from "node:path";
import { Config, settings } from "@oclif/core";
import type { Command } from "@oclif/core";
import { paragraphsOf, spellArgument, spellFlag } from "../terminal/help/command-page.ts";
import { locationFlags, yesFlag } from "../terminal/input/flags.ts";

/** Explained in the handwritten part above the commands. */
const common = new Map(
  Object.entries({ ...locationFlags, ...yesFlag }).map(([name, flag]) => [name, flag.description]),
);

/** The part of docs/cli.md between its markers. */
export async function describeReference(): Promise<string> {
  settings.enableAutoTranspile = false;
  return describeCommands(await Config.load({ root: join(import.meta.dirname, ".."), userPlugins: false }));
}

/** One section per topic; commands without a topic first. */
function describeCommands(config: Config): string {
  const commands = config.commands.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const topics = Map.groupBy(commands, ({ id }) => (id.includes(":") ? id.split(":")[0]! : ""));
  const sections = [...topics]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([topic, listed]) => {
      const { description = "" } = config.topics.find(({ name }) => name === topic) ?? {};
      const shared = topic === "" ? nothingShared : sharedBy(listed);
      const summary = [toMarkdown(description), ...shared.sentences].join(" ");
      return [
        topic === "" ? "## The service" : `## ${topic}\n\n${summary}`,
        ...listed.map((command, place) => describeCommand(command, shared, listed.slice(0, place))),
      ].join("\n\n");
    });
  return sections.join("\n\n").replaceAll("<%= config.bin %>", config.bin);
}

/** What a topic says once, for its commands. */
interface Shared {
  readonly sentences: readonly string[];
  /** Names of common flags. */
  readonly flags: readonly string[];
  /** Rows of arguments. */
  readonly args: readonly string[];
}

const nothingShared: Shared = { sentences: [], flags: [], args: [] };

/** Common flags of most commands, and arguments that several describe alike. */
function sharedBy(commands: readonly Command.Loadable[]): Shared {
  const without = (flag: string) => commands.filter((command) => !commonOf(command).includes(flag));
  const flags = [...common.keys()].filter((flag) => without(flag).length * 3 <= commands.length);
  const byExceptions = Map.groupBy(flags, (flag) => listCode(without(flag).map(({ id }) => id.split(":").at(-1)!)));
  const described = Map.groupBy(commands.flatMap(({ args }) => Object.values(args)).filter(saysMore), describeArgument);
  const args = [...described].filter(([, alike]) => alike.length > 1).map(([row]) => row);
  return {
    flags,
    args,
    sentences: [
      ...[...byExceptions].map(
        ([exceptions, names]) =>
          `All ${exceptions === "" ? "" : `but ${exceptions} `}take ${listCode(names.map((name) => `--${name}`))}.`,
      ),
      ...args,
    ],
  };
}

/** `shared` is said by the topic, and `earlier` are commands above. --help explains every flag and what --json prints; here flags are spelled. */
function describeCommand(command: Command.Loadable, shared: Shared, earlier: readonly Command.Loadable[]): string {
  const args = Object.values(command.args);
  const rows = args
    .filter(saysMore)
    .map(describeArgument)
    .filter((row) => !shared.args.includes(row));
  const flags = flagsOf(command).filter((flag) => !shared.flags.includes(flag.name) || !isCommon(flag));
  if (flags.length > 0) rows.push(describeFlags(flags, earlier));
  const example = exampleOf(command);
  return [
    `### \`${[nameOf(command), ...args.map(spellArgument)].join(" ")}\``,
    toMarkdown(summaryOf(command.description ?? "")),
    ...(rows.length > 1 ? [rows.map((row) => `- ${row}`).join("\n")] : rows),
    ...(example === undefined ? [] : [`\`\`\`sh\n${example}\n\`\`\``]),
  ].join("\n\n");
}

/** `[--name NAME]`, and those of `crm channels create` but `--kind`: many flags of an earlier command are not repeated. */
function describeFlags(flags: readonly Command.Flag.Any[], earlier: readonly Command.Loadable[]): string {
  const optional = new Set(flags.filter(({ required }) => required !== true).map(usageOf));
  const others = earlier.map((command) => {
    const theirs = flagsOf(command).filter((flag) => !isCommon(flag));
    const [same = [], missing = []] = [true, false].map((isSame) =>
      theirs.filter((flag) => optional.has(usageOf({ ...flag, required: false })) === isSame),
    );
    return { command, same: same.map(({ name }) => name), missing: missing.map(({ name }) => `--${name}`) };
  });
  const like = others.find(({ same, missing }) => same.length > 4 && missing.length < 2);
  if (like === undefined) return `\`${flags.map(usageOf).join(" ")}\``;
  const own = flags.filter(({ name }) => !like.same.includes(name)).map(usageOf);
  return (
    [
      ...(own.length > 0 ? [`\`${own.join(" ")}\` and`] : []),
      `${own.length > 0 ? "the" : "The"} flags of \`${nameOf(like.command)}\``,
      ...(like.missing.length > 0 ? [`but ${listCode(like.missing)}`] : []),
    ].join(" ") + ", all optional."
  );
}

/** The first paragraph, and the link to the page that has the details: --help says the rest. */
function summaryOf(description: string): string {
  const page = /docs\/(\S+\.md)\s+has\s+the\s+details\./.exec(description)?.[1];
  const [summary = ""] = paragraphsOf(description);
  return page === undefined ? summary : `${summary} [${page}](${page}) has the details.`;
}

function nameOf({ id }: Command.Loadable): string {
  return `crm ${id.replaceAll(":", " ")}`;
}

/** `--scope SCOPE…`, `[--role owner|manager|member]`. */
function usageOf(flag: Command.Flag.Any): string {
  const choices = flag.type === "option" ? (flag.options ?? []) : [];
  const isShort = choices.length > 0 && choices.length <= 8;
  const spelled =
    isShort || isCommon(flag) ? `--${flag.name}${isShort ? ` ${choices.join("|")}` : ""}` : spellFlag(flag);
  const several = flag.type === "option" && flag.multiple === true ? "…" : "";
  return flag.required === true ? `${spelled}${several}` : `[${spelled}]${several}`;
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
  return options !== undefined || !/^(The( [\w-]+){1,2}|Its name)\.$/.test(description);
}

function describeArgument(arg: Command.Arg.Any): string {
  const { description = "", options } = arg;
  const choices = options === undefined ? "" : ` One of ${options.join(", ")}.`;
  return `\`${spellArgument(arg)}\`: ${toMarkdown(description)}${choices}`;
}

/** The first example that shows more than flags: a pipe, a redirection, a variable or JSON; --help has them all. */
function exampleOf({ examples = [] }: Command.Loadable): string | undefined {
  return examples.map(String).find((example) => /[|<>={$]/.test(example.replace("<%= config.bin %>", "")));
}

function listCode(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(", ");
}

/** Escapes Markdown; quoted commands become code. */
function toMarkdown(text: string): string {
  return text.replaceAll(/[<*]/g, String.raw`\$&`).replaceAll(/"(crm [^"]+)"/g, "`$1`");
}
