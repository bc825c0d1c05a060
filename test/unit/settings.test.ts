/** The settings: where each comes from, what is accepted, what a refusal says, and that no secret is ever shown. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { describeSettings, loadSettings, unknownSettings } from "../../config/settings.loading.ts";
import type { SettingsOptions } from "../../config/settings.loading.ts";
import { SettingsError } from "../../config/settings.sources.ts";
import type { Settings } from "../../config/settings.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "crm-settings-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

type Environment = Record<string, string>;

function load(environment: Environment = {}, flags: SettingsOptions["flags"] = {}): Settings {
  return loadSettings({ environment, flags, directory });
}

function refusal(options: SettingsOptions): string {
  try {
    loadSettings({ environment: {}, directory, ...options });
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    return (error as SettingsError).message;
  }
  return "nothing was refused";
}

function file(name: string, content: string): void {
  writeFileSync(join(directory, name), content);
}

const base64urlKey = "A".repeat(43);
const hexKey = "0f".repeat(32);

test("without anything given, every setting has its default", () => {
  expect(load()).toStrictEqual({
    dataDir: join(directory, "data"),
    databaseUrl: `sqlite:${join(directory, "data", "crm.db")}`,
    host: "127.0.0.1",
    port: 3000,
    tlsCert: null,
    tlsKey: null,
    tlsRedirectPort: null,
    baseUrl: null,
    secretKeys: null,
    processes: 1,
    worker: true,
    workerCron: "*/5 * * * * *",
    rateLimit: { requests: 1000, seconds: 10 },
    bodyLimit: 1_048_576,
    mailLimit: 26_214_400,
    blobUrl: `fs:${join(directory, "data", "blobs")}`,
    backupUrl: null,
    backupCron: "0 3 * * *",
    backupKeep: "7d,4w,6m",
    s3AccessKeyId: null,
    s3SecretAccessKey: null,
    trustedProxies: [],
    corsOrigins: [],
    compression: ["zstd", "gzip"],
    logLevel: "info",
    logFormat: process.stdout.isTTY ? "pretty" : "json",
    logRequests: false,
    metricsToken: null,
    metrics: "off",
    metricsPort: null,
    eventRetentionDays: 30,
    runRetentionDays: 180,
    auditRetentionDays: 730,
    sessionRetentionDays: 30,
    webhookAllowedNetworks: [],
    webhookAllowHttp: false,
    webhookRetryDelays: [60, 300, 1800, 7200],
    webhookRetentionDays: 30,
    messageRetryDelays: [60, 300, 900, 1800, 3600, 7200, 14_400],
    smtpUrl: null,
    mailFrom: null,
    hookSecret: null,
    clientId: null,
    clientSecret: null,
    stripeSecretKey: null,
    stripeWebhookSecret: null,
    stripeApiUrl: null,
    billingGraceDays: 7,
  });
});

describe("precedence", () => {
  const everywhere = () => {
    file(".env", "CRM_PORT=1\n");
    file("crm.config.json", '{"CRM_PORT": 2}');
  };

  it("is flag, environment, crm.config.json, .env, default", () => {
    expect(load().port).toBe(3000);
    file(".env", "CRM_PORT=1\n");
    expect(load().port).toBe(1);
    everywhere();
    expect(load().port).toBe(2);
    expect(load({ CRM_PORT: "3" }).port).toBe(3);
    expect(load({ CRM_PORT: "3" }, { port: 4 }).port).toBe(4);
  });

  it("passes over a flag that was not given and over blanks in the environment", () => {
    everywhere();
    expect(load({ CRM_PORT: " " }, { port: undefined }).port).toBe(2);
  });

  it("takes a flag that says no", () => {
    expect(load({ CRM_WORKER: "on" }, { worker: false }).worker).toBe(false);
  });

  it("counts a NAME_FILE of the environment before a NAME of a file", () => {
    everywhere();
    file("port", "5\n");
    expect(load({ CRM_PORT_FILE: "port" }).port).toBe(5);
    expect(load({ CRM_PORT_FILE: join(directory, "port") }).port).toBe(5);
  });

  it("puts the default database into the data folder, wherever that was given", () => {
    expect(load({ CRM_DATA_DIR: "/srv/crm" }).databaseUrl).toBe("sqlite:/srv/crm/crm.db");
    expect(load({}, { dataDir: "elsewhere" }).databaseUrl).toBe(`sqlite:${join(directory, "elsewhere", "crm.db")}`);
  });
});

