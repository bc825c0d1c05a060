/**
 * Runs a definition dry: its nodes are carried out in one transaction on a clock that jumps from wait to wait, and the transaction is
 * taken back. So what is refused is what a run would be refused, a filter sees what an earlier node did, and nothing is left of it.
 */
import type { Caller, Change, LocationContext } from "../../../events/caller.ts";
import { lockKeys } from "../../../storage/locks.ts";
import { Invalid, Refusal } from "../../../vocabulary/errors.ts";
import type { WorkflowDefinition } from "../definition/definition.schema.ts";
import { createFiller } from "../engine/fill.ts";
import { findNamedTag } from "../../tags/tag.queries.ts";
import { createKnownContact } from "../engine/known-contact.ts";
import { matchesFilter } from "../engine/filter-match.ts";
import type { AnyNode } from "../definition/node-type.ts";
import { locksKeys } from "../definition/node-types.ts";
import { findNode } from "../definition/successors.ts";
import type { NodeTypes } from "../definition/node-types.ts";
import { workflowNodes } from "../nodes/all.ts";
import { chooseByWeight } from "../walk/choose.ts";
import { afterRefusal } from "../walk/after-refusal.ts";
import { applyTransition, initialState, isRunOver } from "../walk/run-state.ts";
import type { RunState } from "../walk/run-state.ts";
import { NodeFault, walk } from "../walk/walk.ts";
import type { World } from "../walk/world.ts";
import { createDryRunRecord } from "./dry-run-record.ts";
import type { DryRunRecord } from "./dry-run-record.ts";
import type { DryRunStep } from "./dry-run.view.ts";

interface DryRun {
  readonly definition: WorkflowDefinition;
  /** The types of its nodes; those of the product where it is left out. */
  readonly types?: NodeTypes;
  readonly contactId: number;
  readonly context: Readonly<Record<string, unknown>>;
  /** Whether the contact answers as soon as the run waits for it; else never. */
  readonly replies: boolean;
}

/** More steps say nothing new: a workflow that goes round goes on like this. */
const mostSteps = 200;

/** What a run that begins now would do, step by step. Its contact is one of the location. */
export async function tryDefinition(caller: Caller<LocationContext>, dryRun: DryRun): Promise<DryRunStep[]> {
  const clock = { time: caller.tools.clock.now().getTime(), now: () => new Date(clock.time) };
  const begun = clock.time;
  const keys = new Set<string>();
  for (;;) {
    clock.time = begun;
    const record = createDryRunRecord(dryRun.types ?? workflowNodes, dryRun.definition);
    try {
      await caller.dryRun(clock, async (open) => {
        lockKeys(open(), [...keys]);
        await carryOut(dryRun, { record, clock, keys }, open);
      });
      return record.steps;
    } catch (error) {
      if (!(error instanceof KeysMissing)) throw error;
      for (const key of error.keys) keys.add(key);
    }
  }
}

/** A node locks keys while its contact is held: keys come first (ADR 18), so that the trial begins anew with them. */
class KeysMissing extends Error {
  readonly keys: readonly string[];

  constructor(keys: readonly string[]) {
    super("a node locks further keys");
    this.keys = keys;
  }
}

interface DryRunAttempt {
  readonly record: DryRunRecord;
  readonly clock: { time: number };
  /** Locked at its beginning. */
  readonly keys: ReadonlySet<string>;
}

async function carryOut(
  { definition, types = workflowNodes, contactId, context, replies }: DryRun,
  { record, clock, keys }: DryRunAttempt,
  open: () => Change<LocationContext>,
): Promise<void> {
  const worldOf = (change: Change<LocationContext>): World => ({
    types,
    now: clock.time,
    timeZone: change.location.timezone,
    choose(nodeId, weights) {
      // There is no run; another contact may take another path.
      const chosen = chooseByWeight(`${contactId} ${nodeId}`, weights);
      record.took(clock.time, nodeId, chosen);
      return chosen;
    },
    async holds(when) {
      const isMet = await matchesFilter(change, contactId, context, when);
      record.judged(clock.time, when, isMet);
      return isMet;
    },
    hasReplied: () => replies,
    perform: (node) => perform(change, node),
  });

  async function perform(change: Change<LocationContext>, node: AnyNode): ReturnType<World["perform"]> {
    const texts = new Map<string, string>();
    const contact = createKnownContact(change, contactId);
    const filled = createFiller(change, contact, context);
    const type = types.of(node);
    if (locksKeys(type, node)) {
      const wanted = await type.keyLocks.find(change, node, filled);
      if (wanted.some((key) => !keys.has(key))) throw new KeysMissing(wanted);
    }
    const fill = async (text: string) => {
      texts.set(text, await filled(text));
      return texts.get(text)!;
    };
    // A dry run posts nothing.
    const performed =
      type.kind === "action"
        ? await type.perform(change, node, {
            contactId,
            contact,
            workflowName: "Trial",
            fill,
            findTag: (named) => findNamedTag(change, named),
          })
        : "done";
    if (performed !== "dnd") record.did(clock.time, node, texts);
    return performed;
  }

  let state: RunState = initialState(definition.entry, clock.time);
  // A walk that takes no step that is told counts as well.
  for (let walks = 0; walks < mostSteps && record.steps.length < mostSteps; walks += 1) {
    try {
      ({ state } = await walk(definition, state, worldOf(open()), mostSteps));
    } catch (error) {
      if (!(error instanceof NodeFault)) throw error;
      const { cause } = error;
      if (!(cause instanceof Invalid || cause instanceof Refusal)) throw cause;
      const { nodeId } = error.state;
      const transition = afterRefusal(types, findNode(definition, nodeId), cause.message);
      if ("ends" in transition) return record.failed(clock.time, nodeId, cause.message);
      state = applyTransition(error.state, transition, clock.time);
      record.refused(clock.time, nodeId, { error: cause.message, took: state.nodeId });
    }
    if (isRunOver(state)) return record.ended(clock.time, state);
    if (state.status !== "waiting") continue;
    record.waits(clock.time, state);
    if (state.dueAt === null) return;
    clock.time = Math.max(clock.time, state.dueAt);
  }
  record.goesOn(clock.time, state.nodeId);
}
