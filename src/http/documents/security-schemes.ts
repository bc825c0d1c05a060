/** Credentials in the OpenAPI document: which there are, and which an operation accepts. */
import { appScopeNames, scopes } from "../../vocabulary/scopes.ts";
import type { Endpoint } from "../endpoint.ts";
import type { JsonSchema } from "../json-schema.ts";

/** Scheme → scopes; all of its schemes are required together. */
export type SecurityRequirement = Readonly<Partial<Record<SchemeName, readonly string[]>>>;

type SchemeName = "bearer" | "oauth2" | "client" | "clientKey" | "clientSecret";

/** `to`: a path → the same at the server of the document. */
export function securitySchemes(to: (path: `/${string}`) => string): Record<SchemeName, JsonSchema> {
  return {
    bearer: { type: "http", scheme: "bearer", description: "A workspace API key (`crm_key_…`)." },
    oauth2: {
      type: "oauth2",
      description: "An access token of a marketplace app (`crm_at_…`), for one location.",
      flows: {
        authorizationCode: {
          authorizationUrl: to("/oauth/authorize"),
          tokenUrl: to("/api/oauth/token"),
          refreshUrl: to("/api/oauth/token"),
          scopes: Object.fromEntries(appScopeNames.map((name) => [name, scopes[name]])),
        },
      },
    },
    client: { type: "http", scheme: "basic", description: "The client id and the client secret of an app." },
    clientKey: { type: "apiKey", in: "header", name: "x-service-client-key", description: "The client id of an app." },
    clientSecret: {
      type: "apiKey",
      in: "header",
      name: "x-service-client-secret",
      description: "The client secret of an app.",
    },
  };
}

/** An API key, or a token with the scope if apps can have it. */
export function securityOf({ operation: { may } }: Endpoint): readonly SecurityRequirement[] {
  const { scope } = may;
  if (scope === "any" || scope === "none") return [{ bearer: [] }, { oauth2: [] }];
  return appScopeNames.includes(scope) ? [{ bearer: [] }, { oauth2: [scope] }] : [{ bearer: [] }];
}
