/** Who looks at a page: the session of the cookie, if any, and the token that their forms carry. */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingRequest } from "../http/request/incoming-request.ts";
import { isWellFormedSecret, mintSecret } from "../kit/secrets/secret.ts";
import { limits } from "../vocabulary/limits.ts";
import { findSession } from "../tenancy/sessions/session.service.ts";
import type { SessionDeps, Session } from "../tenancy/sessions/session.service.ts";
import type { Site } from "./site.ts";

export interface Visit {
  readonly session: Session | undefined;
  /** Proves that a form is from a page of ours, for this visitor: the HMAC of what their cookie holds. */
  readonly formToken: string;
  /** What the answer to this visit sets. */
  readonly cookies: readonly string[];
}

const names = { session: "crm_session", visit: "crm_visit", browser: "crm_browser" } as const;

/** `__Host-`: no other host of the domain can plant one, and it goes over https alone (RFC 6265bis, 4.1.3.2). */
function nameOf(site: Site, kind: keyof typeof names): string {
  return site.isSecure ? `__Host-${names[kind]}` : names[kind];
}

/** Whoever has no session is given a cookie of their own, which their forms are bound to. */
export async function receive(deps: SessionDeps, site: Site, request: IncomingRequest): Promise<Visit> {
  const token = readCookie(request, nameOf(site, "session"));
  const session = token === undefined ? undefined : await findSession(deps, token);
  if (session !== undefined) return { session, formToken: toFormToken(token!), cookies: [] };
  const kept = readCookie(request, nameOf(site, "visit"));
  if (kept !== undefined && isWellFormedSecret("crm_visit_", kept)) {
    return { session: undefined, formToken: toFormToken(kept), cookies: [] };
  }
  const visit = mintSecret("crm_visit_");
  return { session: undefined, formToken: toFormToken(visit), cookies: [toCookie(site, "visit", visit)] };
}

export function sessionCookie(site: Site, token: string): string {
  return `${toCookie(site, "session", token)}; Max-Age=${limits.sessionSeconds}`;
}

export function endedSessionCookie(site: Site): string {
  return `${toCookie(site, "session", "")}; Max-Age=0`;
}

/** The accounts that know this browser (known-browser.ts); "" for none. */
export function readMarks(site: Site, request: IncomingRequest): string {
  return readCookie(request, nameOf(site, "browser")) ?? "";
}

/** Stays when its person signs out: it is what tells their browser from others. */
export function marksCookie(site: Site, marks: string): string {
  return `${toCookie(site, "browser", marks)}; Max-Age=${limits.knownBrowserSeconds}`;
}

function toCookie(site: Site, kind: keyof typeof names, value: string): string {
  return `${nameOf(site, kind)}=${value}; Path=/; HttpOnly; SameSite=Lax${site.isSecure ? "; Secure" : ""}`;
}

/** Of several of one name the first, which is the one of the longest path: a second one is not ours. */
function readCookie(request: IncomingRequest, name: string): string | undefined {
  for (const pair of (request.header("cookie") ?? "").split(";")) {
    const at = pair.indexOf("=");
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/** Says nothing of the cookie itself. */
function toFormToken(secret: string): string {
  return createHmac("sha256", secret).update("form token").digest("base64url");
}

/**
 * Whether a form was sent by a page of ours to this visitor. Browsers say where a request comes from in Sec-Fetch-Site; their
 * Origin is `null` for our own forms, because our pages send no referrer.
 */
export function isOwnForm(site: Site, request: IncomingRequest, visit: Visit, fields: URLSearchParams): boolean {
  const from = request.header("sec-fetch-site");
  if (from !== undefined && from !== "same-origin" && from !== "none") return false;
  const origin = request.header("origin");
  if (origin !== undefined && origin !== "null" && !site.isOwn(origin, request)) return false;
  const [given, ...more] = fields.getAll("form_token");
  if (given === undefined || more.length > 0) return false;
  const [sent, expected] = [Buffer.from(given), Buffer.from(visit.formToken)];
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}
