/** The operations of API keys. */
import { z } from "zod";
import { shortPageQuery } from "../../kit/page-shapes.ts";
import { operation } from "../../operation/operation.ts";
import * as queries from "./api-key.queries.ts";
import { apiKeyInput } from "./api-key.schema.ts";
import * as service from "./api-key.service.ts";
import { apiKeyListView, apiKeyView, newApiKeyView } from "./api-key.view.ts";

/** People only: an API key cannot create API keys. */
const may = { scope: "none", role: "manager" } as const;

export const listApiKeys = operation({
  name: "listApiKeys",
  summary: "Lists the API keys of the workspace, including revoked and expired ones, oldest first.",
  noun: "API keys",
  within: "workspace",
  may,
  query: shortPageQuery.extend({ state: z.enum(["active"]).optional().describe("Neither revoked nor expired.") }),
  gives: apiKeyListView,
  read: async (reader, { query }) => await queries.listApiKeys(reader, query),
});

export const getApiKey = operation({
  name: "getApiKey",
  summary: "Shows an API key, without its secret.",
  noun: "API keys",
  within: "workspace",
  may,
  find: { api_key: queries.findApiKey },
  gives: apiKeyView,
  read: async (_reader, { api_key: key }) => key,
});

export const createApiKey = operation({
  name: "createApiKey",
  summary: "Creates an API key. The key is shown only once.",
  noun: "API keys",
  within: "workspace",
  may,
  input: apiKeyInput,
  gives: newApiKeyView,
  givesSecret: true,
  audit: ({ id, scopes, location_ids }) => ({ noun: "api_key", id, details: { scopes, location_ids } }),
  change: (change, { input }) => service.createApiKey(change, input),
});

export const rotateApiKey = operation({
  name: "rotateApiKey",
  summary: "Rotates an API key: replaces its secret. The old secret stops working immediately.",
  noun: "API keys",
  within: "workspace",
  may,
  find: { api_key: queries.findApiKey },
  gives: newApiKeyView,
  givesSecret: true,
  audit: "found",
  change: (change, { api_key: key }) => service.rotateApiKey(change, key.id),
});

export const revokeApiKey = operation({
  name: "revokeApiKey",
  summary: "Revokes an API key permanently.",
  noun: "API keys",
  within: "workspace",
  may,
  find: { api_key: queries.findApiKey },
  gives: null,
  audit: "found",
  change: (change, { api_key: key }) => service.revokeApiKey(change, key.id),
});
