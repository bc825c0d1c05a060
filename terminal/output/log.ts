/** The log of a command: on stderr, so that stdout carries the result alone. */
import { createConsola, LogLevels } from "consola";
import type { ConsolaInstance, ConsolaReporter } from "consola";
import type { Settings } from "../../config/settings.ts";

const levels = {
  silent: LogLevels.silent,
  error: LogLevels.error,
  warn: LogLevels.warn,
  info: LogLevels.info,
  debug: LogLevels.debug,
  trace: LogLevels.trace,
};

export function createLog({ logLevel, logFormat }: Pick<Settings, "logLevel" | "logFormat">): ConsolaInstance {
  return createConsola({
    level: levels[logLevel],
    stdout: process.stderr,
    stderr: process.stderr,
    ...(logFormat === "json" ? { reporters: [jsonLines] } : {}),
  });
}

/** One JSON object a line. */
const jsonLines: ConsolaReporter = {
  log({ type, date, args }) {
    const fields: Record<string, unknown> = { time: date.toISOString(), level: type };
    for (const part of args) {
      if (part instanceof Error) fields["error"] = part;
      else if (typeof part === "object" && part !== null) Object.assign(fields, part);
      else
        fields["message"] =
          fields["message"] === undefined ? String(part) : `${String(fields["message"])} ${String(part)}`;
    }
    process.stderr.write(`${JSON.stringify(fields, describeError)}\n`);
  },
};

/** Errors have no members that JSON would show. */
function describeError(_name: string, value: unknown): unknown {
  return value instanceof Error ? { name: value.name, message: value.message, stack: value.stack } : value;
}
