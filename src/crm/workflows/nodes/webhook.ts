/** webhook: posts the contact and the context to an address, outside of any change (posting/); what comes of an attempt is said here. */
import type { FaultKind } from "../../../outbound/outbound-fault.ts";
import type { NodeOf } from "../definition/node.schema.ts";
import { delayAfter, mostAttempts } from "../walk/retry.ts";
import type { Step } from "../walk/standing.ts";
import type { Action } from "./action.ts";

export const postsWebhook: Action<"webhook"> = async () => "apart";

/** How an attempt went. `crashed`: nobody knows. */
export type PostOutcome = { readonly status: number } | { readonly fault: FaultKind | "crashed" };

/** What comes of the attempt of this number, the first being 1, at `now` in milliseconds. */
export function afterPost(
  node: NodeOf<"webhook">,
  nodeId: string,
  outcome: PostOutcome,
  attempt: number,
  now: number,
): Step {
  const why = findFault(outcome);
  if (why === undefined) return { to: node.next };
  const delay = delayAfter(attempt);
  if (delay !== undefined) return { waits: { reason: "delay", since: now, until: now + delay, event: null } };
  if (node.on_error !== undefined) return { to: node.on_error };
  return { ends: "error", error: `The node "${nodeId}": the address ${why}.` };
}

/** Whether there is anything to be tried: a worker that ends while it posts has used an attempt up. */
export function mayTry(attempt: number): boolean {
  return attempt <= mostAttempts;
}

const faults: Readonly<Record<FaultKind | "crashed", string>> = {
  timeout: "did not answer in time",
  dns: "was not found",
  tls: "has no certificate that can be trusted",
  refused: "refused the connection",
  forbidden_address: "is one that nothing is posted to",
  crashed: "may have been posted to, and nobody knows what came of it",
};

/** Only 2xx will do, a redirect is none. Nothing of the answer itself is kept. */
function findFault(outcome: PostOutcome): string | undefined {
  if ("fault" in outcome) return faults[outcome.fault];
  return outcome.status >= 200 && outcome.status < 300 ? undefined : `answered ${outcome.status}`;
}
