/** webhook: posts the contact and the context to a URL, after the commit (posting/). */
import { z } from "zod";
import { text } from "../../../kit/input/fields.ts";
import { scopesToSee } from "../../../operation/redaction.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { contactRecordView } from "../../contacts/contact.view.ts";
import { excerpt } from "../definition/excerpt.ts";
import { definePost } from "../definition/node-type.ts";
import type { PostOutcome } from "../definition/node-type.ts";
import { next, nodeId } from "../definition/parts.schema.ts";
import { judgeHeaders, postHeaders, secretsIn } from "../definition/post-headers.ts";
import { delayAfter } from "../walk/retry.ts";

export const webhookNode = definePost({
  type: "webhook",
  scopes: () => ["contacts.readonly", ...scopesToSee(contactRecordView)],
  schema: z
    .strictObject({
      type: z.literal("webhook"),
      url: text(limits.workflow.url).meta({ format: "uri" }),
      headers: postHeaders,
      on_error: nodeId.optional().describe("The node after three failed attempts; without one the run fails."),
      next,
    })
    .describe("Posts the contact and the context to a URL."),
  about:
    "posts `{id, workflow_id, run_id, contact, context}` to `url`, which is literal (no templates); " +
    "with `headers`; three attempts, then `on_error`, or the run fails",
  fields: ({ url, headers }) => [
    { field: "url", holds: "url", value: url },
    { field: "headers", holds: "secrets", value: secretsIn(headers), url },
  ],
  faults: ({ headers }) => judgeHeaders(headers),
  summary: ({ url }) => `post to ${excerpt(url)}`,
  exits: (node) => [
    { when: "posted", to: node.next, ends: "finished" },
    { when: "failed", to: node.on_error, ends: "error" },
  ],
  url: ({ url }) => url,
  headers: ({ headers }) => headers,
  afterAttempt(node, { nodeId: id, outcome, number, now }) {
    const why = findFault(outcome);
    if (why === undefined) return { to: node.next };
    const delay = delayAfter(number);
    const error = `The node "${id}": ${why}.`;
    if (delay !== undefined) return { waits: { reason: "delay", since: now, until: now + delay, event: null }, error };
    if (node.on_error !== undefined) return { to: node.on_error, error };
    return { ends: "error", error };
  },
});

const faults: Readonly<Record<Extract<PostOutcome, { fault: unknown }>["fault"], string>> = {
  timeout: "the address did not answer in time",
  dns: "the address was not found",
  tls: "the address has no certificate that can be trusted",
  refused: "the address refused the connection",
  forbidden_address: "the address is not allowed as a target",
  crashed: "the address may have received the request, but the worker ended before the response",
  secret: "a secret of its headers is missing, or is for another address",
};

/** Only 2xx is a success, and a redirect is none. Nothing of the response itself is kept. */
function findFault(outcome: PostOutcome): string | undefined {
  if ("fault" in outcome) return faults[outcome.fault];
  return outcome.status >= 200 && outcome.status < 300 ? undefined : `the address answered ${outcome.status}`;
}