const databases =
  "sqlite:PATH, or postgres://USER:PASSWORD@HOST:PORT/DATABASE with special characters as %XX and, if any, an sslmode of disable, prefer, require, verify-ca, verify-full or no-verify";

const fileStores = "fs:PATH, or s3://BUCKET/PREFIX with, if any, ?endpoint=URL&region=REGION, and no credentials";
const mailServers = "smtp://[USER:PASSWORD@]HOST[:PORT] or smtps://…, with ?tls=optional for a server without TLS";
const mailboxes = 'an e-mail address, or a name and an address, such as "Acme <crm@acme.example>"';

describe("accepted values", () => {
  test.each<[string, string, Partial<Settings>]>([
    ["CRM_DATABASE_URL", "sqlite:/srv/crm.db", { databaseUrl: "sqlite:/srv/crm.db" }],
    ["CRM_DATABASE_URL", "sqlite:///srv/crm.db", { databaseUrl: "sqlite:/srv/crm.db" }],
    ["CRM_DATABASE_URL", "postgres://u:p@h:5432/d", { databaseUrl: "postgres://u:p@h:5432/d" }],
    ["CRM_DATABASE_URL", "postgresql:///d?host=/run/pg", { databaseUrl: "postgresql:///d?host=/run/pg" }],
    ["CRM_DATABASE_URL", "postgres:///crm", { databaseUrl: "postgres:///crm" }],
    ["CRM_DATABASE_URL", "postgres://h/d?sslmode=require", { databaseUrl: "postgres://h/d?sslmode=require" }],
    ["CRM_DATABASE_URL", "postgres://a%40b:c%25d@h/%C3%A9", { databaseUrl: "postgres://a%40b:c%25d@h/%C3%A9" }],
    ["CRM_HOST", "::1", { host: "::1" }],
    ["CRM_PORT", "0", { port: 0 }],
    ["CRM_PORT", "65535", { port: 65_535 }],
    ["CRM_BASE_URL", "https://crm.example.org", { baseUrl: "https://crm.example.org" }],
    ["CRM_BASE_URL", "https://crm.example.org/", { baseUrl: "https://crm.example.org" }],
    ["CRM_BASE_URL", "http://localhost:3000/crm/", { baseUrl: "http://localhost:3000/crm" }],
    ["CRM_SECRET_KEYS", base64urlKey, { secretKeys: [base64urlKey] }],
    ["CRM_SECRET_KEYS", `${hexKey}, ${base64urlKey},`, { secretKeys: [hexKey, base64urlKey] }],
    ["CRM_PROCESSES", "4", { processes: 4 }],
    ["CRM_PROCESSES", "Auto", { processes: availableParallelism() }],
    ["CRM_WORKER", "off", { worker: false }],
    ["CRM_WORKER", "TRUE", { worker: true }],
    ["CRM_WORKER_CRON", "*/10 * * * *", { workerCron: "*/10 * * * *" }],
    ["CRM_RATE_LIMIT", "off", { rateLimit: null }],
    ["CRM_RATE_LIMIT", "600/1m", { rateLimit: { requests: 600, seconds: 60 } }],
    ["CRM_RATE_LIMIT", "5/2h", { rateLimit: { requests: 5, seconds: 7200 } }],
    ["CRM_BODY_LIMIT", "65536", { bodyLimit: 65_536 }],
    ["CRM_MAIL_LIMIT", "65536", { mailLimit: 65_536 }],
    ["CRM_BLOB_URL", "fs:/srv/files", { blobUrl: "fs:/srv/files" }],
    ["CRM_BLOB_URL", "s3://files", { blobUrl: "s3://files" }],
    ["CRM_BACKUP_URL", "fs:/mnt/backups", { backupUrl: "fs:/mnt/backups" }],
    ["CRM_BACKUP_CRON", "30 */6 * * *", { backupCron: "30 */6 * * *" }],
    ["CRM_BACKUP_KEEP", "3d, 1m", { backupKeep: "3d, 1m" }],
    [
      "CRM_BLOB_URL",
      "s3://files/crm/north?endpoint=http://127.0.0.1:9000&region=auto",
      { blobUrl: "s3://files/crm/north?endpoint=http://127.0.0.1:9000&region=auto" },
    ],
    ["CRM_S3_ACCESS_KEY_ID", "AKIDEXAMPLE", { s3AccessKeyId: "AKIDEXAMPLE" }],
    ["CRM_S3_SECRET_ACCESS_KEY", "bPxRfiCY/K7+", { s3SecretAccessKey: "bPxRfiCY/K7+" }],
    ["CRM_TRUSTED_PROXIES", "10.0.0.0/8, ::1", { trustedProxies: ["10.0.0.0/8", "::1"] }],
    ["CRM_CORS_ORIGINS", "*", { corsOrigins: ["*"] }],
    [
      "CRM_CORS_ORIGINS",
      "https://App.example.com/, http://localhost:5173",
      { corsOrigins: ["https://app.example.com", "http://localhost:5173"] },
    ],
    ["CRM_COMPRESSION", "on", { compression: ["zstd", "gzip"] }],
    ["CRM_COMPRESSION", "off", { compression: [] }],
    ["CRM_COMPRESSION", "BR, gzip", { compression: ["br", "gzip"] }],
    ["CRM_LOG_LEVEL", "DEBUG", { logLevel: "debug" }],
    ["CRM_LOG_FORMAT", "pretty", { logFormat: "pretty" }],
    ["CRM_LOG_REQUESTS", "on", { logRequests: true }],
    ["CRM_TLS_CERT", "/etc/crm/tls.pem", { tlsCert: "/etc/crm/tls.pem" }],
    ["CRM_TLS_KEY", "/etc/crm/tls.key", { tlsKey: "/etc/crm/tls.key" }],
    ["CRM_TLS_REDIRECT_PORT", "80", { tlsRedirectPort: 80 }],
    ["CRM_METRICS_TOKEN", "a-token-of-sixteen", { metricsToken: "a-token-of-sixteen" }],
    ["CRM_METRICS", "Loopback", { metrics: "loopback" }],
    ["CRM_METRICS_PORT", "9464", { metricsPort: 9464 }],
    ["CRM_EVENT_RETENTION_DAYS", "7", { eventRetentionDays: 7 }],
    ["CRM_RUN_RETENTION_DAYS", "90", { runRetentionDays: 90 }],
    ["CRM_AUDIT_RETENTION_DAYS", "365", { auditRetentionDays: 365 }],
    ["CRM_SESSION_RETENTION_DAYS", "7", { sessionRetentionDays: 7 }],
    ["CRM_WEBHOOK_ALLOWED_NETWORKS", "10.0.0.0/8, ::1", { webhookAllowedNetworks: ["10.0.0.0/8", "::1"] }],
    ["CRM_WEBHOOK_ALLOW_HTTP", "true", { webhookAllowHttp: true }],
    ["CRM_WEBHOOK_RETRY_DELAYS", "1, 2,3,604800", { webhookRetryDelays: [1, 2, 3, 604_800] }],
    ["CRM_WEBHOOK_RETENTION_DAYS", "7", { webhookRetentionDays: 7 }],
    ["CRM_MESSAGE_RETRY_DELAYS", "5", { messageRetryDelays: [5] }],
    ["CRM_SMTP_URL", "smtps://ada:p%40ss@mail.example", { smtpUrl: "smtps://ada:p%40ss@mail.example" }],
    ["CRM_MAIL_FROM", '"Acme, Inc." <crm@acme.example>', { mailFrom: '"Acme, Inc." <crm@acme.example>' }],
    ["CRM_MAIL_FROM", "crm@acme.example", { mailFrom: "crm@acme.example" }],
    ["CRM_HOOK_SECRET", "whsec_x", { hookSecret: "whsec_x" }],
    ["CRM_CLIENT_ID", "crm_app_x", { clientId: "crm_app_x" }],
    ["CRM_CLIENT_SECRET", "crm_cs_x", { clientSecret: "crm_cs_x" }],
  ])("%s=%s", (name, value, settings) => {
    expect(load({ [name]: value })).toMatchObject(settings);
  });

  it("makes a relative database path absolute", () => {
    expect(load({ CRM_DATABASE_URL: "sqlite:./x.db" }).databaseUrl).toBe(`sqlite:${join(directory, "x.db")}`);
  });
});

