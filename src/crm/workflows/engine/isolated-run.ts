/** Moves one run with a transaction per node: after its batch failed, and when a node takes key locks. */
import { Invalid, Refusal, Unavailable } from "../../../vocabulary/errors.ts";
import { lockKeys } from "../../../storage/locks.ts";
import type { Rows } from "../../../storage/rows.ts";
import { TooManyAutomaticMessages } from "../../conversations/messages/automatic-messages.ts";
import { createStepLog } from "../../workflow-runs/run-steps.ts";
import { locksKeys } from "../definition/node-types.ts";
import { findNode } from "../definition/successors.ts";
import { beginEventWaits } from "./event-waits.ts";
import { createFiller } from "./fill.ts";
import { createKnownContact } from "./known-contact.ts";
import { withUnreadEvents } from "../following/unread-events.ts";
import { bringForward } from "../posting/post-queue.ts";
import { createSharedReads } from "./shared-reads.ts";
import { moveRun, recordState } from "./move.ts";
import { contextOf, findRun, lockRun, identityOf, toRunState } from "./run-rows.ts";
import type { RunRow } from "./run-rows.ts";
import { delayAfter } from "../walk/retry.ts";
import { applyTransition } from "../walk/run-state.ts";
import type { Transition } from "../walk/run-state.ts";
import { afterRefusal } from "../walk/after-refusal.ts";
import { toStep } from "../walk/steps.ts";
import type { EngineDeps } from "./move-batch.ts";
import { NodeFault } from "../walk/walk.ts";

/** The most nodes before other runs are moved. */
const mostNodes = 20;

/** Resolves when the run waits, is over, or has completed `mostNodes`. A node that throws is recorded, and affects no other run. */
export async function moveIsolated(deps: EngineDeps, id: number, signal: AbortSignal): Promise<void> {
  for (let nodes = 0; nodes < mostNodes && !signal.aborted; nodes += 1) {
    const run = await findRun(deps.database, id);
    if (run === undefined || run.due_at === null || run.due_at > deps.clock.now().getTime()) return;
    try {
      await moveOnce(deps, run);
    } catch (error) {
      const cause = error instanceof NodeFault ? error.cause : error;
      if (cause instanceof MovedMeanwhile) continue;
      if (cause instanceof Unavailable) throw cause;
      await recordFailure(deps, run, cause);
    }
  }
}

/** The run was moved or ended by another transaction, or its contact was deleted or changed. */
class MovedMeanwhile extends Error {}

async function moveOnce({ changeAcross, types, definitions }: EngineDeps, run: RunRow): Promise<void> {
  await changeAcross(async (as, transaction) => {
    const definition = await definitions.ofOne(transaction, run.version_id);
    const node = findNode(definition, run.current_node_id);
    const change = as(identityOf(run));
    const isActive = run.status === "active" && run.contact_deleted_at === null;
    const type = node && types.of(node);
    const log = createStepLog();
    const waits = await beginEventWaits(transaction);
    const reads = createSharedReads();
    async function move(locked: RunRow, hasKeys: boolean): Promise<void> {
      const options = { types, mostSteps: 1, log, waits, reads, knowsContact: true, hasKeys };
      const moved = await moveRun(change, locked, definition, options);
      if (moved === "post") bringForward(transaction, [run], change.now);
      log.write(transaction);
      await waits.write([run.id]);
    }
    if (!isActive || node === undefined || type === undefined || !locksKeys(type, node)) {
      const [locked] = await withUnreadEvents(transaction, [await lockUnchanged(transaction, run)]);
      return move(locked!, false);
    }
    // Keys, the contact, the run (ADR 18): the keys are computed before the contact is locked, and verified afterwards.
    // Each time the contact is read again.
    const readKeys = () =>
      type.keyLocks.find(
        change,
        node,
        createFiller(change, createKnownContact(change, run.contact_id), contextOf(run)),
      );
    const keys = await readKeys();
    lockKeys(change, keys);
    const locked = await lockUnchanged(transaction, run, () => type.keyLocks.lockRows?.(change, node));
    if ((await readKeys()).join() !== keys.join()) throw new MovedMeanwhile();
    await move(locked, true);
  });
}

/** Locks the contact, then the run. Throws MovedMeanwhile if the run has changed since it was read. */
async function lockUnchanged(rows: Rows, run: RunRow, between?: Parameters<typeof lockRun>[2]): Promise<RunRow> {
  const locked = await lockRun(rows, run, between);
  const isSame = (["contact_id", "turn", "status", "due_at", "attempts"] as const).every(
    (column) => locked?.[column] === run[column],
  );
  if (locked === undefined || !isSame) throw new MovedMeanwhile();
  return locked;
}

/** A refusal fails the run; any other error is retried. */
async function recordFailure(
  { changeAcross, clock, types, definitions, report }: EngineDeps,
  run: RunRow,
  error: unknown,
): Promise<void> {
  const refusal = refusalMessage(error);
  const where = { id: run.id, nodeId: run.current_node_id };
  if (refusal === undefined) report(error, where);
  try {
    await changeAcross(async (as, transaction) => {
      const change = as(identityOf(run));
      const locked = await lockUnchanged(transaction, run);
      const delay = refusal === undefined ? delayAfter(locked.attempts + 1) : undefined;
      const now = clock.now().getTime();
      const why = refusal ?? "It could not be carried out; the log of the service says why.";
      const failed = `The node "${locked.current_node_id}": ${why}`;
      // A definition that cannot be parsed is why runs fail.
      const definition = (await definitions.of(transaction, [locked.version_id])).get(locked.version_id);
      const node = definition && findNode(definition, locked.current_node_id);
      const transition: Transition =
        delay === undefined
          ? afterRefusal(types, node, failed)
          : { waits: { reason: "delay", since: now, until: now + delay, event: null }, error: failed };
      const before = { ...toRunState(locked), status: "active", waitReason: "none" } as const;
      const state = applyTransition(before, transition, now);
      const type = node?.type ?? "unknown";
      const attempt = locked.attempts + 1;
      const step = toStep({ before, transition, after: state, type, isRetry: false, attempt }, now)!;
      const log = createStepLog();
      await recordState(
        change,
        { ...locked, attempts: attempt },
        { state, completed: "to" in transition ? 1 : 0, steps: [step], log },
      );
      log.write(transaction);
    });
    // A refusal that ends a loop is logged once, by the worker that ended the run.
    if (error instanceof TooManyAutomaticMessages) report(error, where);
  } catch (fault) {
    if (!(fault instanceof MovedMeanwhile)) throw fault;
  }
}

/** The sentence of a refusal, for people; undefined for any other error. */
function refusalMessage(error: unknown): string | undefined {
  if (error instanceof Refusal) return error.detail ?? error.code;
  return error instanceof Invalid ? error.message : undefined;
}
