/** Every CRM_* setting: its default, its description and what it accepts; the only reader of process.env. */
// The settings are plain tables rather than zod schemas: zod takes 45 ms to load, and commands that need no database start here.
import { join, resolve } from "node:path";
import { lookUp, readFiles, SettingsError } from "./settings.sources.ts";
import type { Environment } from "./settings.sources.ts";
import * as read from "./settings.values.ts";

export { SettingsError };

const logLevels = ["silent", "error", "warn", "info", "debug", "trace"] as const;
const logFormats = ["pretty", "json"] as const;

export type Settings = {
  /** `sqlite:` and an absolute path, or a postgres:// or postgresql:// address. */
  databaseUrl: string;
  /** An absolute path. */
  dataDir: string;
  host: string;
  /** 0: any free port. */
  port: number;
  /** Without a slash at its end; null: the listening address. */
  baseUrl: string | null;
  /** Each 32 bytes in base64url or hex, the newest first; null: the key file in the data folder. */
  secretKeys: string[] | null;
  worker: boolean;
  workerCron: string;
  /** null: every rate limit is off. */
  rateLimit: { requests: number; seconds: number } | null;
  /** In bytes. */
  bodyLimit: number;
  /** Addresses and networks (CIDR). */
  trustedProxies: string[];
  logLevel: (typeof logLevels)[number];
  logFormat: (typeof logFormats)[number];
  eventRetentionDays: number;
};

type Key = keyof Settings;
type Source = "flag" | "environment" | "file" | "default";

export type SettingsOptions = {
  /** What the command line gave, by the names of Settings; undefined counts as not given. */
  flags?: Partial<Record<Key, string | number | boolean | undefined>>;
  environment?: Environment;
  /** Where crm.config.json and .env are looked for and relative paths begin; the working directory by default. */
  directory?: string;
};

type Definition<Value> = {
  name: `CRM_${string}`;
  /** The flag of the commands that take it on the command line. */
  flag?: `--${string}`;
  description: string;
  /** What it accepts, to end the sentence "accepted is …". */
  accepts: string;
  /** The text that is read when nothing was given; null: it stays unset. */
  fallback: string | null | ((settings: Settings) => string);
  /** The value of a trimmed text, or undefined for one that is not accepted. */
  read: (text: string, directory: string) => Value | undefined;
  /** How a given text may be shown; as it is, unless this says otherwise. */
  redact?: (text: string) => string;
};