describe("refused values", () => {
  test.each<[string, string, string]>([
    ["CRM_DATABASE_URL", "mysql://h/d", databases],
    ["CRM_DATABASE_URL", "sqlite:", databases],
    ["CRM_DATABASE_URL", "sqlite::memory:", databases],
    ["CRM_DATABASE_URL", "sqlite://crm.db", databases],
    ["CRM_DATABASE_URL", "postgres://h", databases],
    ["CRM_DATABASE_URL", "postgres://u@h:5432/?sslmode=require", databases],
    ["CRM_DATABASE_URL", "postgres://h:port/d", databases],
    ["CRM_DATABASE_URL", "postgres://h:0/d", databases],
    ["CRM_DATABASE_URL", "postgres://h:65536/d", databases],
    ["CRM_DATABASE_URL", "postgres:///d?host=/run/pg&port=pg", databases],
    ["CRM_DATABASE_URL", "postgres://", databases],
    ["CRM_DATABASE_URL", "postgres:///", databases],
    ["CRM_DATABASE_URL", "postgres://u@/", databases],
    ["CRM_DATABASE_URL", "postgres://h/%zz", databases],
    ["CRM_DATABASE_URL", "postgres://u%@h/d", databases],
    ["CRM_DATABASE_URL", "postgres://%ff@h/d", databases],
    ["CRM_DATABASE_URL", "postgres://h/d?sslmode=on", databases],
    ...[
      "s3:files",
      "s3://Files",
      "s3://files:443",
      "s3://files/a b",
      "s3://files#x",
      "s3://files?endpoint=files.example",
      "s3://files?endpoint=https://h/?a",
      "s3://files?region=a.example",
      "s3://files?region=a&region=b",
    ].map((url): [string, string, string] => ["CRM_BLOB_URL", url, fileStores]),
    ["CRM_SMTP_URL", "mail.example", mailServers],
    ["CRM_SMTP_URL", "https://mail.example", mailServers],
    ["CRM_SMTP_URL", "smtp://mail example", mailServers],
    ["CRM_MAIL_FROM", "Acme", mailboxes],
    ["CRM_MAIL_FROM", "Acme <crm@acme.example> <x@y.example>", mailboxes],
    ["CRM_HOST", "two words", "an address or a host name"],
    ["CRM_HOST", "my_machine", "an address or a host name"],
    ["CRM_HOST", "fe80::1%eth0", "an address or a host name"],
    ["CRM_PORT", "http", "a whole number from 0 to 65535"],
    ["CRM_PORT", "65536", "a whole number from 0 to 65535"],
    ["CRM_PORT", "-1", "a whole number from 0 to 65535"],
    ["CRM_PORT", "80.5", "a whole number from 0 to 65535"],
    ["CRM_PORT", "0x50", "a whole number from 0 to 65535"],
    ["CRM_BASE_URL", "crm.example.org", "an http:// or https:// address without user, query and fragment"],
    ["CRM_BASE_URL", "ftp://crm.example.org", "an http:// or https:// address without user, query and fragment"],
    ["CRM_BASE_URL", "https://crm@crm.example.org", "an http:// or https:// address without user, query and fragment"],
    ["CRM_BASE_URL", "https://crm.example.org/?a", "an http:// or https:// address without user, query and fragment"],
    ["CRM_PROCESSES", "0", "a whole number from 1 to 64, or auto for one on each core"],
    ["CRM_WORKER", "maybe", "on or off"],
    ["CRM_WORKER_CRON", "every minute", "a cron expression of five fields, or of six with seconds first"],
    ["CRM_WORKER_CRON", "61 * * * *", "a cron expression of five fields, or of six with seconds first"],
    ["CRM_RATE_LIMIT", "1000", "REQUESTS/SPAN such as 1000/10s, 600/1m or 5000/1h, or off"],
    ["CRM_RATE_LIMIT", "0/10s", "REQUESTS/SPAN such as 1000/10s, 600/1m or 5000/1h, or off"],
    ["CRM_RATE_LIMIT", "10/0s", "REQUESTS/SPAN such as 1000/10s, 600/1m or 5000/1h, or off"],
    ["CRM_BODY_LIMIT", "1MiB", "a whole number from 1 to 1073741824"],
    ["CRM_BODY_LIMIT", "0", "a whole number from 1 to 1073741824"],
    ["CRM_TRUSTED_PROXIES", "10.0.0.0/33", "a comma-separated list of addresses and networks such as 10.0.0.0/8"],
    ["CRM_TRUSTED_PROXIES", "proxy.internal", "a comma-separated list of addresses and networks such as 10.0.0.0/8"],
    ...[
      "null",
      "https://*.example.com",
      "https://app.example.com/path",
      "https://me:it@app.example.com",
      "app.example.com",
      "*, https://app.example.com",
    ].map((given): [string, string, string] => [
      "CRM_CORS_ORIGINS",
      given,
      "a comma-separated list of origins such as https://app.example.com, or *",
    ]),
    ...["deflate", "gzip, off", "gzip,,br", "gzip,gzip", "on,on"].map((given): [string, string, string] => [
      "CRM_COMPRESSION",
      given,
      "on, off, or a comma-separated list of zstd, gzip and br, the preferred one first",
    ]),
    ["CRM_LOG_LEVEL", "loud", "silent, error, warn, info, debug, trace"],
    ["CRM_LOG_FORMAT", "xml", "pretty or json"],
    ["CRM_TLS_REDIRECT_PORT", "-1", "a whole number from 0 to 65535"],
    ["CRM_METRICS", "on", "off or loopback"],
    ["CRM_METRICS_PORT", "65536", "a whole number from 0 to 65535"],
    ["CRM_EVENT_RETENTION_DAYS", "0", "a whole number from 1 to 36500"],
    ["CRM_RUN_RETENTION_DAYS", "0", "a whole number from 1 to 36500"],
    ["CRM_AUDIT_RETENTION_DAYS", "0", "a whole number from 1 to 36500"],
    ["CRM_SESSION_RETENTION_DAYS", "31", "a whole number from 1 to 30"],
    [
      "CRM_WEBHOOK_ALLOWED_NETWORKS",
      "10.0.0.0/33",
      "a comma-separated list of addresses and networks such as 10.0.0.0/8",
    ],
    ["CRM_WEBHOOK_ALLOW_HTTP", "maybe", "on or off"],
    ...["x", "1,", "0", "1,604801", "1,".repeat(20) + "1"].map(
      (given) =>
        ["CRM_MESSAGE_RETRY_DELAYS", given, "one to twenty whole numbers from 1 to 604800, separated by commas"] as [
          string,
          string,
          string,
        ],
    ),
    ...["60", "60,300,1800", "60,300,1800,7200,9000", "60,300,1800,x", "0,1,2,3", "1,2,3,604801"].map(
      (given) =>
        ["CRM_WEBHOOK_RETRY_DELAYS", given, "four whole numbers from 1 to 604800, separated by commas"] as [
          string,
          string,
          string,
        ],
    ),
    ["CRM_WEBHOOK_RETENTION_DAYS", "0", "a whole number from 1 to 36500"],
  ])("%s=%s", (name, value, accepts) => {
    const message = `${name} from the environment is ${JSON.stringify(value)}; expected ${accepts}.`;
    expect(refusal({ environment: { [name]: value } })).toBe(message);
  });

  test.each<[string, () => SettingsOptions, string]>([
    ["the command line", () => ({ flags: { port: 99_999 } }), '--port is "99999"; '],
    ["a blank flag", () => ({ flags: { host: "" } }), '--host is ""; '],
    [
      "crm.config.json",
      () => (file("crm.config.json", '{"CRM_PORT": true}'), {}),
      'CRM_PORT from crm.config.json is "true"; ',
    ],
    [".env", () => (file(".env", "CRM_PORT=x"), {}), 'CRM_PORT from .env is "x"; '],
    [
      "NAME_FILE",
      () => (file("p", "x\n"), { environment: { CRM_PORT_FILE: "p" } }),
      'CRM_PORT from the file p is "x"; ',
    ],
  ])("name %s as their origin", (_what, prepare, beginning) => {
    const options = prepare();
    expect(refusal(options)).toBe(
      `${beginning}expected ${/host/i.test(beginning) ? "an address or a host name" : "a whole number from 0 to 65535"}.`,
    );
  });

  test.each<[string, () => Environment, RegExp]>([
    [
      "a missing file",
      () => ({ CRM_PORT_FILE: "none" }),
      /^CRM_PORT_FILE from the environment is "none"; expected a readable file/,
    ],
    [
      "an empty file",
      () => (file("p", "\n"), { CRM_PORT_FILE: "p" }),
      /^CRM_PORT_FILE from the environment is "p"; expected /,
    ],
    ["a folder", () => ({ CRM_PORT_FILE: "." }), /cannot be read \(EISDIR\)/],
    [
      "NAME beside NAME_FILE",
      () => ({ CRM_PORT: "1", CRM_PORT_FILE: "p" }),
      /^CRM_PORT and CRM_PORT_FILE are both given in the environment/,
    ],
  ])("with NAME_FILE: %s", (_what, prepare, message) => {
    const environment = prepare();
    expect(refusal({ environment })).toMatch(message);
  });
});

