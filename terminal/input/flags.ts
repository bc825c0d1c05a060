/** Flags and arguments that several commands share, each said once. */
import { Args, Flags } from "@oclif/core";
import { acceptedDuration, readDuration } from "../../src/kit/time/duration.ts";
import { WrongUsage } from "../failures.ts";

/** oclif's own integers answer a word with exit 1, and say neither whose it is nor what is accepted. */
export function readId(text: string, name: string): number {
  const id = /^[0-9]{1,16}$/.test(text) ? Number(text) : 0;
  if (id > 0 && Number.isSafeInteger(id)) return id;
  throw new WrongUsage(`${name} is ${JSON.stringify(text)}; accepted is an id, a whole number from 1.`);
}

/** The id of another record. */
export const idFlag = Flags.custom<number>({
  parse: async (text, _context, { name }) => readId(text, `--${name}`),
  helpValue: "ID",
});
const id = Args.custom<number>({ parse: async (text, _context, { name }) => readId(text, name.toUpperCase()) });

/** The tag that a command is about; chooseTag (choosing/choose-tag.ts) finds it. */
export const tagArgument = Args.string({ description: "The tag, by its id or its name.", required: true });

/** The person that a command is about. An address has an @, so that no id is one. */
const person = Args.custom<string | number>({
  parse: async (text) => (/^\d+$/.test(text) ? readId(text, "PERSON") : text),
});
export const personArgument = person({ description: "The person, by e-mail address or id.", required: true });

/** How many, from 1 to `most`. */
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
  throw new WrongUsage(`${name} is ${JSON.stringify(text)}; accepted is a whole number from ${least} to ${most}.`);
}

/** A span of time, read as milliseconds. */
export const durationFlag = Flags.custom<number>({
  async parse(text, _context, { name }) {
    const duration = readDuration(text);
    if (duration !== undefined) return duration;
    throw new WrongUsage(`--${name} is ${JSON.stringify(text)}; accepted is ${acceptedDuration}.`);
  },
  helpValue: "SPAN",
});

/** The id of the record that a command is about. */
export function idArgument(description: string) {
  return id({ description, required: true });
}

/** A workspace or a location, by its id or its name (choosing/choose-place.ts finds it). */
export const placeFlag = Flags.custom<string>({
  parse: async (text, _context, { name }) => readPlace(text, `--${name}`),
  helpValue: "ID|NAME",
});
const place = Args.custom<string>({ parse: async (text, _context, { name }) => readPlace(text, name.toUpperCase()) });

function readPlace(text: string, name: string): string {
  if (text.trim() !== "") return text.trim();
  throw new WrongUsage(`${name} is ${JSON.stringify(text)}; accepted is an id or a name.`);
}

/** The workspace or the location that a command is about. */
export function placeArgument(description: string) {
  return place({ description, required: true });
}

/** For commands that work in a workspace. */
export const workspaceFlag = {
  workspace: placeFlag({ description: "The workspace; optional if there is only one." }),
};

/** For commands that work in one location. */
export const placeFlags = {
  ...workspaceFlag,
  location: placeFlag({ description: "The location; optional if there is only one." }),
};

/** The locations that somebody or something reaches. */
export function reachFlag(description: string) {
  return placeFlag({ description, multiple: true, multipleNonGreedy: true });
}

/** For commands that take a list of locations: what an invitation or a key reaches. */
export const reachFlags = {
  ...workspaceFlag,
  location: reachFlag("A location to reach, repeatable; all by default."),
};

/** For commands that ask before they destroy something. */
export const yesFlag = { yes: Flags.boolean({ char: "y", description: "Do not ask for confirmation." }) };
