/** Tells OAuth clients which authorization server issues the tokens of /mcp (RFC 9728). */
import { jsonResponse } from "../http/http-response.ts";
import type { WholeResponse } from "../http/http-response.ts";
import { route } from "../http/route.ts";
import type { Route } from "../http/route.ts";
import type { Links } from "../kit/links.ts";
import { issuerOf } from "../marketplace/oauth/oauth.routes.ts";
import { appScopeNames } from "../vocabulary/scopes.ts";

const wellKnown = "/.well-known/oauth-protected-resource";

/** Adds the address of the metadata to the challenge of an answer, if it has one (RFC 9728, 5.1). */
export function withMetadata(answer: WholeResponse, links: Links): WholeResponse {
  const challenge = answer.headers?.["www-authenticate"];
  if (challenge === undefined) return answer;
  const located = `${challenge}, resource_metadata="${links.to(`${wellKnown}/mcp`)}"`;
  return { ...answer, headers: { ...answer.headers, "www-authenticate": located } };
}

/** The metadata, at the address of the resource /mcp (RFC 9728, 3.1) and at the one of the whole service. */
export function resourceRoutes(links: Links): Route[] {
  const describe = () =>
    JSON.stringify({
      resource: links.to("/mcp"),
      resource_name: "crm",
      authorization_servers: [issuerOf(links)],
      scopes_supported: appScopeNames,
      bearer_methods_supported: ["header"],
      resource_documentation: links.to("/docs"),
    });
  return ([`${wellKnown}/mcp`, wellKnown] as const).map((path) =>
    route({
      method: "GET",
      path,
      summary: "Says which authorization server issues the tokens of /mcp (RFC 9728).",
      serve: async () => jsonResponse(200, describe(), { "cache-control": "public, max-age=300" }),
    }),
  );
}
