/** The commands in docs/cli.md, from their own descriptions, the source of --help. */
import { join } from "node:path";
import { Config, settings } from "@oclif/core";
import type { Command } from "@oclif/core";
import { paragraphsOf, spellArgument, spellFlag } from "../terminal/help/command-page.ts";
import { locationFlags, yesFlag } from "../terminal/input/flags.ts";

/** Flags that the handwritten part explains for all commands. */
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
    .map(([topic, listed]) =>
      [
        `## ${topic === "" ? "The service" : topic}`,
        ...listed.map((command, place) => describeCommand(command, listed.slice(0, place))),
      ].join("\n\n"),
    );
  return sections.join("\n\n").replaceAll("<%= config.bin %>", config.bin);
}

/** What --help explains at length: here one sentence, and the spelling of the flags. */
function describeCommand(command: Command.Loadable, earlier: readonly Command.Loadable[]): string {
  const flags = flagsOf(command);
  return [
    `### \`${[nameOf(command), ...Object.values(command.args).map(spellArgument)].join(" ")}\``,
    summaryOf(command.description ?? ""),
    ...(flags.length > 0 ? [describeFlags(flags, earlier)] : []),
  ].join("\n\n");
}

/** `[--name NAME]`, and those of `crm channels create` but `--kind`: many flags of an earlier command are not repeated. */
function describeFlags(flags: readonly Command.Flag.Any[], earlier: readonly Command.Loadable[]): string {
  const optional = new Set(flags.filter(({ required }) => required !== true).map(usageOf));
  const others = earlier.map((command) => {
    const theirs = flagsOf(command);
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

/** The first sentence, with a link to the page that has the details. */
function summaryOf(description: string): string {
  const page = /docs\/(\S+\.md)\s+has\s+the\s+details\./.exec(description)?.[1];
  const [sentence = ""] = (paragraphsOf(description)[0] ?? "").split(/(?<=\.)\s/);
  const summary = toMarkdown(sentence);
  return page === undefined ? summary : `${summary.replace(/\.$/, "")} ([details](${page})).`;
}

function nameOf({ id }: Command.Loadable): string {
  return `crm ${id.replaceAll(":", " ")}`;
}

/** `--scope SCOPE…`, `[--role owner|manager|member]`. */
function usageOf(flag: Command.Flag.Any): string {
  const choices = flag.type === "option" ? (flag.options ?? []) : [];
  const isShort = choices.length > 0 && choices.length <= 8;
  const spelled = isShort ? `--${flag.name} ${choices.join("|")}` : spellFlag(flag);
  const several = flag.type === "option" && flag.multiple === true ? "…" : "";
  return flag.required === true ? `${spelled}${several}` : `[${spelled}]${several}`;
}

function flagsOf({ flags }: Command.Loadable): Command.Flag.Any[] {
  return Object.values(flags).filter((flag) => flag.hidden !== true && !isCommon(flag));
}

function isCommon({ name, description }: Command.Flag.Any): boolean {
  return ["json", "limit"].includes(name) || (description !== undefined && common.get(name) === description);
}

function listCode(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(", ");
}

/** Escapes Markdown; quoted commands become code. */
function toMarkdown(text: string): string {
  return text.replaceAll(/[<*]/g, String.raw`\$&`).replaceAll(/"(crm [^"]+)"/g, "`$1`");
}
