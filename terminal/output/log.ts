/** The log of a command: one line an entry, on stderr, so that stdout carries the result alone. */
import { styleText } from "node:util";
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
  const format = logFormat === "json" ? toJson : (entry: LogObject) => toPretty(entry, onTerminal);
  return createConsola({
    level: levels[logLevel],
    reporters: [
      { log: (entry) => void process.stderr.write(`${format({ ...entry, args: [...entry.args, fields] })}\n`) },
    ],
  });
}

type Entry = Pick<LogObject, "date" | "type" | "args">;
type Look = Parameters<typeof styleText>[0];
type Style = (look: Look, text: string) => string;

/** With colours where stderr is a terminal that has them: NO_COLOR takes them away, FORCE_COLOR has them in a pipe as well. */
const onTerminal: Style = (look, text) => styleText(look, text, { stream: process.stderr });

/** How a level looks; what is not here is dim. */
const looks: Readonly<Record<string, Look>> = {
  fatal: ["red", "bold"],
  error: ["red", "bold"],
  warn: ["yellow", "bold"],
  info: "green",
};

/** `{"time", "level", "message", …fields}` */
export function toJson({ date, type, args }: Entry): string {
  const { message, ...fields } = toFields(args);
  return JSON.stringify({ time: date.toISOString(), level: type, message, ...fields });
}

/** `<time> <level> <message> <name>=<value> …`; what is no plain word stands in quotes, line ends and all. */
export function toPretty({ date, type, args }: Entry, style: Style = (_look, text) => text): string {
  const { message, ...fields } = toFields(args);
  const words = Object.entries(fields).map(([name, value]) => `${style("dim", `${name}=`)}${toWord(value)}`);
  const level = style(looks[type] ?? "dim", type.padEnd(5));
  return [style("dim", date.toISOString()), level, style("bold", printable(message)), ...words].join(" ");
}

function toWord(value: unknown): string {
  if (value === null) return "-";
  const text = typeof value === "object" && "stack" in value ? String(value.stack) : value;
  const word = typeof text === "string" ? text : JSON.stringify(text);
  return /^[^\s"\p{Cc}]+$/u.test(word) ? word : printable(JSON.stringify(word));
}

/** An entry without words of its own says what its error says. */
function toFields(args: readonly unknown[]): { readonly message: string; readonly [name: string]: unknown } {
  const fields: Record<string, unknown> = {};
  const said: string[] = [];
  for (const part of args) {
    if (part instanceof Error) fields["error"] = describeError(part);
    else if (typeof part === "object" && part !== null) Object.assign(fields, part);
    else said.push(String(part));
  }
  if (fields["error"] instanceof Error) fields["error"] = describeError(fields["error"]);
  const message = said.length > 0 ? said.join(" ") : messageOf(fields["error"]);
  return { ...fields, message };
}

function messageOf(error: unknown): string {
  return typeof error === "object" && error !== null && "message" in error
    ? String(error.message)
    : String(error ?? "");
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
