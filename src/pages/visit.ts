/** A page visit: the session of the cookie, if any, and the CSRF token of forms. */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingRequest } from "../http/request/incoming-request.ts";
import { isWellFormedSecret, mintSecret } from "../kit/secrets/secret.ts";
import { limits } from "../vocabulary/limits.ts";
import { findSession } from "../tenancy/sessions/session.service.ts";
import type { SessionDeps, Session } from "../tenancy/sessions/session.service.ts";
import type { Site } from "./site.ts";

export interface Visit {
  readonly session: Session | undefined;
  /** The CSRF token: the HMAC of the visitor's cookie. */
  readonly formToken: string;
  /** Cookies to set in the response. */
  readonly cookies: readonly string[];
}

const names = {
  session: "crm_session",
  visit: "crm_visit",
  browser: "crm_browser",
  pending: "crm_sign_in",
  theme: "crm_theme",
} as const;

/** `__Host-`: other hosts of the domain cannot set it, and it is sent only over https (RFC 6265bis, 4.1.3.2). */
function nameOf(site: Site, kind: keyof typeof names): string {
  return site.isSecure ? `__Host-${names[kind]}` : names[kind];
}

/** A visitor without a session gets a cookie that their forms are bound to. */
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

/** The token of a sign-in that waits for its second factor (sign-in.service.ts); "" for none. */
export function readPending(site: Site, request: IncomingRequest): string {
  return readCookie(request, nameOf(site, "pending")) ?? "";
}

export function pendingCookie(site: Site, token: string): string {
  return `${toCookie(site, "pending", token)}; Max-Age=${limits.pendingSignInSeconds}`;
}

export function endedPendingCookie(site: Site): string {
  return `${toCookie(site, "pending", "")}; Max-Age=0`;
}

/** The known-browser marks (known-browser.ts); "" for none. */
export function readMarks(site: Site, request: IncomingRequest): string {
  return readCookie(request, nameOf(site, "browser")) ?? "";
}

/** Kept at sign-out: it identifies the browser. */
export function marksCookie(site: Site, marks: string): string {
  return `${toCookie(site, "browser", marks)}; Max-Age=${limits.knownBrowserSeconds}`;
}

/** The theme chosen in this browser (theme.ts); "" for none. */
export function readThemeCookie(site: Site, request: IncomingRequest): string {
  return readCookie(request, nameOf(site, "theme")) ?? "";
}

export function themeCookie(site: Site, theme: string): string {
  return `${toCookie(site, "theme", theme)}; Max-Age=${limits.themeSeconds}`;
}

function toCookie(site: Site, kind: keyof typeof names, value: string): string {
  return `${nameOf(site, kind)}=${value}; Path=/; HttpOnly; SameSite=Lax${site.isSecure ? "; Secure" : ""}`;
}

/** The first of several with one name, which has the longest path: a second one is not ours. */
function readCookie(request: IncomingRequest, name: string): string | undefined {
  for (const pair of (request.header("cookie") ?? "").split(";")) {
    const at = pair.indexOf("=");
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/** Does not reveal the cookie. */
function toFormToken(secret: string): string {
  return createHmac("sha256", secret).update("form token").digest("base64url");
}

/**
 * Whether a form was submitted from our page by this visitor. Browsers send Sec-Fetch-Site; the Origin of our forms is
 * `null`, because our pages send no referrer.
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

/** Whether the browser says that a page of ours sent the request; scripts and other sites cannot set this header. */
export function isFromOurPage(request: IncomingRequest): boolean {
  return request.header("sec-fetch-site") === "same-origin";
}
