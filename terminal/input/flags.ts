/** Flags and arguments shared by several commands. */
import { Args, Flags } from "@oclif/core";
import { acceptedDuration, readDuration } from "../../src/kit/time/duration.ts";
import { WrongUsage } from "../failures.ts";

/** oclif's own integer flags exit with 1 for a word, and name neither the flag nor what is accepted. */
export function readId(text: string, name: string): number {
  const id = /^[0-9]{1,16}$/.test(text) ? Number(text) : 0;
  if (id > 0 && Number.isSafeInteger(id)) return id;
  throw new WrongUsage(`${name} is ${JSON.stringify(text)}; expected an id, a whole number from 1.`);
}

/** The ID of another record. */
export const idFlag = Flags.custom<number>({
  parse: async (text, _context, { name }) => readId(text, `--${name}`),
  helpValue: "ID",
});
const id = Args.custom<number>({ parse: async (text, _context, { name }) => readId(text, name.toUpperCase()) });

/** The tag of a command; chooseTag (choosing/choose-tag.ts) resolves it. */
export const tagArgument = Args.string({ description: "ID or name of the tag.", required: true });

/** The person of a command. An address contains @, so no ID is one. */
const person = Args.custom<string | number>({
  parse: async (text) => (/^\d+$/.test(text) ? readId(text, "PERSON") : text),
});
export const personArgument = person({ description: "E-mail address or ID of the person.", required: true });

/** A count from 1 to `most`. */
export function countFlag(most: number, options: { description: string; default: number }) {
  return wholeFlag({ least: 1, most }, options);
}

/** A whole number within bounds. */
export function wholeFlag(
  { least, most }: { readonly least: number; readonly most: number },
  options: { description: string; default: number },
) {
  return Flags.custom<number>({
    parse: async (text, _context, { name }) => readWhole(text, `--${name}`, { least, most }),
    helpValue: "N",
    ...options,
  })();
}

export function readWhole(text: string, name: string, { least, most }: { least: number; most: number }): number {
  const number = /^[0-9]{1,9}$/.test(text) ? Number(text) : -1;
  if (number >= least && number <= most) return number;
  throw new WrongUsage(`${name} is ${JSON.stringify(text)}; expected a whole number from ${least} to ${most}.`);
}

/** A duration, in milliseconds. */
export const durationFlag = Flags.custom<number>({
  async parse(text, _context, { name }) {
    const duration = readDuration(text);
    if (duration !== undefined) return duration;
    throw new WrongUsage(`--${name} is ${JSON.stringify(text)}; expected ${acceptedDuration}.`);
  },
  helpValue: "SPAN",
});

/** The ID of the record of a command. */
export function idArgument(description: string) {
  return id({ description, required: true });
}

/** ID or name of a workspace or a location (choosing/choose-location.ts resolves it). */
export const idOrNameFlag = Flags.custom<string>({
  parse: async (text, _context, { name }) => readIdOrName(text, `--${name}`),
  helpValue: "ID|NAME",
});
const idOrName = Args.custom<string>({
  parse: async (text, _context, { name }) => readIdOrName(text, name.toUpperCase()),
});

function readIdOrName(text: string, name: string): string {
  if (text.trim() !== "") return text.trim();
  throw new WrongUsage(`${name} is ${JSON.stringify(text)}; expected an id or a name.`);
}

/** The workspace or location of a command. */
export function idOrNameArgument(description: string) {
  return idOrName({ description, required: true });
}

/** For commands in a workspace. */
export const workspaceFlag = {
  workspace: idOrNameFlag({ description: "The workspace; optional if there is only one." }),
};

/** For commands in a location. */
export const locationFlags = {
  ...workspaceFlag,
  location: idOrNameFlag({ description: "The location; optional if there is only one." }),
};

/** The locations that a person or key can access. */
export function reachFlag(description: string) {
  return idOrNameFlag({ description, multiple: true, multipleNonGreedy: true });
}

/** For commands that take a list of locations, such as invitations and keys. */
export const reachFlags = {
  ...workspaceFlag,
  location: reachFlag("A location to reach, repeatable; all by default."),
};

/** For commands that ask before they destroy something. */
export const yesFlag = { yes: Flags.boolean({ char: "y", description: "Do not ask for confirmation." }) };
