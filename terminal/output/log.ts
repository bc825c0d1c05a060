/** The log of a command: one line an entry, on stderr, so that stdout carries the result alone. */
import { createConsola, LogLevels } from "consola/core";
import type { ConsolaInstance, LogObject } from "consola/core";
import type { Settings } from "../../config/settings.ts";
import { Unavailable } from "../../src/vocabulary/errors.ts";
import { printable } from "./table.ts";

const levels = {
  silent: LogLevels.silent,
  error: LogLevels.error,
  warn: LogLevels.warn,
  info: LogLevels.info,
  debug: LogLevels.debug,
  trace: LogLevels.trace,
};

/** An entry is a message, and fields as an object; an error may stand for either. `fields` stand in every entry. */
export function createLog(
  { logLevel, logFormat }: Pick<Settings, "logLevel" | "logFormat">,
  fields: object = {},
): ConsolaInstance {
  const format = logFormat === "json" ? toJson : toPretty;
  return createConsola({
    level: levels[logLevel],
    reporters: [
      { log: (entry) => void process.stderr.write(`${format({ ...entry, args: [...entry.args, fields] })}\n`) },
    ],
  });
}

function toJson({ date, type, args }: LogObject): string {
  const { message, ...fields } = toFields(args);
  return JSON.stringify({ time: date.toISOString(), level: type, message, ...fields });
}

/** `<time> <level> <message> <name>=<value> …`; what is no plain word stands in quotes, line ends and all. */
export function toPretty({ date, type, args }: Pick<LogObject, "date" | "type" | "args">): string {
  const { message, ...fields } = toFields(args);
  const words = Object.entries(fields).map(([name, value]) => `${name}=${toWord(value)}`);
  const said = message === undefined ? [] : [printable(String(message))];
  return [date.toISOString(), type.padEnd(5), ...said, ...words].join(" ");
}

function toWord(value: unknown): string {
  if (value === null) return "-";
  const text = typeof value === "object" && "stack" in value ? String(value.stack) : value;
  const word = typeof text === "string" ? text : JSON.stringify(text);
  return /^[^\s"\p{Cc}]+$/u.test(word) ? word : printable(JSON.stringify(word));
}

function toFields(args: readonly unknown[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const said: string[] = [];
  for (const part of args) {
    if (part instanceof Error) fields["error"] = describeError(part);
    else if (typeof part === "object" && part !== null) Object.assign(fields, part);
    else said.push(String(part));
  }
  if (fields["error"] instanceof Error) fields["error"] = describeError(fields["error"]);
  return said.length > 0 ? { message: said.join(" "), ...fields } : fields;
}

/**
 * Errors have no members that JSON would show. What a driver adds to one, such as the row that failed, is left out; and the stack, where
 * the database is to blame: every request of such a moment would log one, and none says more than the sentence.
 */
function describeError(error: Error): object | string {
  if (error instanceof Unavailable) return error.message;
  const { name, message, stack } = error;
  return { name, message, stack };
}
