/** Sends the request of a post node and moves its run by the result; a late response, for a run that has moved on or ended, is ignored. */
import type { CallAs } from "../../../events/call-as.ts";
import { OutboundFault } from "../../../outbound/outbound-fault.ts";
import type { Outbound } from "../../../outbound/outbound.ts";
import { sign } from "../../../webhooks/signature.ts";
import { getContactRow } from "../../contacts/contact.queries.ts";
import { toRecord } from "../../contacts/contact.view.ts";
import { createStepLog } from "../../workflow-runs/run-steps.ts";
import type { WorkflowDefinition } from "../definition/definition.schema.ts";
import type { AnyNode, PostOutcome, PostType } from "../definition/node-type.ts";
import { fillHeaders } from "../definition/post-headers.ts";
import { findNode } from "../definition/successors.ts";
import { recordState } from "../engine/move.ts";
import { findAndLockRun, findRun, identityOf, toRunState } from "../engine/run-rows.ts";
import type { RunRow } from "../engine/run-rows.ts";
import type { EngineDeps } from "../engine/move-batch.ts";
import { lookAtOnce } from "../walk/goals.ts";
import { isAttemptAllowed } from "../walk/retry.ts";
import { applyTransition } from "../walk/run-state.ts";
import { toStep } from "../walk/steps.ts";
import { giveBack, takeOut } from "./claim.ts";
import { findPostKeys } from "./post-secret.ts";
import { takeSecrets } from "./workflow-secrets.ts";
import type { ClaimedPost } from "./claim.ts";

interface PostDeps extends EngineDeps {
  readonly callAs: CallAs;
  readonly outbound: Outbound;
}

export interface Posted {
  readonly claim: ClaimedPost;
  /** Undefined for one that was given back. */
  readonly hasSucceeded: boolean | undefined;
}

/** Resolves in any case, within the time of an answer and of a transaction; `signal` ends it at once. */
export async function post(deps: PostDeps, claim: ClaimedPost, signal: AbortSignal): Promise<Posted> {
  try {
    const outcome = await attempt(deps, claim, signal);
    await recordOutcome(deps, claim, outcome);
    const hasSucceeded = outcome && "status" in outcome && outcome.status >= 200 && outcome.status < 300;
    return { claim, hasSucceeded };
  } catch (error) {
    // When the lease ends it is posted anew, under the same id.
    deps.report(error, { id: claim.run_id, nodeId: null });
    return { claim, hasSucceeded: false };
  }
}

/** Undefined where it was given back, or is no longer to be posted. */
async function attempt(deps: PostDeps, claim: ClaimedPost, signal: AbortSignal): Promise<PostOutcome | undefined> {
  const run = await findRun(deps.database, claim.run_id);
  if (run === undefined || !isOf(claim, run)) return undefined;
  if (!isAttemptAllowed(claim.attempt)) return { fault: "crashed" };
  const { type, node } = findPost(deps, await deps.definitions.ofOne(deps.database, run.version_id), run);
  const caller = deps.callAs(identityOf(run));
  const contact = toRecord(await getContactRow(caller, run.contact_id), deps.clock.now().getTime());
  // The same in each attempt, and another when the run comes here again.
  const id = `${run.id}-${run.turn}`;
  const body = JSON.stringify({
    id,
    workflow_id: run.workflow_id,
    run_id: run.id,
    contact,
    context: JSON.parse(run.context) as unknown,
  });
  const keys = await findPostKeys(caller, run.workflow_id);
  const url = type.url(node);
  const given = type.headers(node);
  const secrets = await takeSecrets(caller, run.workflow_id, given, url);
  if (secrets === undefined) return { fault: "secret" };
  const headers = {
    ...fillHeaders(given, secrets),
    "Content-Type": "application/json",
    "User-Agent": "crm-workflows",
    "Idempotency-Key": id,
    ...(keys.length === 0 ? {} : { "X-Service-Signature": sign(body, keys, deps.clock.now().getTime()) }),
  };
  try {
    const { status } = await deps.outbound.post({ target: url, headers, body, signal });
    return { status };
  } catch (error) {
    if (signal.aborted) return undefined;
    if (error instanceof OutboundFault) return { fault: error.kind };
    throw error;
  }
}

async function recordOutcome(deps: PostDeps, claim: ClaimedPost, outcome: PostOutcome | undefined): Promise<void> {
  await deps.changeAcross(async (as, transaction) => {
    const run = await findAndLockRun(transaction, claim.run_id);
    if (run === undefined || !isOf(claim, run)) return void (await takeOut(transaction, claim));
    const change = as(identityOf(run));
    const now = change.now.getTime();
    if (outcome === undefined) return giveBack(transaction, claim, change.now);
    if (!(await takeOut(transaction, claim))) return;
    const definition = await deps.definitions.ofOne(transaction, run.version_id);
    const { type, node } = findPost(deps, definition, run);
    const attempted = { nodeId: run.current_node_id, outcome, number: claim.attempt, now };
    const transition = type.afterAttempt(node, attempted);
    const completed = typeof transition === "object" && "waits" in transition ? 0 : 1;
    const before = toRunState(run);
    const after = applyTransition(before, transition, now);
    const detail = "status" in outcome ? { status: outcome.status } : {};
    const { attempt } = claim;
    const step = toStep({ before, transition, after, type: node.type, isRetry: false, attempt, detail }, now)!;
    const log = createStepLog();
    const state = lookAtOnce(deps.types, definition, after, now);
    await recordState(change, { ...run, attempts: attempt }, { state, completed, steps: [step], log });
    log.write(change);
  });
}

/** Whether the run still stands where it was claimed. */
function isOf({ turn }: ClaimedPost, run: RunRow): boolean {
  return run.turn === turn && run.status === "active";
}

interface Post {
  readonly type: PostType;
  readonly node: AnyNode;
}

function findPost({ types }: EngineDeps, definition: WorkflowDefinition, run: RunRow): Post {
  const node = findNode(definition, run.current_node_id);
  const type = node && types.of(node);
  if (node === undefined || type?.kind !== "post") throw new Error(`the node ${run.current_node_id} posts nothing`);
  return { type, node };
}
