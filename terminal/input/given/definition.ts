/** Reads a workflow definition from a file or stdin. */
import { Flags } from "@oclif/core";
import { readGivenJson } from "./given-json.ts";

export const fileFlag = Flags.string({
  description: "The definition: a JSON file, or - for stdin.",
  helpValue: "FILE|-",
});

/**
 * The definition given by the flag or argument `name`. Refuses invalid JSON with line and column, and an unreadable
 * file.
 */
export function readDefinitionFile(file: string, name = "file"): Promise<unknown> {
  return readGivenJson(name, file === "-" ? file : `@${file}`);
}
