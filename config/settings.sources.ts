/** Sources of settings: the environment, crm.config.json and .env, each by NAME or by a file given as NAME_FILE. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { claimsToBeOurs, judgeName } from "./settings.names.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

type Source<Kind extends string> = {
  source: Kind;
  entries: Environment;
  /** The source of an entry, for messages. */
  originOf: (entry: string) => string;
};

/** An invalid setting: the message has its name, the value (secrets redacted) and what is accepted. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
  /** Whether it comes from the command line. */
  readonly isFromFlag: boolean;
  constructor(message: string, { isFromFlag = false } = {}) {
    super(message);
    this.isFromFlag = isFromFlag;
  }
}

/**
 * The text of a setting from the first source that has it. Blank counts as not given, since composed environments leave
 * blanks. Refuses NAME and NAME_FILE in one source as ambiguous.
 */
export function lookUp<Kind extends string>(
  name: string,
  sources: readonly Source<Kind>[],
  directory: string,
): { text: string; source: Kind; from: string } | undefined {
  for (const { source, entries, originOf } of sources) {
    const text = entries[name]?.trim();
    const path = entries[`${name}_FILE`]?.trim();
    if (text && path) {
      throw new SettingsError(`${name} and ${name}_FILE are both given in ${originOf(name)}; expected one of them.`);
    }
    if (text) return { text, source, from: originOf(name) };
    if (path) {
      const held = readText(resolve(directory, path))?.trim();
      if (held) return { text: held, source, from: `the file ${path}` };
      throw new SettingsError(
        `${name}_FILE from ${originOf(`${name}_FILE`)} is ${JSON.stringify(path)}; expected a readable file that contains the value.`,
      );
    }
  }
  return undefined;
}

/**
 * Reads crm.config.json and .env of the directory; crm.config.json takes precedence. Refuses unknown names with a
 * suggestion: a misspelt setting would otherwise be ignored silently.
 */
export function readFiles(
  directory: string,
  names: readonly string[],
): { entries: Environment; originOf: (entry: string) => string } {
  const config = readConfig(join(directory, "crm.config.json"));
  const dotenv = parseEnv(readText(join(directory, ".env")) ?? "");
  for (const entry of Object.keys(config)) refuseUnknown(entry, "crm.config.json", names);
  // .env is shared with other programs.
  for (const entry of Object.keys(dotenv).filter(claimsToBeOurs)) refuseUnknown(entry, ".env", names);
  return {
    entries: { ...dotenv, ...config },
    originOf: (entry) => (Object.hasOwn(config, entry) ? "crm.config.json" : ".env"),
  };
}

/** An object of settings; numbers, booleans and lists may be JSON values. */
function readConfig(path: string): Record<string, string> {
  const text = readText(path);
  if (text === undefined) return {};
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    // The parser's message is omitted: it quotes the file, which may contain secrets.
    throw new SettingsError("crm.config.json is not valid JSON; expected an object of CRM_* settings.");
  }
  if (typeof content !== "object" || content === null || Array.isArray(content)) {
    throw new SettingsError("crm.config.json is not an object; expected an object of CRM_* settings.");
  }
  const entries: Record<string, string> = {};
  for (const [entry, value] of Object.entries(content)) {
    if (entry === "$schema" || value === null) continue;
    const parts: unknown[] = Array.isArray(value) ? value : [value];
    if (!parts.every((part) => ["string", "number", "boolean"].includes(typeof part))) {
      throw new SettingsError(`${entry} in crm.config.json is neither text, number, true, false nor a list of them.`);
    }
    entries[entry] = parts.join(",");
  }
  return entries;
}

/** The text of a file, without the byte order mark that editors of Windows write; undefined if it does not exist. Refuses an unreadable one, and UTF-16. */
function readText(path: string): string | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new SettingsError(`${path} cannot be read (${code}); expected a readable file.`);
  }
  if (isUtf16(bytes)) throw new SettingsError(`${path} is in UTF-16; save it as UTF-8.`);
  return bytes.toString().replace(/^\uFEFF/, "");
}

/** By its byte order mark, or the zero byte beside its first letter. */
function isUtf16([first, second]: Buffer): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || first === 0 || second === 0;
}

function refuseUnknown(entry: string, file: string, names: readonly string[]): void {
  const sentence = judgeName(entry, file, names);
  if (sentence !== undefined) throw new SettingsError(sentence);
}
