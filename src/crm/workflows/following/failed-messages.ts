/** Messages of runs that failed for good, after the run had moved on: the run continues at `on_error` of the node that sent them, or fails. */
import type { Identity } from "../../../events/call-as.ts";
import type { Change, LocationContext } from "../../../events/caller.ts";
import type { Rows } from "../../../storage/rows.ts";
import { createStepLog, findRunSteps } from "../../workflow-runs/run-steps.ts";
import type { WorkflowDefinition } from "../definition/definition.schema.ts";
import type { NodeTypes } from "../definition/node-types.ts";
import { findNode } from "../definition/successors.ts";
import type { Definitions } from "../engine/definitions.ts";
import { recordState } from "../engine/move.ts";
import { findAndLockRun, identityOf, toRunState } from "../engine/run-rows.ts";
import { dropPost } from "../posting/post-queue.ts";
import { afterRefusal } from "../walk/after-refusal.ts";
import { applyTransition } from "../walk/run-state.ts";
import { toStep } from "../walk/steps.ts";
import type { FindCauses } from "./causing-run.ts";
import { findPayloads } from "./causing-run.ts";
import type { ContactEvent } from "./contact-event.ts";

export interface FailedMessage {
  readonly runId: number;
  readonly contactId: number;
  readonly messageId: number;
  readonly error: string | null;
}

/** By event. */
export async function findFailedMessages(
  rows: Rows,
  events: readonly ContactEvent[],
  findCauses: FindCauses,
): Promise<ReadonlyMap<ContactEvent, FailedMessage>> {
  const all = events.filter(({ event }) => event === "message.failed");
  const causes = await findCauses(all);
  const failed = all.filter(({ id }) => causes.has(id));
  const payloads = await findPayloads(rows, failed);
  return new Map(
    failed.flatMap((event) => {
      const message = payloads.get(event.id) as { id: number; error: string | null } | undefined;
      if (message === undefined) return [];
      const { runId } = causes.get(event.id)!;
      return [[event, { runId, contactId: event.contact_id, messageId: message.id, error: message.error }] as const];
    }),
  );
}

interface FailDeps {
  readonly types: NodeTypes;
  readonly definitions: Definitions;
  readonly as: (identity: Identity<LocationContext>) => Change<LocationContext>;
}

/** Moves the run of each message, unless it is over, or waits for `message.failed` somewhere and so handles failures itself. */
export async function moveAfterFailures(deps: FailDeps, rows: Rows, failed: readonly FailedMessage[]): Promise<void> {
  for (const one of failed.toSorted((a, b) => a.contactId - b.contactId)) await moveAfterFailure(deps, rows, one);
}

async function moveAfterFailure(
  { types, definitions, as }: FailDeps,
  rows: Rows,
  { runId, messageId, error }: FailedMessage,
): Promise<void> {
  const run = await findAndLockRun(rows, runId);
  if (run === undefined) return;
  const [sent, ...others] = (await findRunSteps(rows, runId)).filter(({ detail }) => detail.message_id === messageId);
  // A step that was forgotten: the run is far behind the node. Or a person has retried the message, after whose failure the run has moved on.
  if (sent === undefined || others.length > 0) return;
  const definition = await definitions.ofOne(rows, run.version_id);
  const node = findNode(definition, sent.node_id);
  const sentence = `The node "${sent.node_id}": The message failed${error === null ? "." : `: ${error}`}`;
  const transition = afterRefusal(types, node, sentence);
  if ("ends" in transition && awaitsFailures(definition)) return;
  const change = as(identityOf(run));
  const now = change.now.getTime();
  const before = { ...toRunState(run), nodeId: sent.node_id, status: "active", waitReason: "none" } as const;
  const after = applyTransition(before, transition, now);
  const detail = { message_id: messageId };
  const step = toStep(
    { before, transition, after, type: sent.type, isRetry: false, attempt: sent.attempt, detail },
    now,
  )!;
  const log = createStepLog();
  dropPost(change, run);
  await recordState(change, run, { state: after, completed: 1, steps: [step], log });
  log.write(change);
}

function awaitsFailures({ nodes }: WorkflowDefinition): boolean {
  return Object.values(nodes).some((node) => "event" in node && node.event === "message.failed");
}
