/** Tokens and their revocation in the OpenAPI document. */
import { z } from "zod";
import type { RouteDocument } from "../../http/documents/route-document.ts";

const oauthError = z
  .object({
    error: z.string().describe("A code."),
    error_description: z.string().describe("A sentence for people."),
    message: z.string().optional().describe("With 429: the sentence of `error_description`."),
  })
  .meta({ id: "OauthError", description: "An error of the OAuth endpoints (RFC 6749, 5.2)." });

const clientFields = {
  client_id: z.string().optional().describe("The client id of the app, unless it authenticates by HTTP Basic."),
  client_secret: z.string().optional().describe("Its client secret."),
};
const clientExample = { client_id: "crm_app_…", client_secret: "crm_cs_…" };

/** For documentation: the endpoint checks in the order of the specification, and answers by RFC 6749. */
const tokenInput = z
  .object({
    grant_type: z.enum(["authorization_code", "refresh_token"]),
    ...clientFields,
    code: z.string().optional().describe("With `authorization_code`: from the redirect."),
    redirect_uri: z.string().optional().describe("With `authorization_code`: the one that the code was sent to."),
    code_verifier: z.string().optional().describe("With `authorization_code`: if a challenge was sent (PKCE)."),
    refresh_token: z.string().optional().describe("With `refresh_token`."),
    scope: z
      .string()
      .optional()
      .describe("With `refresh_token`: fewer scopes for the access token, separated by spaces."),
  })
  .meta({
    examples: [
      {
        grant_type: "authorization_code",
        ...clientExample,
        code: "crm_code_…",
        redirect_uri: "https://app.example.com/callback",
      },
    ],
  });

const revokeInput = z
  .object({
    ...clientFields,
    token: z.string().describe("An access token or a refresh token."),
    token_type_hint: z.enum(["access_token", "refresh_token"]).optional(),
  })
  .meta({ examples: [{ ...clientExample, token: "crm_rt_…" }] });

const tokens = z
  .object({
    access_token: z.string(),
    token_type: z.literal("Bearer"),
    expires_in: z.int().describe("Seconds."),
    refresh_token: z.string().describe("Works once."),
    scope: z.string().describe("Separated by spaces."),
    location_id: z.int().describe("The location in which the access token is valid."),
    workspace_id: z.int().describe("The workspace of the location."),
  })
  .meta({
    id: "Tokens",
    description: "An access token and a refresh token.",
    examples: [
      {
        access_token: "crm_at_…",
        token_type: "Bearer",
        expires_in: 86_400,
        refresh_token: "crm_rt_…",
        scope: "contacts.readonly tags.write",
        location_id: 1,
        workspace_id: 1,
      },
    ],
  });

const nothing = z.object({}).meta({ id: "Revoked", description: "The token is invalid now.", examples: [{}] });

function failed(description: string, error: string, sentence: string) {
  return { description, gives: oauthError, example: { error, error_description: sentence } };
}

const tooMany = "Too many requests. Try again in 2 seconds.";

const shared = {
  noun: "OAuth",
  method: "POST",
  media: "application/x-www-form-urlencoded",
  // The empty alternative: the client authenticates in the body.
  security: [{ client: [] }, {}],
  failures: {},
} as const;

const errors = {
  401: failed("The client is unknown, or its secret is wrong.", "invalid_client", "Unknown client, or wrong secret."),
  429: {
    description: "The rate limit is exceeded.",
    gives: oauthError,
    example: { error: "too_many_requests", error_description: tooMany, message: tooMany },
    headers: ["Retry-After"],
  },
  503: {
    ...failed("The database is unavailable.", "temporarily_unavailable", "Try again shortly."),
    headers: ["Retry-After"],
  },
} as const;

export const oauthDocuments: readonly RouteDocument[] = [
  {
    ...shared,
    path: "/api/oauth/token",
    name: "issueTokens",
    summary: "Issues tokens for a code or a refresh token (RFC 6749).",
    description: "A code and a refresh token work once. Reuse revokes the tokens that were issued for them.",
    input: tokenInput,
    answers: {
      200: { description: "An access token and a refresh token.", gives: tokens },
      400: failed(
        "The grant or the request is invalid.",
        "invalid_grant",
        "The code is unknown, already used, expired, or was issued for a different request.",
      ),
      ...errors,
    },
  },
  {
    ...shared,
    path: "/api/oauth/revoke",
    name: "revokeToken",
    summary: "Revokes a token (RFC 7009); an unknown one counts as revoked.",
    description: "A refresh token is revoked with every token of its consent, an access token alone.",
    input: revokeInput,
    answers: {
      200: { description: "The token is invalid now.", gives: nothing },
      400: failed("The request is invalid.", "invalid_request", "The token field is required."),
      ...errors,
    },
  },
];