// In the order of `crm config show`; a default may use what stands above it.
const definitions: { [K in Key]: Definition<Settings[K]> } = {
  dataDir: {
    name: "CRM_DATA_DIR",
    description: "Folder of the SQLite database, the master key and the first API key.",
    accepts: "a path",
    fallback: "./data",
    read: (text, directory) => resolve(directory, text),
  },
  databaseUrl: {
    name: "CRM_DATABASE_URL",
    description: "The database.",
    accepts:
      "sqlite:PATH, or postgres://USER:PASSWORD@HOST:PORT/DATABASE with special characters as %XX and, if any, an sslmode of disable, prefer, require, verify-ca, verify-full or no-verify",
    fallback: (settings) => `sqlite:${join(settings.dataDir, "crm.db")}`,
    read: read.databaseUrl,
    redact: read.redactPassword,
  },
  host: {
    name: "CRM_HOST",
    flag: "--host",
    description: "Address to listen on; 0.0.0.0 for every IPv4 address of the machine.",
    accepts: "an address or a host name",
    fallback: "127.0.0.1",
    read: (text) => (/^[\w.:%-]+$/.test(text) ? text : undefined),
  },
  port: {
    name: "CRM_PORT",
    flag: "--port",
    description: "Port to listen on; 0 for any free one.",
    accepts: "a whole number from 0 to 65535",
    fallback: "3000",
    read: (text) => read.integer(text, 0, 65_535),
  },
  baseUrl: {
    name: "CRM_BASE_URL",
    description: "Address under which clients reach the service; the listening address unless set.",
    accepts: "an http:// or https:// address without user, query and fragment",
    fallback: null,
    read: read.baseUrl,
    redact: read.redactPassword,
  },
  secretKeys: {
    name: "CRM_SECRET_KEYS",
    description:
      "Master keys that seal stored secrets; the first one seals, all of them open. Made once in the data folder unless set.",
    accepts: "a comma-separated list of keys, each 32 bytes as 43 base64url characters or 64 hex digits",
    fallback: null,
    read: read.secretKeys,
    redact: () => "[redacted]",
  },
  worker: {
    name: "CRM_WORKER",
    description: "Whether crm serve runs a worker inside.",
    accepts: "on or off",
    fallback: "on",
    read: read.onOff,
  },
  workerCron: {
    name: "CRM_WORKER_CRON",
    flag: "--cron",
    description: "How often the worker looks for work that nothing woke it for.",
    accepts: "a cron expression of five fields, or of six with seconds first",
    fallback: "*/5 * * * * *",
    read: read.cron,
  },
  rateLimit: {
    name: "CRM_RATE_LIMIT",
    description:
      "Requests per span and API key (or app and location), counted in each process; off turns every limit off.",
    accepts: "REQUESTS/SPAN such as 1000/10s, 600/1m or 5000/1h, or off",
    fallback: "1000/10s",
    read: read.rateLimit,
  },
  bodyLimit: {
    name: "CRM_BODY_LIMIT",
    description: "Largest accepted request body, in bytes.",
    accepts: "a whole number from 1 to 1073741824",
    fallback: "1048576",
    read: (text) => read.integer(text, 1, 1_073_741_824),
  },
  trustedProxies: {
    name: "CRM_TRUSTED_PROXIES",
    description: "Proxies whose X-Forwarded-For is believed; none unless set.",
    accepts: "a comma-separated list of addresses and networks such as 10.0.0.0/8",
    fallback: "",
    read: read.networks,
  },
  logLevel: {
    name: "CRM_LOG_LEVEL",
    description: "Least weight of what is logged.",
    accepts: logLevels.join(", "),
    fallback: "info",
    read: (text) => logLevels.find((level) => level === text.toLowerCase()),
  },
  logFormat: {
    name: "CRM_LOG_FORMAT",
    description: "Form of the log lines; pretty on a terminal and json otherwise unless set.",
    accepts: logFormats.join(" or "),
    fallback: () => (process.stdout.isTTY ? "pretty" : "json"),
    read: (text) => logFormats.find((format) => format === text.toLowerCase()),
  },
  eventRetentionDays: {
    name: "CRM_EVENT_RETENTION_DAYS",
    description: "How many days the payloads of events stay; the events themselves stay as activities.",
    accepts: "a whole number from 1 to 36500",
    fallback: "30",
    read: (text) => read.integer(text, 1, 36_500),
  },
};

const keys = Object.keys(definitions) as Key[];

/** Reads every setting: flag before environment before file before default. Throws a SettingsError on the first wrong one. */
export function loadSettings(options: SettingsOptions = {}): Settings {
  return readAll(options).settings;
}

/** Every setting as `crm config show` prints it; `value` is null where nothing is set, secrets are redacted. */
export function describeSettings(
  options: SettingsOptions = {},
): { name: string; value: string | null; source: Source; description: string }[] {
  const { shown } = readAll(options);
  return keys.map((key) => ({ name: definitions[key].name, ...shown[key], description: definitions[key].description }));
}

/** Whether the terminal says that it cannot go back in a line: TERM is no setting of ours, and read here because only here is. */
export function isDumbTerminal(environment: Environment = process.env): boolean {
  return environment["TERM"] === "dumb";
}

type Shown = { value: string | null; source: Source };

function readAll(options: SettingsOptions): { settings: Settings; shown: Record<Key, Shown> } {
  const { flags = {}, environment = process.env, directory = process.cwd() } = options;
  const file = readFiles(
    directory,
    keys.map((key) => definitions[key].name),
  );
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
      throw new SettingsError(`${from} is ${JSON.stringify(redact(text))}; accepted is ${definition.accepts}.`, {
        isFromFlag,
      });
    }
    settings[key] = value;
  }
  for (const key of keys) settle(key);
  return { settings, shown };
}
