/** Parsers of setting texts: each returns the value, or undefined if invalid. */
import { createRequire } from "node:module";
import { isIP } from "node:net";
import { resolve } from "node:path";
import { readBucketUrl } from "../src/kit/input/bucket-url.ts";
import { readMailbox } from "../src/kit/input/mailbox.ts";

const require = createRequire(import.meta.url);

/** A decimal integer within both bounds. */
export function integer(text: string, least: number, most: number): number | undefined {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : undefined;
}

/** `on` and `off`, and their usual synonyms. */
export function onOff(text: string): boolean | undefined {
  if (/^(on|true|yes|1)$/i.test(text)) return true;
  return /^(off|false|no|0)$/i.test(text) ? false : undefined;
}

/** sqlite:PATH (made absolute) or a PostgreSQL URL. An in-memory database would lose committed data. */
export function databaseUrl(text: string, directory: string): string | undefined {
  if (text.startsWith("sqlite:")) {
    const path = text.slice("sqlite:".length);
    // sqlite://name has a host instead of a path: refused, since it would be read as /name.
    const isPath = path !== "" && !path.startsWith(":") && !/^\/\/(?!\/)/.test(path);
    return isPath ? `sqlite:${resolve(directory, path)}` : undefined;
  }
  return /^postgres(ql)?:\/\//.test(text) && isPostgresAddress(text) ? text : undefined;
}

/** fs:PATH, made absolute, or the URL of a bucket. */
export function blobUrl(text: string, directory: string): string | undefined {
  if (text.startsWith("s3:")) return readBucketUrl(text) === undefined ? undefined : text;
  const path = text.startsWith("fs:") ? text.slice("fs:".length) : "";
  return path !== "" && !/^\/\/(?!\/)/.test(path) ? `fs:${resolve(directory, path)}` : undefined;
}

/** The libpq parameters that `pg` supports. */
const sslModes = new Set(["disable", "prefer", "require", "verify-ca", "verify-full", "no-verify"]);

/** Whether the driver understands the whole URL: it takes the rest literally, or silently drops it. */
function isPostgresAddress(text: string): boolean {
  const url = URL.parse(text);
  // The parser accepts an invalid percent-encoding as is.
  if (url === null || !isDecodable(url.username + url.password + url.hostname + url.pathname)) return false;
  // The driver would take the name of the user for that of the database.
  if (url.pathname.length <= 1) return false;
  const ports = [url.port, ...url.searchParams.getAll("port")].filter((port) => port !== "");
  return (
    ports.every((port) => integer(port, 1, 65_535) !== undefined) &&
    url.searchParams.getAll("sslmode").every((mode) => sslModes.has(mode))
  );
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** A URL that clients append `/api/v1` to, so without a trailing slash. */
export function baseUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const plain =
    url !== undefined && /^https?:$/.test(url.protocol) && !/[?#\s]/.test(text) && !url.username && !url.password;
  return plain ? url.href.replace(/\/+$/, "") : undefined;
}

/** Master keys separated by commas or line breaks, each 32 bytes in base64url or hex. */
export function secretKeys(text: string): string[] | undefined {
  const keys = listOf(text);
  const accepted = keys.every((key) => /^[0-9a-f]{64}$/i.test(key) || isBase64urlKey(key));
  return keys.length > 0 && accepted ? keys : undefined;
}

function isBase64urlKey(key: string): boolean {
  const bytes = Buffer.from(key, "base64url");
  return bytes.length === 32 && bytes.toString("base64url") === key; // Node ignores characters outside base64url: compare
}

/** Validated by the scheduling library, loaded only for a given value: it takes 10 ms. */
export function cron(text: string): string | undefined {
  if (text === "*/5 * * * * *" || text === "0 3 * * *") return text;
  const { validate } = require("node-cron") as typeof import("node-cron");
  return validate(text) ? text : undefined;
}

const spanSeconds: Record<string, number> = { s: 1, m: 60, h: 3600 };

/** REQUESTS/SPAN, such as 1000/10s; null for off. */
export function rateLimit(text: string): { requests: number; seconds: number } | null | undefined {
  if (/^off$/i.test(text)) return null;
  const [, requests, count, unit = ""] = /^(\d{1,9})\/(\d{1,6})([smh])$/.exec(text) ?? [];
  const limit = { requests: Number(requests), seconds: Number(count) * (spanSeconds[unit] ?? Number.NaN) };
  return limit.requests > 0 && limit.seconds > 0 ? limit : undefined;
}

/** A given number of durations in seconds, up to a week each. */
export function delays(text: string, least: number, most: number): number[] | undefined {
  const spans = text.split(",").map((span) => integer(span.trim(), 1, 604_800));
  if (spans.length < least || spans.length > most) return undefined;
  return spans.every((span) => span !== undefined) ? spans : undefined;
}

/** Origins as browsers send them: scheme, host and port, without a path. Or `*` alone. */
export function origins(text: string): string[] | undefined {
  if (text === "*") return ["*"];
  const read = listOf(text).map((entry) => {
    const url = URL.parse(entry);
    const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
    return isOrigin && !entry.includes("*") ? url.origin : undefined;
  });
  return read.every((entry) => entry !== undefined) ? read : undefined;
}

/** Addresses and networks in CIDR form. */
export function networks(text: string): string[] | undefined {
  const entries = listOf(text);
  return entries.every(isNetwork) ? entries : undefined;
}

function isNetwork(entry: string): boolean {
  const [address = "", bits, ...more] = entry.split("/");
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || integer(bits, 0, version === 4 ? 32 : 128) !== undefined;
}

function listOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((entry) => entry !== "");
}

/** The URL of a mail server; further parts are validated where it is used. */
export function smtpUrl(text: string): string | undefined {
  const url = /\s/.test(text) ? null : URL.parse(text);
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === "") return undefined;
  return isDecodable(url.username + url.password) ? text : undefined;
}

/** An address, or a name and an address in angle brackets. */
export function isMailbox(text: string): boolean {
  return readMailbox(text) !== undefined;
}

/** Redacts the password, and every parameter that a bucket does not have. */
export function redactBlobUrl(text: string): string {
  return text.startsWith("fs:")
    ? text
    : redactPassword(text).replaceAll(/([?&](?!endpoint=|region=)[^=&]*=)[^&]*/g, "$1***");
}

/** Redacts the password of a URL, even a malformed one: it does not rely on a parser. */
export function redactPassword(text: string): string {
  if (text.startsWith("sqlite:")) return text;
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(text)?.[0] ?? "";
  const at = text.lastIndexOf("@");
  const login = at < 0 ? "" : text.slice(scheme.length, at);
  const [user = ""] = scheme === "" ? [] : (/^[^:@/?#]*/.exec(login) ?? []);
  const hidden = login === user ? text : `${scheme}${user}${user === "" ? "" : ":"}***${text.slice(at)}`;
  return hidden.replace(/([?&][a-z]*password=)[^&]*/gi, "$1***");
}
