/** The error for an unknown command, with a suggestion and where commands are listed. */
import { Errors } from "@oclif/core";
import type { Hook, Interfaces } from "@oclif/core";
import { mayBeSuggested, suggest } from "./suggest.ts";

/** Verbs of other tools → ours. */
const synonyms: readonly (readonly string[])[] = [
  ["create", "add", "new", "make", "invite"],
  ["list", "ls", "all", "search", "find"],
  ["show", "get", "view", "info"],
  ["update", "edit", "set", "change", "rename"],
  ["serve", "start", "run", "server"],
  ["setup", "init", "install"],
];

/**
 * `words` are those before the first flag, and that flag if no command takes it; `commands` are all commands and
 * topics.
 */
export function describeUnknown(words: readonly string[], commands: ReadonlySet<string>): string {
  let known = 0;
  while (known < words.length && commands.has(words.slice(0, known + 1).join(" "))) known++;
  const topic = words.slice(0, known).join(" ");
  const [unknown = "", ...others] = words.slice(known);
  const lists = `crm ${topic === "" ? "" : `${topic} `}--help lists all commands.`;
  if (unknown.startsWith("-")) {
    return `${unknown} is not a flag of crm${topic === "" ? "" : ` ${topic}`}; put flags after the command. ${lists}`;
  }
  const verbs = verbsBelow(topic, commands);
  if (verbs.length === 0) {
    const extra = [unknown, ...others].join(", ");
    return `Too many arguments for crm ${topic}: ${extra}. See crm ${topic} --help.`;
  }
  const meant = mayBeSuggested(unknown, verbs).find((verb) =>
    synonyms.some((group) => group.includes(verb) && group.includes(unknown)),
  );
  const found = meant ?? suggest(unknown, verbs);
  const typed = `crm ${words.join(" ")}`;
  if (found === undefined) return `"${typed}" is not a command. ${lists}`;
  const start = join(topic, found);
  const whole = [start, ...others].join(" ");
  return `"${typed}" is not a command. Did you mean "crm ${commands.has(whole) ? whole : start}"? ${lists}`;
}

/** Prints the error and exits as wrong usage. */
export function refuseUnknown(words: readonly string[], config: Interfaces.Config, { json = false } = {}): never {
  const inWords = (id: string): string => id.replaceAll(":", " ");
  const commands = new Set([...config.commandIDs, ...config.topics.map(({ name }) => name)].map(inWords));
  const message = describeUnknown(words, commands);
  if (json) process.stdout.write(`${JSON.stringify({ error: { message } }, null, 2)}\n`);
  process.stderr.write(`Error: ${message}\n`);
  throw new Errors.ExitError(2);
}

/** oclif hook (package.json registers it). */
export const commandNotFound: Hook.CommandNotFound = async ({ id, argv = [], config }) => {
  refuseUnknown(id.split(":"), config, { json: argv.includes("--json") });
};

function verbsBelow(topic: string, commands: ReadonlySet<string>): string[] {
  const depth = topic === "" ? 0 : topic.split(" ").length;
  return [...commands]
    .filter((command) => {
      const parts = command.split(" ");
      return parts.length === depth + 1 && parts.slice(0, depth).join(" ") === topic;
    })
    .map((command) => command.split(" ").at(-1)!);
}

function join(topic: string, verb: string): string {
  return topic === "" ? verb : `${topic} ${verb}`;
}
