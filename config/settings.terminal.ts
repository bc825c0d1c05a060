/**
 * Environment variables of the terminal. They are not settings, but only `config/settings*.ts` reads the environment.
 */
import type { Environment } from "./settings.sources.ts";

/** Whether the terminal cannot move the cursor back (TERM=dumb). */
export function isDumbTerminal(environment: Environment = process.env): boolean {
  return environment["TERM"] === "dumb";
}

/** COLUMNS, for a terminal without a size or no terminal; undefined for an invalid number. */
export function givenColumns(environment: Environment = process.env): number | undefined {
  const text = environment["COLUMNS"] ?? "";
  return /^[1-9]\d{0,3}$/.test(text) ? Number(text) : undefined;
}
