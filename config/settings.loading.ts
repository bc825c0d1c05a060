/** Loads the settings by precedence: flag, environment, file, default; each validated by settings.ts. */
import { definitions } from "./settings.ts";
import type { Definition, Settings } from "./settings.ts";
import { claimsToBeOurs, judgeName } from "./settings.names.ts";
import { lookUp, readFiles, SettingsError } from "./settings.sources.ts";
import type { Environment } from "./settings.sources.ts";

type Key = keyof Settings;
type Source = "flag" | "environment" | "file" | "default";

export type SettingsOptions = {
  /** Values of flags by name; undefined counts as not given. */
  flags?: Partial<Record<Key, string | number | boolean | undefined>>;
  environment?: Environment;
  /** The directory of crm.config.json and .env, and of relative paths; default: the working directory. */
  directory?: string;
};

const keys = Object.keys(definitions) as Key[];
const names = keys.map((key) => definitions[key].name);

/** Loads every setting by precedence. Throws a SettingsError for the first invalid one. */
export function loadSettings(options: SettingsOptions = {}): Settings {
  return readAll(options).settings;
}

/** Every setting as shown by `crm config show`; `value` is null if unset, and secrets are redacted. */
export function describeSettings(
  options: SettingsOptions = {},
): { name: string; value: string | null; source: Source; description: string }[] {
  const { shown } = readAll(options);
  return keys.map((key) => ({ name: definitions[key].name, ...shown[key], description: definitions[key].description }));
}

/**
 * A warning for each environment variable that looks like a setting but is none. Not an error: other programs use the
 * environment too.
 */
export function unknownSettings(environment: Environment = process.env): string[] {
  const claims = Object.keys(environment).filter((entry) => claimsToBeOurs(entry) && environment[entry]?.trim());
  return claims.flatMap((entry) => judgeName(entry, "the environment", names) ?? []);
}

type Shown = { value: string | null; source: Source };

function readAll(options: SettingsOptions): { settings: Settings; shown: Record<Key, Shown> } {
  const { flags = {}, environment = process.env, directory = process.cwd() } = options;
  const file = readFiles(directory, names);
  const sources = [
    { source: "environment" as const, entries: environment, originOf: () => "the environment" },
    { source: "file" as const, entries: file.entries, originOf: file.originOf },
  ];
  const settings = {} as Settings;
  const shown = {} as Record<Key, Shown>;

  function settle<K extends Key>(key: K): void {
    const definition: Definition<Settings[K]> = definitions[key];
    const { name, fallback, redact = (text: string) => text } = definition;
    const flag = flags[key];
    const given =
      flag === undefined
        ? lookUp(name, sources, directory)
        : { text: String(flag).trim(), source: "flag" as const, from: "the command line" };
    const text = given?.text ?? (typeof fallback === "function" ? fallback(settings) : fallback);
    shown[key] = { value: text === null ? null : redact(text), source: given?.source ?? "default" };
    if (text === null) {
      settings[key] = null as Settings[K]; // only settings whose type has null fall back to null
      return;
    }
    const value = definition.read(text, directory);
    if (value === undefined) {
      const isFromFlag = given?.source === "flag";
      const from = isFromFlag ? (definition.flag ?? name) : `${name} from ${given?.from ?? "its default"}`;
      throw new SettingsError(`${from} is ${JSON.stringify(redact(text))}; expected ${definition.accepts}.`, {
        isFromFlag,
      });
    }
    settings[key] = value;
  }
  for (const key of keys) settle(key);
  return { settings, shown };
}
