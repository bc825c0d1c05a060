/** What the environment says of the terminal. None of it is a setting of ours; it is read here because only `config/settings*.ts` reads the environment. */
import type { Environment } from "./settings.sources.ts";

/** Whether the terminal says that it cannot go back in a line. */
export function isDumbTerminal(environment: Environment = process.env): boolean {
  return environment["TERM"] === "dumb";
}

/** COLUMNS, for a terminal that has no size and for what is no terminal; undefined where it is no number of columns. */
export function givenColumns(environment: Environment = process.env): number | undefined {
  const text = environment["COLUMNS"] ?? "";
  return /^[1-9]\d{0,3}$/.test(text) ? Number(text) : undefined;
}