describe("files", () => {
  it("take numbers, true, false and lists as JSON has them, null as not given, and a $schema", () => {
    const networks = ["10.0.0.0/8", "::1"];
    file(
      "crm.config.json",
      JSON.stringify({
        $schema: "x",
        CRM_PORT: 8080,
        CRM_WORKER: false,
        CRM_TRUSTED_PROXIES: networks,
        CRM_HOST: null,
      }),
    );
    expect(load()).toMatchObject({ port: 8080, worker: false, trustedProxies: networks, host: "127.0.0.1" });
  });

  it.each([
    [".env", "CRM_PORT=8080\r\nCRM_HOST=0.0.0.0\r\n"],
    ["crm.config.json", '{"CRM_PORT": 8080, "CRM_HOST": "0.0.0.0"}'],
  ])("take %s with a byte order mark, as editors of Windows write it", (name, text) => {
    file(name, `\uFEFF${text}`);
    expect(load()).toMatchObject({ port: 8080, host: "0.0.0.0" });
  });

  test.each([
    [".env", "little-endian, with a byte order mark", Buffer.from("\uFEFFCRM_PORT=8080\n", "utf16le")],
    [".env", "little-endian", Buffer.from("CRM_PORT=8080\n", "utf16le")],
    [".env", "big-endian, with a byte order mark", Buffer.from("\uFEFFCRM_PORT=8080\n", "utf16le").swap16()],
    [".env", "big-endian", Buffer.from("CRM_PORT=8080\n", "utf16le").swap16()],
    ["crm.config.json", "little-endian, with a byte order mark", Buffer.from('\uFEFF{"CRM_PORT": 8080}', "utf16le")],
    ["port", "little-endian, with a byte order mark", Buffer.from("\uFEFF8080\r\n", "utf16le")],
  ])("refuse %s in UTF-16, %s", (name, _how, bytes) => {
    writeFileSync(join(directory, name), bytes);
    expect(refusal({ environment: { CRM_PORT_FILE: "port" } })).toBe(
      `${join(directory, name)} is in UTF-16; save it as UTF-8.`,
    );
  });

  it("take .env as other programs write it, and leave theirs alone", () => {
    file(".env", '# ours\nexport CRM_HOST="0.0.0.0"\nCRM_LOG_LEVEL=warn # quiet\nAWS_REGION=eu-west-1\n');
    expect(load()).toMatchObject({ host: "0.0.0.0", logLevel: "warn" });
  });

  test.each<[string, string, string]>([
    [".env", "CRM_PROT=80", "CRM_PROT in .env is not a setting. Did you mean CRM_PORT? "],
    [
      ".env",
      "CRM_DATABASE_URI_FILE=x",
      "CRM_DATABASE_URI_FILE in .env is not a setting. Did you mean CRM_DATABASE_URL_FILE? ",
    ],
    [".env", "CRM_FAVOURITE_COLOUR_OF_THE_DAY=x", "CRM_FAVOURITE_COLOUR_OF_THE_DAY in .env is not a setting. "],
    ["crm.config.json", '{"crm_port": 80}', "crm_port in crm.config.json is not a setting. Did you mean CRM_PORT? "],
    [
      "crm.config.json",
      '{"CRM_SECRET_KEY": "x"}',
      "CRM_SECRET_KEY in crm.config.json is not a setting. Did you mean CRM_SECRET_KEYS? ",
    ],
  ])("refuse names that no setting has: %s %s", (name, content, message) => {
    file(name, content);
    expect(refusal({})).toBe(`${message}crm config show lists all settings.`);
  });

  it("in the environment such names are passed over, and warned of", () => {
    const environment = { CRM_PROT: "80", CRM_PORT: "", CRM_FAVOURITE_COLOUR_OF_THE_DAY: "blue", CRM_HOST_FILE: "h" };
    expect(load({ CRM_PROT: "80" }).port).toBe(3000);
    expect(unknownSettings(environment)).toEqual([
      "CRM_PROT in the environment is not a setting. Did you mean CRM_PORT? crm config show lists all settings.",
      "CRM_FAVOURITE_COLOUR_OF_THE_DAY in the environment is not a setting. crm config show lists all settings.",
    ]);
  });

  it("names of others, blank ones and those of the tests are nobody's business", () => {
    expect(unknownSettings({ CRMPORT: "1", PATH: "/bin", CRM_PROT: " ", CRM_TEST_SEED: "1" })).toEqual([]);
  });

  test.each([
    ['{"CRM_SECRET_KEYS": "hunter2"', "crm.config.json is not valid JSON; expected an object of CRM_* settings."],
    ["[]", "crm.config.json is not an object; expected an object of CRM_* settings."],
    ['{"CRM_PORT": {}}', "CRM_PORT in crm.config.json is neither text, number, true, false nor a list of them."],
  ])("refuse %s", (content, message) => {
    file("crm.config.json", content);
    expect(refusal({})).toBe(message);
  });
});

