/** Reads the definition of a workflow that a command is given: a file, or stdin. */
import { Flags } from "@oclif/core";
import { readGivenJson } from "./given-json.ts";

export const fileFlag = Flags.string({
  description: "The definition: a JSON file, or - for stdin.",
  helpValue: "FILE|-",
});

/** What the flag, or the argument, of this `name` gives. Refuses what is no JSON, with the line and the column of the mistake, and a file that cannot be read. */
export function readDefinitionFile(file: string, name = "file"): Promise<unknown> {
  return readGivenJson(name, file === "-" ? file : `@${file}`);
}
