/** What the annotations of a tool say of its operation. */
import type { Endpoint } from "../http/endpoint.ts";
import type { ToolHints } from "./agent-tool.ts";

/** Operations that reach somebody outside: they send messages or make requests to servers of others. */
const reachingOut = new Set([
  "enroll",
  "retryMessage",
  "retryRun",
  "replayDelivery",
  "sendMessage",
  "sendTest",
  "startConversation",
  "testChannel",
]);

/** POST operations that overwrite or end something. */
const overwriting = new Set(["bulkUpsertContacts", "mergeContacts", "unpublishWorkflow", "upsertContact"]);

/** POST operations that leave the same state when they are repeated. */
const repeatable = new Set([
  "addContactTag",
  "bulkUpsertContacts",
  "cancelMessage",
  "mergeContacts",
  "publishWorkflow",
  "tryWorkflow",
  "unpublishWorkflow",
  "upsertContact",
]);

export function hintsOf({ method, operation: { name, read } }: Endpoint): ToolHints {
  const changesRecord = method === "PATCH" || method === "DELETE";
  return {
    readOnlyHint: read !== undefined,
    destructiveHint: changesRecord || overwriting.has(name),
    idempotentHint: read !== undefined || changesRecord || repeatable.has(name),
    openWorldHint: reachingOut.has(name),
  };
}
