/** OAuth endpoints without user interaction: tokens, revocation, metadata. */
import type { HttpResponse } from "../../http/http-response.ts";
import { jsonResponse } from "../../http/http-response.ts";
import { requireLeft } from "../../http/budget/rate-limit.ts";
import type { RateLimiter } from "../../http/budget/rate-limit.ts";
import type { Failure } from "../../http/failures.ts";
import type { IncomingRequest } from "../../http/request/incoming-request.ts";
import { route } from "../../http/route.ts";
import type { Route } from "../../http/route.ts";
import type { Links } from "../../kit/links.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Database } from "../../storage/database.ts";
import { appScopeNames } from "../../vocabulary/scopes.ts";
import { checkClientCredentials } from "./checks/client-credentials.ts";
import { checkGrantType } from "./checks/grant-type.ts";
import { valueOf } from "./checks/parameters.ts";
import { checkRepeatedParameters } from "./checks/repeated-parameters.ts";
import { requireField } from "./checks/required-fields.ts";
import { findClient } from "./client.queries.ts";
import { OauthError } from "./oauth-error.ts";
import { findTokenClient } from "./tokens/token-client.queries.ts";
import { tokensForCode, tokensForRefreshToken } from "./tokens/token-request.ts";
import { revokeToken } from "./tokens/token.service.ts";

export interface OauthDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly links: Links;
  /** Counts one failed authentication of an address. */
  readonly limitFailures: RateLimiter;
  /** Counts one token request of an app in a location. */
  readonly limitTokens: RateLimiter;
}

/** Token requests are small. */
const formLimit = 64 << 10;

/** RFC 6749, 5.1: responses must not be cached. */
const unkept = { "cache-control": "no-store", pragma: "no-cache" };

/** RFC 6749, 5.2. The response does not reveal whether client or secret was wrong. A 429 has the `message` that the specification gives every one (Errors). */
function errorAnswer({ code, message }: OauthError, status: number, headers: Record<string, string> = {}) {
  const body = JSON.stringify({ error: code, error_description: message, ...(status === 429 && { message }) });
  return jsonResponse(status, body, { ...unkept, ...headers });
}

/** Errors before any rule: another media type, a body that is too large, an unavailable database. */
function failed({ status, code, message }: Failure) {
  if (status === 503) return errorAnswer(new OauthError("temporarily_unavailable", "Try again shortly."), 503);
  if (status >= 500) return errorAnswer(new OauthError("server_error", "Something went wrong on our side."), status);
  if (code === "too_many_requests") return errorAnswer(new OauthError(code, message), status);
  const kept = code === "method_not_allowed" || code === "payload_too_large" ? status : 400;
  return errorAnswer(new OauthError("invalid_request", message), kept);
}

export function oauthRoutes({ database, clock, links, limitFailures, limitTokens }: OauthDeps): Route[] {
  /** Serves a client request, with errors as in RFC 6749. */
  function served(
    work: (fields: URLSearchParams, request: IncomingRequest) => Promise<HttpResponse>,
  ): (request: IncomingRequest, fields: URLSearchParams) => Promise<HttpResponse> {
    return async (request, fields) => {
      try {
        return await work(fields, request);
      } catch (error) {
        if (!(error instanceof OauthError)) throw error;
        if (error.code !== "invalid_client") return errorAnswer(error, 400);
        requireLeft(await limitFailures(request.address));
        // RFC 6749, 5.2: required if the client used this header.
        const basic = request.header("authorization") !== undefined;
        return errorAnswer(error, 401, basic ? { "www-authenticate": 'Basic realm="crm"' } : {});
      }
    };
  }

  return [
    route({
      method: "POST",
      path: "/api/oauth/token",
      summary: "Issues tokens for a code or a refresh token (RFC 6749).",
      body: "form",
      limit: formLimit,
      failed,
      serve: served(async (fields, request) => {
        const now = clock.now();
        const refreshToken = valueOf(fields, "refresh_token");
        const client = await checkClientCredentials(
          // One statement reads both; the token influences no response before its check.
          (clientId) => findTokenClient(database, { clientId, refreshToken, now }),
          request,
          fields,
        );
        checkRepeatedParameters(fields, [
          "grant_type",
          "code",
          "redirect_uri",
          "code_verifier",
          "refresh_token",
          "scope",
        ]);
        const grantType = checkGrantType(fields);
        const give = grantType === "authorization_code" ? tokensForCode : tokensForRefreshToken;
        const count = async (locationId: number | undefined) =>
          requireLeft(await limitTokens(`app ${client.id} at ${locationId ?? "no location"}`));
        return jsonResponse(200, JSON.stringify(await give(database, { client, fields, now, count })), unkept);
      }),
    }),
    route({
      method: "POST",
      path: "/api/oauth/revoke",
      summary: "Revokes a token (RFC 7009); an unknown one counts as revoked.",
      body: "form",
      limit: formLimit,
      failed,
      serve: served(async (fields, request) => {
        const client = await checkClientCredentials((id) => findClient(database, id), request, fields);
        checkRepeatedParameters(fields, ["token", "token_type_hint"]);
        const token = requireField(fields, "token");
        await database.transaction((change) => revokeToken(change, client, token, clock.now()));
        return jsonResponse(200, "{}", unkept);
      }),
    }),
    route({
      method: "GET",
      path: "/.well-known/oauth-authorization-server",
      summary: "Says where everything of OAuth is (RFC 8414).",
      serve: async () =>
        jsonResponse(200, JSON.stringify(describeServer(links)), { "cache-control": "public, max-age=300" }),
    }),
  ];
}

/** `issuer` is the base URL without a trailing slash. */
export function issuerOf(links: Links): string {
  return links.to("/").slice(0, -1);
}

function describeServer(links: Links): object {
  const methods = ["client_secret_basic", "client_secret_post"];
  return {
    issuer: issuerOf(links),
    authorization_endpoint: links.to("/oauth/authorize"),
    token_endpoint: links.to("/api/oauth/token"),
    token_endpoint_auth_methods_supported: methods,
    revocation_endpoint: links.to("/api/oauth/revoke"),
    revocation_endpoint_auth_methods_supported: methods,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    scopes_supported: appScopeNames,
    authorization_response_iss_parameter_supported: true,
    service_documentation: links.to("/docs"),
  };
}
