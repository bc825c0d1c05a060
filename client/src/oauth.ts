/** OAuth for marketplace apps: the authorization URL, codes and refresh tokens exchanged, and tokens that renew themselves. */
import { attempt } from "./attempt.ts";
import { CrmError } from "./crm-error.ts";
import type { Tokens as TokenAnswer } from "./generated/schemas.ts";
import type { TokenSource } from "./request-options.ts";
import { mayRetry, wait, waitBeforeRetry } from "./retries.ts";

export { CrmError } from "./crm-error.ts";

/** An app, as `crm apps create` prints it. */
export interface OAuthApp {
  /** The address of the service. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** One of those registered. */
  readonly redirectUri: string;
  /** Instead of the global one. */
  readonly fetch?: typeof fetch | undefined;
}

/** Store them together, encrypted: a refresh token works once, and lasts a year. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** When the access token expires, in milliseconds. */
  readonly expiresAt: number;
  readonly scopes: readonly string[];
  /** The location in which the app was allowed. */
  readonly locationId: number;
  readonly workspaceId: number;
}

export interface Authorization {
  /** Where to send the person. */
  readonly url: string;
  /** Both are kept for this browser, for `exchangeCode`. */
  readonly state: string;
  readonly codeVerifier: string;
}

/** Begins an install, with PKCE. `scopes` are some of the app's; all by default. */
export async function authorizationUrl(
  app: OAuthApp,
  {
    scopes,
    state = randomText(),
  }: { readonly scopes?: readonly string[] | undefined; readonly state?: string | undefined } = {},
): Promise<Authorization> {
  const codeVerifier = randomText();
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(codeVerifier));
  const parameters = new URLSearchParams({
    response_type: "code",
    client_id: app.clientId,
    redirect_uri: app.redirectUri,
    state,
    code_challenge: toBase64Url(new Uint8Array(digest)),
    code_challenge_method: "S256",
    ...(scopes === undefined ? {} : { scope: scopes.join(" ") }),
  });
  return { url: `${rootOf(app)}/oauth/authorize?${parameters}`, state, codeVerifier };
}

export interface Callback {
  /** The address at which the browser came back, with its query. */
  readonly url: string | URL;
  /** As `authorizationUrl` returned them; undefined if this browser began no install. */
  readonly state: string | undefined;
  readonly codeVerifier: string;
}

/**
 * The tokens of an install, from the address at which the browser came back. Throws a CrmError: `state_mismatch` or
 * `issuer_mismatch` if the app did not begin it, `access_denied` if the person refused, and what the service answers.
 */
export async function exchangeCode(app: OAuthApp, { url, state, codeVerifier }: Callback): Promise<Tokens> {
  const given = new URL(url, app.redirectUri).searchParams;
  if (state === undefined || given.get("state") !== state)
    throw refusal("state_mismatch", "This browser did not begin the install: its state is unknown.");
  if (given.get("iss") !== rootOf(app))
    throw refusal("issuer_mismatch", `The answer is not from ${rootOf(app)}, but from ${given.get("iss")}.`);
  const error = given.get("error");
  if (error !== null) throw refusal(error, given.get("error_description") ?? error);
  return askForTokens(app, {
    grant_type: "authorization_code",
    code: given.get("code") ?? "",
    redirect_uri: app.redirectUri,
    code_verifier: codeVerifier,
  });
}

/** New tokens for a refresh token, which is used up. */
export function refreshTokens(app: OAuthApp, refreshToken: string): Promise<Tokens> {
  return askForTokens(app, { grant_type: "refresh_token", refresh_token: refreshToken });
}

/** Ends a token; a refresh token with its access token. */
export async function revokeToken(app: OAuthApp, token: string): Promise<void> {
  await post(app, "/api/oauth/revoke", { token });
}

/** Where the tokens of one install are kept. */
export interface TokenStorage {
  load(): Tokens | undefined | Promise<Tokens | undefined>;
  save(tokens: Tokens): void | Promise<void>;
  /** Runs `work` while no other process refreshes the same install: a lock of your database, for several processes. */
  lock?<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** An access token is renewed so long before its end. */
const marginMilliseconds = 60_000;

/**
 * The `token` of a client: the access token of an install, renewed a minute before its end, or once the service refuses it. However
 * many calls wait, one refresh is made. Throws a CrmError `invalid_grant` when the app has to be installed again.
 */
export function createTokenStore(app: OAuthApp, storage: TokenStorage): TokenSource {
  const lock = storage.lock ?? ((work) => work());
  let current: Tokens | undefined;
  /** What could not be saved: it is the only copy. */
  let unsaved: Tokens | undefined;
  let renewing: Promise<Tokens> | undefined;

  const isValid = (tokens: Tokens, rejected: string | undefined) =>
    tokens.accessToken !== rejected && tokens.expiresAt - Date.now() > marginMilliseconds;

  async function save(tokens: Tokens): Promise<Tokens> {
    current = tokens;
    unsaved = tokens;
    await storage.save(tokens);
    unsaved = undefined;
    return tokens;
  }

  async function renew(rejected: string | undefined): Promise<Tokens> {
    if (unsaved !== undefined) return save(unsaved);
    const stored = await storage.load();
    if (stored === undefined) throw refusal("invalid_grant", "The storage has no tokens: install the app.");
    // Another process has renewed them.
    if (isValid(stored, rejected)) return stored;
    try {
      return await save(await refreshTokens(app, stored.refreshToken));
    } catch (error) {
      const other = error instanceof CrmError && error.code === "invalid_grant" ? await storage.load() : undefined;
      if (other === undefined || other.refreshToken === stored.refreshToken) throw error;
      return other;
    }
  }

  return async ({ rejected }) => {
    current ??= await storage.load();
    if (unsaved === undefined && current !== undefined && isValid(current, rejected)) return current.accessToken;
    renewing ??= lock(() => renew(rejected)).finally(() => (renewing = undefined));
    current = await renewing;
    return current.accessToken;
  };
}

async function askForTokens(app: OAuthApp, fields: Readonly<Record<string, string>>): Promise<Tokens> {
  const answer = (await post(app, "/api/oauth/token", fields)) as TokenAnswer;
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token,
    expiresAt: Date.now() + answer.expires_in * 1000,
    scopes: answer.scope.split(" ").filter(Boolean),
    locationId: answer.location_id,
    workspaceId: answer.workspace_id,
  };
}

/** Within ten seconds a token that is used again is refused without consequences; afterwards it revokes the install. */
const longestRepetition = 8000;

async function post(app: OAuthApp, path: string, fields: Readonly<Record<string, string>>): Promise<unknown> {
  const body = new URLSearchParams({ ...fields, client_id: app.clientId, client_secret: app.clientSecret });
  const outgoing = { method: "POST", url: rootOf(app) + path, headers: { accept: "application/json" }, body };
  const bounds = { fetch: app.fetch ?? globalThis.fetch, timeout: 30_000, signal: undefined };
  const begun = Date.now();
  for (let count = 0; ; count += 1) {
    try {
      return (await attempt(outgoing, bounds)).data;
    } catch (error) {
      if (!(error instanceof CrmError) || !mayRetry(error, true)) throw error;
      const pause = waitBeforeRetry(error, count);
      if (Date.now() - begun + pause > longestRepetition) throw error;
      await wait(pause, undefined);
    }
  }
}

/** The issuer. */
function rootOf({ baseUrl }: OAuthApp): string {
  return baseUrl.replace(/\/+$/, "");
}

function refusal(code: string, message: string): CrmError {
  return new CrmError({ status: 0, code, message });
}

function randomText(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");
}
