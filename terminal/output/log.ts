/** The log of a command: one line per entry, on stderr, so that stdout carries only the result. */
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

/** An entry is a message with fields as an object; an error may replace either. `fields` are added to every entry. */
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

/** Warnings of Node become entries, so that every line of the log has its form. */
export function logWarnings(log: ConsolaInstance): void {
  process.removeAllListeners("warning").on("warning", (warning) => log.warn("warning of Node", { error: warning }));
}

type Entry = Pick<LogObject, "date" | "type" | "args">;
type Look = Parameters<typeof styleText>[0];
type Style = (look: Look, text: string) => string;

/** Colored if stderr is a terminal that supports it; NO_COLOR disables colors, FORCE_COLOR enables them in a pipe. */
const onTerminal: Style = (look, text) => styleText(look, text, { stream: process.stderr });

/** Color per level; others are dim. */
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

/** `<time> <level> <message> <name>=<value> …`; values other than plain words are quoted, line breaks included. */
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

/** An entry without a message uses that of its error. */
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
 * Errors have no enumerable members for JSON. Members that a driver adds, such as the failed row, are omitted. So is
 * the stack of a database error: during an outage every request would log one that says no more than the sentence.
 */
function describeError(error: Error): object | string {
  if (error instanceof Unavailable) return error.message;
  const { name, message, stack } = error;
  return { name, message, stack };
}