describe("secrets", () => {
  test.each<[string, Environment]>([
    ["a key list", { CRM_SECRET_KEYS: "hunter2" }],
    ["a database of another kind", { CRM_DATABASE_URL: "mysql://crm:hunter2@h/d" }],
    ["a database address without a scheme", { CRM_DATABASE_URL: "crm:hunter2@h/d" }],
    ["a database address with one slash", { CRM_DATABASE_URL: "postgres:/crm:hunter2@h/d" }],
    ["a password with an unescaped #", { CRM_DATABASE_URL: "postgres://crm:a#hunter2@h/d" }],
    ["a password with an unescaped %", { CRM_DATABASE_URL: "postgres://crm:hunter2%@h/d" }],
    ["a password with an unescaped @", { CRM_DATABASE_URL: "mysql://crm@h:a@hunter2@h/d" }],
    ["a password in the query", { CRM_DATABASE_URL: "mysql://h/d?user=crm&password=hunter2&x=1" }],
    ["the password of a bucket", { CRM_BLOB_URL: "s3://key:hunter2@files" }],
    ["the password of its endpoint", { CRM_BLOB_URL: "s3://files?endpoint=http://key:hunter2@h" }],
    ["a secret of a bucket in the query", { CRM_BLOB_URL: "s3://files?region=auto&secret_access_key=hunter2" }],
    ["a base URL with a login", { CRM_BASE_URL: "https://crm:hunter2@crm.example.org" }],
  ])("%s that is refused stays untold", (_what, environment) => {
    const message = refusal({ environment });
    expect(message).toMatch(/ from the environment is ".*(\*\*\*|redacted).*"; expected /);
    expect(message).not.toContain("hunter2");
  });

  test.each<[Environment, string, string]>([
    [{ CRM_SECRET_KEYS: hexKey }, "CRM_SECRET_KEYS", "[redacted]"],
    [{ CRM_DATABASE_URL: "postgres://crm:hunter2@h/d" }, "CRM_DATABASE_URL", "postgres://crm:***@h/d"],
    [{ CRM_DATABASE_URL: "postgres://crm@h/d" }, "CRM_DATABASE_URL", "postgres://crm@h/d"],
    [{ CRM_DATABASE_URL: "postgres://:hunter2@h/d" }, "CRM_DATABASE_URL", "postgres://***@h/d"],
    [
      { CRM_DATABASE_URL: "postgres://h/d?password=hunter2&x=1" },
      "CRM_DATABASE_URL",
      "postgres://h/d?password=***&x=1",
    ],
    [{ CRM_DATABASE_URL: "sqlite:/srv/a@b.db" }, "CRM_DATABASE_URL", "sqlite:/srv/a@b.db"],
  ])("%j is shown without them", (environment, name, value) => {
    const shown = describeSettings({ environment, directory });
    expect(shown.find((setting) => setting.name === name)).toMatchObject({ value, source: "environment" });
  });
});

