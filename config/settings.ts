/** Every setting: what it is called, what it accepts, and what holds when nothing is given. How they are read is settings.loading.ts. */
// A plain table rather than zod schemas: zod takes 45 ms to load, and commands that need no database start here.
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import * as read from "./settings.values.ts";

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
  /** How many processes of crm serve answer on the port. */
  processes: number;
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
  logRequests: boolean;
  eventRetentionDays: number;
  /** Addresses and networks (CIDR) that webhooks may reach although they are not public. */
  webhookAllowedNetworks: string[];
  /** Whether webhooks may go to http:// addresses. */
  webhookAllowHttp: boolean;
  /** Seconds between the five attempts of a delivery. */
  webhookRetryDelays: number[];
  webhookRetentionDays: number;
  /** Seconds between the attempts to send a message; there is one attempt more. */
  messageRetryDelays: number[];
  /** The server that takes the service's own mails, its password included; null: links are printed instead of mailed. */
  smtpUrl: string | null;
  /** Whom they come from: an address, or a name and an address in angle brackets. */
  mailFrom: string | null;
  /** For those who receive webhooks: what `crm hooks verify` and `listen` verify with. */
  hookSecret: string | null;
  /** For those who make marketplace apps: what `crm billing report` reports with. */
  clientId: string | null;
  clientSecret: string | null;
  /** Of the Stripe account that platform billing charges with; null: apps with platform billing are neither published nor installed. */
  stripeSecretKey: string | null;
  /** Of the endpoint /api/billing/stripe, as Stripe shows it. */
  stripeWebhookSecret: string | null;
  /** Without a slash at its end; null: Stripe itself. */
  stripeApiUrl: string | null;
  /** How many days an app keeps working while its payment is past due. */
  billingGraceDays: number;
};

