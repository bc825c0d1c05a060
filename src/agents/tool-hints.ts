/** What the annotations of a tool say of its operation. */
import type { Endpoint } from "../http/endpoint.ts";
import type { ToolHints } from "./agent-tool.ts";

const overwrites = { destructiveHint: true };
const isRepeatable = { idempotentHint: true };
const reachesOut = { openWorldHint: true };

/** POST operations that do not only add: by their method nothing more is known of them. */
export const postHints: Readonly<Record<string, Partial<ToolHints>>> = {
  upsertContact: { ...overwrites, ...isRepeatable },
  bulkUpsertContacts: { ...overwrites, ...isRepeatable },
  mergeContacts: overwrites,
  addContactTag: isRepeatable,
  startConversation: reachesOut,
  sendMessage: reachesOut,
  retryMessage: reachesOut,
  cancelMessage: isRepeatable,
  publishWorkflow: isRepeatable,
  unpublishWorkflow: { ...overwrites, ...isRepeatable },
  setWorkflowSecret: { ...overwrites, ...isRepeatable },
  tryWorkflow: { readOnlyHint: true, ...isRepeatable },
  enroll: reachesOut,
  retryRun: reachesOut,
  testChannel: reachesOut,
  sendTest: reachesOut,
  replayDelivery: reachesOut,
};

export function hintsOf({ method, operation: { name, read } }: Endpoint): ToolHints {
  const isRead = read !== undefined;
  const changesRecord = method === "PATCH" || method === "DELETE";
  return {
    readOnlyHint: isRead,
    destructiveHint: changesRecord,
    idempotentHint: isRead || changesRecord,
    openWorldHint: false,
    ...postHints[name],
  };
}