describe("describeSettings", () => {
  it("lists every setting with its value, its source and a description", () => {
    file(".env", "CRM_LOG_LEVEL=debug\n");
    const shown = describeSettings({ environment: { CRM_HOST: "::1" }, flags: { worker: false }, directory });
    expect(shown.map(({ name, value, source }) => [name, value, source])).toEqual([
      ["CRM_DATA_DIR", "./data", "default"],
      ["CRM_DATABASE_URL", `sqlite:${join(directory, "data", "crm.db")}`, "default"],
      ["CRM_HOST", "::1", "environment"],
      ["CRM_PORT", "3000", "default"],
      ["CRM_TLS_CERT", null, "default"],
      ["CRM_TLS_KEY", null, "default"],
      ["CRM_TLS_REDIRECT_PORT", null, "default"],
      ["CRM_BASE_URL", null, "default"],
      ["CRM_SECRET_KEYS", null, "default"],
      ["CRM_PROCESSES", "1", "default"],
      ["CRM_WORKER", "false", "flag"],
      ["CRM_WORKER_CRON", "*/5 * * * * *", "default"],
      ["CRM_RATE_LIMIT", "1000/10s", "default"],
      ["CRM_BODY_LIMIT", "1048576", "default"],
      ["CRM_MAIL_LIMIT", "26214400", "default"],
      ["CRM_BLOB_URL", `fs:${join(directory, "data", "blobs")}`, "default"],
      ["CRM_BACKUP_URL", null, "default"],
      ["CRM_BACKUP_CRON", "0 3 * * *", "default"],
      ["CRM_BACKUP_KEEP", "7d,4w,6m", "default"],
      ["CRM_S3_ACCESS_KEY_ID", null, "default"],
      ["CRM_S3_SECRET_ACCESS_KEY", null, "default"],
      ["CRM_TRUSTED_PROXIES", "", "default"],
      ["CRM_CORS_ORIGINS", "", "default"],
      ["CRM_COMPRESSION", "on", "default"],
      ["CRM_LOG_LEVEL", "debug", "file"],
      ["CRM_LOG_FORMAT", process.stdout.isTTY ? "pretty" : "json", "default"],
      ["CRM_LOG_REQUESTS", "off", "default"],
      ["CRM_METRICS_TOKEN", null, "default"],
      ["CRM_METRICS", "off", "default"],
      ["CRM_METRICS_PORT", null, "default"],
      ["CRM_EVENT_RETENTION_DAYS", "30", "default"],
      ["CRM_RUN_RETENTION_DAYS", "180", "default"],
      ["CRM_AUDIT_RETENTION_DAYS", "730", "default"],
      ["CRM_SESSION_RETENTION_DAYS", "30", "default"],
      ["CRM_WEBHOOK_ALLOWED_NETWORKS", "", "default"],
      ["CRM_WEBHOOK_ALLOW_HTTP", "off", "default"],
      ["CRM_WEBHOOK_RETRY_DELAYS", "60,300,1800,7200", "default"],
      ["CRM_WEBHOOK_RETENTION_DAYS", "30", "default"],
      ["CRM_MESSAGE_RETRY_DELAYS", "60,300,900,1800,3600,7200,14400", "default"],
      ["CRM_SMTP_URL", null, "default"],
      ["CRM_MAIL_FROM", null, "default"],
      ["CRM_HOOK_SECRET", null, "default"],
      ["CRM_CLIENT_ID", null, "default"],
      ["CRM_CLIENT_SECRET", null, "default"],
      ["CRM_STRIPE_SECRET_KEY", null, "default"],
      ["CRM_STRIPE_WEBHOOK_SECRET", null, "default"],
      ["CRM_STRIPE_API_URL", null, "default"],
      ["CRM_BILLING_GRACE_DAYS", "7", "default"],
    ]);
    expect(shown.filter(({ description }) => !/^[A-Z].+\.$/.test(description))).toEqual([]);
  });

  it("refuses what loadSettings refuses", () => {
    expect(() => describeSettings({ environment: { CRM_PORT: "x" }, directory })).toThrow(SettingsError);
  });
});

test("reading the settings loads no library: commands without a database wait for none", () => {
  const settings = new URL("../../config/settings.loading.ts", import.meta.url).href;
  const script = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load: (url, context, next) => (url.includes("/node_modules/") && loaded.push(url), next(url, context)) });
    const { loadSettings } = await import(${JSON.stringify(settings)});
    loadSettings({ environment: {}, directory: ${JSON.stringify(directory)} });
    const before = loaded.length;
    loadSettings({ environment: { CRM_WORKER_CRON: "* * * * *" }, directory: ${JSON.stringify(directory)} });
    console.log(JSON.stringify({ before, withSchedule: loaded.some((url) => url.includes("/node-cron/")) }));
  `;
  const output = execFileSync(process.execPath, ["--input-type=module", "--eval", script], { encoding: "utf8" });
  expect(JSON.parse(output)).toEqual({ before: 0, withSchedule: true });
});
