/** An event name as an argument or flag: there are too many to list as choices in the help. */
import { Args, Flags } from "@oclif/core";
import { nearest } from "../../../src/kit/nearest.ts";
import { eventNames } from "../../../src/vocabulary/events.ts";
import type { EventName } from "../../../src/vocabulary/events.ts";
import { WrongUsage } from "../../failures.ts";

function readName<Name extends string>(names: readonly Name[], given: string, source: string): Name {
  const known = names.find((name) => name === given);
  if (known !== undefined) return known;
  const meant = nearest(given, names);
  const suggestion = meant === undefined ? "" : ` Did you mean ${meant}?`;
  throw new WrongUsage(`${source} is ${JSON.stringify(given)}; expected one of ${names.join(", ")}.${suggestion}`);
}

/** An argument that is one of `names`. */
export function eventArgument<Name extends string>(names: readonly Name[], options: { description: string }) {
  return Args.custom<Name>({
    parse: async (text, _context, { name }) => readName(names, text, name.toUpperCase()),
    ...options,
  });
}

/** A flag that is the name of any event. */
export const eventFlag = Flags.custom<EventName>({
  parse: async (text, _context, { name }) => readName(eventNames, text, `--${name}`),
  helpValue: "NAME",
});