/** One row of the table. */
export type Definition<Value> = {
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
export const definitions: { readonly [K in keyof Settings]: Definition<Settings[K]> } = {
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
    // What listhen takes: at anything else it would listen at 0.0.0.0 instead.
    read: (text) => (/^(?!-)[\d.:A-Za-z-]{1,63}(?<!-)$/.test(text) ? text : undefined),
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
  processes: {
    name: "CRM_PROCESSES",
    flag: "--processes",
    description: "How many processes of crm serve answer on the port.",
    accepts: "a whole number from 1 to 64, or auto for one on each core",
    fallback: "1",
    read: (text) => (text.toLowerCase() === "auto" ? Math.min(availableParallelism(), 64) : read.integer(text, 1, 64)),
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
      "Requests per span and API key (or app and location), counted by all processes of a crm serve together; off turns every limit off.",
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
  logRequests: {
    name: "CRM_LOG_REQUESTS",
    description: "Whether every answer is logged: its status, how long it took, the API key and the request id.",
    accepts: "on or off",
    fallback: "off",
    read: read.onOff,
  },
  eventRetentionDays: {
    name: "CRM_EVENT_RETENTION_DAYS",
    description: "How many days the payloads of events stay; the events themselves stay as activities.",
    accepts: "a whole number from 1 to 36500",
    fallback: "30",
    read: (text) => read.integer(text, 1, 36_500),
  },
  webhookAllowedNetworks: {
    name: "CRM_WEBHOOK_ALLOWED_NETWORKS",
    description: "Networks that webhooks may reach although they are not public; none unless set.",
    accepts: "a comma-separated list of addresses and networks such as 10.0.0.0/8",
    fallback: "",
    read: read.networks,
  },
  webhookAllowHttp: {
    name: "CRM_WEBHOOK_ALLOW_HTTP",
    description: "Whether webhooks may go to http:// addresses; only where the service itself is reached by loopback.",
    accepts: "on or off",
    fallback: "off",
    read: read.onOff,
  },
  webhookRetryDelays: {
    name: "CRM_WEBHOOK_RETRY_DELAYS",
    description: "Seconds between the five attempts of a delivery.",
    accepts: "four whole numbers from 1 to 604800, parted by commas",
    fallback: "60,300,1800,7200",
    read: (text) => read.delays(text, 4, 4),
  },
  webhookRetentionDays: {
    name: "CRM_WEBHOOK_RETENTION_DAYS",
    description: "How many days the log of deliveries and their attempts stays.",
    accepts: "a whole number from 1 to 36500",
    fallback: "30",
    read: (text) => read.integer(text, 1, 36_500),
  },
  messageRetryDelays: {
    name: "CRM_MESSAGE_RETRY_DELAYS",
    description: "Seconds between the attempts to send a message, which has failed after the last of them.",
    accepts: "one to twenty whole numbers from 1 to 604800, parted by commas",
    fallback: "60,300,900,1800,3600,7200,14400",
    read: (text) => read.delays(text, 1, 20),
  },
  smtpUrl: {
    name: "CRM_SMTP_URL",
    description: "The mail server that takes invitations and links to another password; without one they are printed.",
    accepts: "smtp://[USER:PASSWORD@]HOST[:PORT] or smtps://…, with ?tls=optional for a server without TLS",
    fallback: null,
    read: read.smtpUrl,
    redact: read.redactPassword,
  },
  mailFrom: {
    name: "CRM_MAIL_FROM",
    description: "Whom these mails come from.",
    accepts: 'an e-mail address, or a name and an address, such as "Acme <crm@acme.example>"',
    fallback: null,
    read: (text) => (read.isMailbox(text) ? text : undefined),
  },
  hookSecret: {
    name: "CRM_HOOK_SECRET",
    flag: "--secret",
    description:
      "The secret of a webhook, for crm hooks verify and crm hooks listen; the service itself has no use for it.",
    accepts: "what was shown when the webhook was registered",
    fallback: null,
    read: (text) => text,
    redact: () => "[redacted]",
  },
  clientId: {
    name: "CRM_CLIENT_ID",
    flag: "--client-id",
    description: "The client id of a marketplace app, for crm billing report; the service itself has no use for it.",
    accepts: "what was shown when the app was made",
    fallback: null,
    // What a header can carry.
    read: (text) => (/^[!-~]+$/.test(text) ? text : undefined),
  },
  clientSecret: {
    name: "CRM_CLIENT_SECRET",
    description:
      "The client secret of a marketplace app, for crm billing report; the service itself has no use for it.",
    accepts: "what was shown when the app was made",
    fallback: null,
    // What a header can carry.
    read: (text) => (/^[!-~]+$/.test(text) ? text : undefined),
    redact: () => "[redacted]",
  },
  stripeSecretKey: {
    name: "CRM_STRIPE_SECRET_KEY",
    description: "The secret key of the Stripe account that platform billing charges with; none unless set.",
    accepts: "a secret or restricted key of Stripe, such as sk_test_… or rk_live_…",
    fallback: null,
    read: (text) => (/^[rs]k_(test|live)_[0-9A-Za-z_]+$/.test(text) ? text : undefined),
    redact: () => "[redacted]",
  },
  stripeWebhookSecret: {
    name: "CRM_STRIPE_WEBHOOK_SECRET",
    description: "The signing secret of the webhook endpoint at /api/billing/stripe.",
    accepts: "what Stripe shows for the endpoint, such as whsec_…",
    fallback: null,
    read: (text) => (/^[!-~]+$/.test(text) ? text : undefined),
    redact: () => "[redacted]",
  },
  stripeApiUrl: {
    name: "CRM_STRIPE_API_URL",
    description: "Where Stripe's API is reached; for tests.",
    accepts: "an http:// or https:// address without user, path, query and fragment",
    fallback: null,
    read: (text) => {
      const url = read.baseUrl(text);
      return url !== undefined && new URL(url).pathname === "/" ? url : undefined;
    },
  },
  billingGraceDays: {
    name: "CRM_BILLING_GRACE_DAYS",
    description: "How many days an app keeps working while its payment is past due.",
    accepts: "a whole number from 0 to 365",
    fallback: "7",
    read: (text) => read.integer(text, 0, 365),
  },
};
