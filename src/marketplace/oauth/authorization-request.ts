/** Validates a request to /oauth/authorize: one rule per file, in order. */
import type { Rows } from "../../storage/rows.ts";
import { checkClient } from "./checks/client.ts";
import { checkCodeChallenge } from "./checks/code-challenge.ts";
import { valueOf } from "./checks/parameters.ts";
import { checkRedirectUri, requireRegistered } from "./checks/redirect-uri.ts";
import { checkRepeatedParameters } from "./checks/repeated-parameters.ts";
import { checkResponseType } from "./checks/response-type.ts";
import { checkScope, requireAllowed } from "./checks/scope.ts";
import type { AuthorizationParameters } from "./authorization-parameters.ts";
import type { Client } from "./client.queries.ts";
import { OauthError } from "./oauth-error.ts";

export interface AuthorizationRequest extends AuthorizationParameters {
  readonly client: Client;
}

/** An invalid request of a trusted client, with the redirect URI that receives the error. */
export interface FailedRequest {
  readonly error: OauthError;
  readonly redirectUri: string;
  readonly state: string | null;
}

const declared = "the scopes that the app has declared";
const single = ["response_type", "scope", "state", "code_challenge", "code_challenge_method"];

/** Throws Untrusted if client or redirect URI are not verified. */
export async function readAuthorizationRequest(
  rows: Rows,
  parameters: URLSearchParams,
): Promise<AuthorizationRequest | FailedRequest> {
  const client = await checkClient(rows, parameters);
  const redirectUri = checkRedirectUri(client, parameters);
  const state = valueOf(parameters, "state") ?? null;
  try {
    checkRepeatedParameters(parameters, single);
    checkResponseType(parameters);
    const scopes = checkScope(parameters, client.scopes, declared);
    const codeChallenge = checkCodeChallenge(parameters);
    return { client, redirectUri, scopes, state, codeChallenge };
  } catch (error) {
    if (!(error instanceof OauthError)) throw error;
    return { error, redirectUri, state };
  }
}

/** Validates a stored request again: the app may have changed. Throws Untrusted and OauthError. */
export function revalidate(client: Client, { redirectUri, scopes }: AuthorizationParameters): void {
  requireRegistered(client, redirectUri);
  requireAllowed(scopes, client.scopes, declared);
}

/** The URL of the same request, for signing in as another person. */
export function toAuthorizePath({ client, redirectUri, scopes, state, codeChallenge }: AuthorizationRequest): string {
  const parameters = new URLSearchParams({
    response_type: "code",
    client_id: client.clientId,
    redirect_uri: redirectUri,
    scope: scopes.join(" "),
  });
  if (state !== null) parameters.set("state", state);
  if (codeChallenge !== null) {
    parameters.set("code_challenge", codeChallenge);
    parameters.set("code_challenge_method", "S256");
  }
  return `/oauth/authorize?${parameters.toString()}`;
}

/** The redirect URI with the response parameters, the unchanged `state`, and the issuer (RFC 9207). */
export function toRedirect(
  { redirectUri, state }: { readonly redirectUri: string; readonly state: string | null },
  issuer: string,
  result: { readonly code: string } | { readonly error: OauthError },
): string {
  const parameters = new URLSearchParams(
    "code" in result ? { code: result.code } : { error: result.error.code, error_description: result.error.message },
  );
  if (state !== null) parameters.set("state", state);
  parameters.set("iss", issuer);
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${parameters.toString()}`;
}
