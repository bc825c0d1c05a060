/** The possible continuations of each command line prefix. */
import type { Command, Config } from "@oclif/core";

export interface Word {
  readonly name: string;
  readonly description: string;
}

export interface Flag extends Word {
  /** Undefined for a flag without a value; else the choices, a file, or free text. */
  readonly value: Value | undefined;
}

export type Value = readonly string[] | "file" | "unknown";

export interface Step {
  /** The words after `crm`, such as `contacts import`; empty at the start. */
  readonly path: string;
  readonly next: readonly Word[];
  readonly flags: readonly Flag[];
  /** The first argument; undefined if there is none. */
  readonly argument: Value | undefined;
}

export function stepsOf({ commands, topics }: Pick<Config, "commands" | "topics">): Step[] {
  const described = new Map([...topics.map(toWord), ...commands.map(toWord)]);
  const shown = [...described.keys()].toSorted();
  const children = (path: string): Word[] =>
    shown
      .filter((other) => other.split(" ").length === path.split(" ").filter(Boolean).length + 1)
      .filter((other) => path === "" || other.startsWith(`${path} `))
      .map((other) => ({ name: other.split(" ").at(-1)!, description: described.get(other)! }));
  const ofCommands = commands
    .filter(({ hidden }) => hidden !== true)
    .map(({ id, flags, args }) => ({
      path: id.replaceAll(":", " "),
      // Of a command that is a topic as well, such as backup.
      next: children(id.replaceAll(":", " ")),
      flags: [...Object.values(flags).flatMap(toFlags), helpFlag],
      argument: Object.values(args).map(toValue)[0],
    }));
  const runnable = new Set(ofCommands.map(({ path }) => path));
  const ofTopics = ["", ...shown]
    .filter((path) => !runnable.has(path))
    .map((path) => ({ path, next: children(path) }))
    .filter(({ next }) => next.length > 0);
  const first: readonly Flag[] = [helpFlag, { name: "--version", description: "Show the version.", value: undefined }];
  return [
    ...ofTopics.map(({ path, next }) => ({ path, next, flags: path === "" ? first : [helpFlag], argument: undefined })),
    ...ofCommands.toSorted((one, other) => (one.path < other.path ? -1 : 1)),
  ];
}

const helpFlag: Flag = { name: "--help", description: "Show help.", value: undefined };

function toWord(named: { id?: string; name?: string; description?: string | undefined }): [string, string] {
  return [(named.id ?? named.name ?? "").replaceAll(":", " "), (named.description ?? "").split("\n")[0]!];
}

function toFlags(flag: Command.Flag.Cached): Flag[] {
  const { name, description = "" } = flag;
  if (flag.type === "option") return [{ name: `--${name}`, description, value: toValue(flag) }];
  const plain = { name: `--${name}`, description, value: undefined };
  return flag.allowNo === true ? [plain, { ...plain, name: `--no-${name}` }] : [plain];
}

/** Files are recognized by their name in the help. */
function toValue({ name, ...of }: { name: string; options?: readonly string[]; helpValue?: string | string[] }): Value {
  if (of.options !== undefined) return of.options;
  return name === "file" || of.helpValue === "FILE" ? "file" : "unknown";
}
