/** The API representation of the credential that sends a request. */
import { z } from "zod";
import { scopeNames } from "../../vocabulary/scopes.ts";

const named = { id: z.int(), name: z.string() };

export const credentialView = z
  .object({
    type: z.enum(["api_key", "app"]),
    ...named,
    workspace: z.object(named),
    locations: z.array(z.object(named)).describe("Those it has access to, oldest first."),
    scopes: z.array(z.enum(scopeNames)).readonly(),
    user: z.object(named).nullable().describe("The person who installed the app; null for an API key."),
    app: z.object({ client_id: z.string(), name: z.string() }).nullable().describe("null for an API key."),
    rate_limit: z
      .object({ limit: z.int(), window_seconds: z.int() })
      .nullable()
      .describe("null if the service has no rate limit."),
  })
  .meta({
    id: "Credential",
    description: "The API key or the app that sends the request, with its access.",
    examples: [
      {
        type: "api_key",
        id: 1,
        name: "Website",
        workspace: { id: 1, name: "Acme" },
        locations: [{ id: 1, name: "North" }],
        scopes: ["contacts.readonly", "tasks.write"],
        user: null,
        app: null,
        rate_limit: { limit: 1000, window_seconds: 10 },
      },
    ],
  });

export type CredentialView = z.output<typeof credentialView>;
