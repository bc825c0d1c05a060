/** Every setting: its name, accepted values and default. settings.loading.ts loads them. */
// A plain table instead of zod schemas: zod takes 45 ms to load, and every command loads this.
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { readContentCodings } from "../src/kit/input/content-codings.ts";
import type { ContentCoding } from "../src/kit/input/content-codings.ts";
import { readKeepRule } from "../src/kit/input/keep-rule.ts";
import * as read from "./settings.values.ts";

const logLevels = ["silent", "error", "warn", "info", "debug", "trace"] as const;
const metricsModes = ["off", "loopback"] as const;
const logFormats = ["pretty", "json"] as const;

export type Settings = {
  /** `sqlite:` and an absolute path, or a postgres:// or postgresql:// address. */
  databaseUrl: string;
  /** An absolute path. */
  dataDir: string;
  host: string;
  /** 0: any free port. */
  port: number;
  /** Paths of the certificate and its key in PEM; null: plain HTTP. */
  tlsCert: string | null;
  tlsKey: string | null;
  /** Where plain HTTP is redirected to https; null: nowhere. */
  tlsRedirectPort: number | null;
  /** Without a trailing slash; null: the listening address. */
  baseUrl: string | null;
  /** Each 32 bytes in base64url or hex, the newest first; null: the key file in the data folder. */
  secretKeys: string[] | null;
  /** Number of processes of crm serve that share the port. */
  processes: number;
  worker: boolean;
  workerCron: string;
  /** null: rate limits are disabled. */
  rateLimit: { requests: number; seconds: number } | null;
  /** In bytes. */
  bodyLimit: number;
  /** Of an inbound mail, in bytes. */
  mailLimit: number;
  /** Where attachments are stored: `fs:` and an absolute path, or an s3:// URL. */
  blobUrl: string;
  /** Where scheduled backups go: `fs:` and an absolute path, or an s3:// URL; null: none are taken. */
  backupUrl: string | null;
  backupCron: string;
  /** Such as 7d,4w,6m. */
  backupKeep: string;
  /** Of the buckets in `blobUrl` and `backupUrl`. */
  s3AccessKeyId: string | null;
  s3SecretAccessKey: string | null;
  /** Addresses and networks (CIDR). */
  trustedProxies: string[];
  /** Sites whose pages may use the API; `*` for all. */
  corsOrigins: string[];
  /** The content codings of responses, the preferred one first; none: they are sent as they are. */
  compression: ContentCoding[];
  logLevel: (typeof logLevels)[number];
  logFormat: (typeof logFormats)[number];
  logRequests: boolean;
  /** The Bearer token that reads /metrics; null: none does. */
  metricsToken: string | null;
  /** loopback: programs on this machine read /metrics without a token. */
  metrics: (typeof metricsModes)[number];
  /** Of `crm worker`; null: it listens on none. */
  metricsPort: number | null;
  eventRetentionDays: number;
  runRetentionDays: number;
  auditRetentionDays: number;
  sessionRetentionDays: number;
  /** Addresses and networks (CIDR) that webhooks may access although they are not public. */
  webhookAllowedNetworks: string[];
  /** Whether webhooks may use http:// URLs. */
  webhookAllowHttp: boolean;
  /** Seconds between the five attempts of a delivery. */
  webhookRetryDelays: number[];
  webhookRetentionDays: number;
  /** Seconds between the attempts to send a message; there is one more attempt than delays. */
  messageRetryDelays: number[];
  /** The mail server for the service's own mails, including its password; null: links are printed instead. */
  smtpUrl: string | null;
  /** The sender of these mails: an address, or a name and an address in angle brackets. */
  mailFrom: string | null;
  /** For receivers of webhooks: the secret for `crm hooks verify` and `listen`. */
  hookSecret: string | null;
  /** For developers of marketplace apps: the credentials of `crm billing report`. */
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

/** The definition of a setting. */
export type Definition<Value> = {
  name: `CRM_${string}`;
  /** The flag of commands that accept it. */
  flag?: `--${string}`;
  description: string;
  /** What it accepts, for the sentence "expected …". */
  accepts: string;
  /** The default text; null: unset. */
  fallback: string | null | ((settings: Settings) => string);
  /** Parses a trimmed text; undefined if invalid. */
  read: (text: string, directory: string) => Value | undefined;
  /** Redacts a value for display; default: unchanged. */
  redact?: (text: string) => string;
};

// In the order of `crm config show`; a default may use settings above it.
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
    // The forms listhen accepts: for any other it would listen on 0.0.0.0.
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
  tlsCert: {
    name: "CRM_TLS_CERT",
    description: "File of the TLS certificate and those of its issuers, in PEM; default: plain HTTP.",
    accepts: "a path",
    fallback: null,
    read: (text, directory) => resolve(directory, text),
  },
  tlsKey: {
    name: "CRM_TLS_KEY",
    description: "File of its private key, in PEM without a passphrase.",
    accepts: "a path",
    fallback: null,
    read: (text, directory) => resolve(directory, text),
  },
  tlsRedirectPort: {
    name: "CRM_TLS_REDIRECT_PORT",
    description: "Port on which plain HTTP is redirected to https; default: none.",
    accepts: "a whole number from 0 to 65535",
    fallback: null,
    read: (text) => read.integer(text, 0, 65_535),
  },
  baseUrl: {
    name: "CRM_BASE_URL",
    description: "Public URL of the service; default: the listening address.",
    accepts: "an http:// or https:// address without user, query and fragment",
    fallback: null,
    read: read.baseUrl,
    redact: read.redactPassword,
  },
  secretKeys: {
    name: "CRM_SECRET_KEYS",
    description:
      "Master keys for stored secrets: the first one encrypts, all of them decrypt. Default: generated once in the data folder.",
    accepts: "a comma-separated list of keys, each 32 bytes as 43 base64url characters or 64 hex digits",
    fallback: null,
    read: read.secretKeys,
    redact: () => "[redacted]",
  },
  processes: {
    name: "CRM_PROCESSES",
    flag: "--processes",
    description: "Number of processes of crm serve that share the port.",
    accepts: "a whole number from 1 to 64, or auto for one on each core",
    fallback: "1",
    read: (text) => (text.toLowerCase() === "auto" ? Math.min(availableParallelism(), 64) : read.integer(text, 1, 64)),
  },
  worker: {
    name: "CRM_WORKER",
    description: "Whether crm serve runs a built-in worker.",
    accepts: "on or off",
    fallback: "on",
    read: read.onOff,
  },
  workerCron: {
    name: "CRM_WORKER_CRON",
    flag: "--cron",
    description: "How often the worker scans for work that did not wake it.",
    accepts: "a cron expression of five fields, or of six with seconds first",
    fallback: "*/5 * * * * *",
    read: read.cron,
  },
  rateLimit: {
    name: "CRM_RATE_LIMIT",
    description:
      "Requests per time span and API key (or app and location), counted across all processes of a crm serve; off disables all limits.",
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
  mailLimit: {
    name: "CRM_MAIL_LIMIT",
    description: "Largest accepted inbound mail, in bytes.",
    accepts: "a whole number from 1024 to 104857600",
    fallback: "26214400",
    read: (text) => read.integer(text, 1024, 104_857_600),
  },
  blobUrl: {
    name: "CRM_BLOB_URL",
    description: "Where attachments are stored; default: the folder blobs in the data folder.",
    accepts: "fs:PATH, or s3://BUCKET/PREFIX with, if any, ?endpoint=URL&region=REGION, and no credentials",
    fallback: (settings) => `fs:${join(settings.dataDir, "blobs")}`,
    read: read.blobUrl,
    redact: read.redactBlobUrl,
  },
  backupUrl: {
    name: "CRM_BACKUP_URL",
    description: "Where the worker takes backups to; default: none are taken.",
    accepts: "fs:PATH, or s3://BUCKET/PREFIX with, if any, ?endpoint=URL&region=REGION, and no credentials",
    fallback: null,
    read: read.blobUrl,
    redact: read.redactBlobUrl,
  },
  backupCron: {
    name: "CRM_BACKUP_CRON",
    description: "When the worker takes a backup, in UTC.",
    accepts: "a cron expression of five fields, or of six with seconds first",
    fallback: "0 3 * * *",
    read: read.cron,
  },
  backupKeep: {
    name: "CRM_BACKUP_KEEP",
    description: "Of how many of the last days, weeks and months the newest backup is kept.",
    accepts: "a number of days, weeks and months, such as 7d,4w,6m",
    fallback: "7d,4w,6m",
    read: (text) => (readKeepRule(text) === undefined ? undefined : text),
  },
  s3AccessKeyId: {
    name: "CRM_S3_ACCESS_KEY_ID",
    description: "The access key of the buckets in CRM_BLOB_URL and CRM_BACKUP_URL.",
    accepts: "the access key ID that the provider of the bucket shows",
    fallback: null,
    read: (text) => (/^[!-~]+$/.test(text) ? text : undefined),
    redact: () => "[redacted]",
  },
  s3SecretAccessKey: {
    name: "CRM_S3_SECRET_ACCESS_KEY",
    description: "Its secret.",
    accepts: "the secret access key that the provider of the bucket shows",
    fallback: null,
    read: (text) => (/^[!-~]+$/.test(text) ? text : undefined),
    redact: () => "[redacted]",
  },
  trustedProxies: {
    name: "CRM_TRUSTED_PROXIES",
    description: "Proxies whose X-Forwarded-For is trusted; default: none.",
    accepts: "a comma-separated list of addresses and networks such as 10.0.0.0/8",
    fallback: "",
    read: read.networks,
  },
  corsOrigins: {
    name: "CRM_CORS_ORIGINS",
    description: "Sites whose pages may use the API from a browser; default: none.",
    accepts: "a comma-separated list of origins such as https://app.example.com, or *",
    fallback: "",
    read: read.origins,
  },
  compression: {
    name: "CRM_COMPRESSION",
    description:
      "Whether responses of the API past 1 KiB, and pages, are compressed for clients that ask, and in which codings.",
    accepts: "on, off, or a comma-separated list of zstd, gzip and br, the preferred one first",
    fallback: "on",
    read: readContentCodings,
  },
  logLevel: {
    name: "CRM_LOG_LEVEL",
    description: "Minimum level of log entries.",
    accepts: logLevels.join(", "),
    fallback: "info",
    read: (text) => logLevels.find((level) => level === text.toLowerCase()),
  },
  logFormat: {
    name: "CRM_LOG_FORMAT",
    description: "Format of the log; default: pretty on a terminal, json otherwise.",
    accepts: logFormats.join(" or "),
    fallback: () => (process.stdout.isTTY ? "pretty" : "json"),
    read: (text) => logFormats.find((format) => format === text.toLowerCase()),
  },
  logRequests: {
    name: "CRM_LOG_REQUESTS",
    description: "Whether every response is logged, with its status, duration, API key and request ID.",
    accepts: "on or off",
    fallback: "off",
    read: read.onOff,
  },
  metricsToken: {
    name: "CRM_METRICS_TOKEN",
    description: "Bearer token with which a Prometheus reads /metrics; without one the address does not exist.",
    accepts: "16 to 512 visible ASCII characters without spaces",
    fallback: null,
    read: (text) => (/^[!-~]{16,512}$/.test(text) ? text : undefined),
    redact: () => "[redacted]",
  },
  metrics: {
    name: "CRM_METRICS",
    description: "Whether programs on this machine may read /metrics without a token (loopback).",
    accepts: metricsModes.join(" or "),
    fallback: "off",
    read: (text) => metricsModes.find((mode) => mode === text.toLowerCase()),
  },
  metricsPort: {
    name: "CRM_METRICS_PORT",
    flag: "--metrics-port",
    description: "Port on which crm worker serves /metrics, at CRM_HOST; default: none.",
    accepts: "a whole number from 0 to 65535",
    fallback: null,
    read: (text) => read.integer(text, 0, 65_535),
  },
  eventRetentionDays: {
    name: "CRM_EVENT_RETENTION_DAYS",
    description: "Days for which event payloads are retained; the events stay as activities.",
    accepts: "a whole number from 1 to 36500",
    fallback: "30",
    read: (text) => read.integer(text, 1, 36_500),
  },
  runRetentionDays: {
    name: "CRM_RUN_RETENTION_DAYS",
    description: "Days for which ended workflow runs and their history are retained.",
    accepts: "a whole number from 1 to 36500",
    fallback: "180",
    read: (text) => read.integer(text, 1, 36_500),
  },
  auditRetentionDays: {
    name: "CRM_AUDIT_RETENTION_DAYS",
    description: "Days for which entries of the audit log are retained.",
    accepts: "a whole number from 1 to 36500",
    fallback: "730",
    read: (text) => read.integer(text, 1, 36_500),
  },
  sessionRetentionDays: {
    name: "CRM_SESSION_RETENTION_DAYS",
    description: "Days after a sign-in for which the session is retained; then the person signs in again.",
    accepts: "a whole number from 1 to 30",
    fallback: "30",
    read: (text) => read.integer(text, 1, 30),
  },
  webhookAllowedNetworks: {
    name: "CRM_WEBHOOK_ALLOWED_NETWORKS",
    description: "Non-public networks that webhooks may access; default: none.",
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
    accepts: "four whole numbers from 1 to 604800, separated by commas",
    fallback: "60,300,1800,7200",
    read: (text) => read.delays(text, 4, 4),
  },
  webhookRetentionDays: {
    name: "CRM_WEBHOOK_RETENTION_DAYS",
    description: "Days for which deliveries and their attempts are retained.",
    accepts: "a whole number from 1 to 36500",
    fallback: "30",
    read: (text) => read.integer(text, 1, 36_500),
  },
  messageRetryDelays: {
    name: "CRM_MESSAGE_RETRY_DELAYS",
    description: "Seconds between the attempts to send a message; it fails after the last one.",
    accepts: "one to twenty whole numbers from 1 to 604800, separated by commas",
    fallback: "60,300,900,1800,3600,7200,14400",
    read: (text) => read.delays(text, 1, 20),
  },
  smtpUrl: {
    name: "CRM_SMTP_URL",
    description: "The mail server for invitations and password links; without one, links are printed.",
    accepts: "smtp://[USER:PASSWORD@]HOST[:PORT] or smtps://…, with ?tls=optional for a server without TLS",
    fallback: null,
    read: read.smtpUrl,
    redact: read.redactPassword,
  },
  mailFrom: {
    name: "CRM_MAIL_FROM",
    description: "Sender of these mails.",
    accepts: 'an e-mail address, or a name and an address, such as "Acme <crm@acme.example>"',
    fallback: null,
    read: (text) => (read.isMailbox(text) ? text : undefined),
  },
  hookSecret: {
    name: "CRM_HOOK_SECRET",
    flag: "--secret",
    description: "The secret of a webhook, for crm hooks verify and crm hooks listen only.",
    accepts: "the value shown when the webhook was registered",
    fallback: null,
    read: (text) => text,
    redact: () => "[redacted]",
  },
  clientId: {
    name: "CRM_CLIENT_ID",
    flag: "--client-id",
    description: "The client ID of a marketplace app, for crm billing report only.",
    accepts: "the value shown when the app was created",
    fallback: null,
    // What a header can carry.
    read: (text) => (/^[!-~]+$/.test(text) ? text : undefined),
  },
  clientSecret: {
    name: "CRM_CLIENT_SECRET",
    description: "The client secret of a marketplace app, for crm billing report only.",
    accepts: "the value shown when the app was created",
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
