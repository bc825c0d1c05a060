/** What a dry run would have done and when, step by step. */
import { toNullableTimestamp, toTimestamp } from "../../../kit/time/timestamp.ts";
import type { WorkflowDefinition } from "../definition/definition.schema.ts";
import type { AnyNode } from "../definition/node-type.ts";
import type { NodeTypes } from "../definition/node-types.ts";
import type { RunState } from "../walk/run-state.ts";
import type { DryRunStep } from "./dry-run.view.ts";

export interface DryRunRecord {
  readonly steps: DryRunStep[];
  did(time: number, node: AnyNode, texts: ReadonlyMap<string, string>): void;
  judged(time: number, when: unknown, isMet: boolean): void;
  took(time: number, nodeId: string, path: string): void;
  waits(time: number, state: RunState): void;
  ended(time: number, state: RunState): void;
  failed(time: number, nodeId: string, error: string): void;
  /** The run continues at `took`. */
  refused(time: number, nodeId: string, refusal: { readonly error: string; readonly took: string }): void;
  goesOn(time: number, nodeId: string): void;
}

/** A filter of a branch: where it leads if it matches, and whether it is the last one that is asked. */
interface BranchFilter {
  readonly node: string;
  readonly path: string;
  readonly isLast: boolean;
}

export function createDryRunRecord(types: NodeTypes, { nodes }: WorkflowDefinition): DryRunRecord {
  const steps: DryRunStep[] = [];
  // A walk hands on the very nodes of the definition, and the very filters.
  const ids = new Map<AnyNode, string>();
  const branches = new Map<unknown, BranchFilter>();
  for (const [id, node] of Object.entries(nodes)) {
    ids.set(node, id);
    const type = types.of(node);
    if (type.kind !== "control" || type.jump !== undefined) continue;
    const filters = type.fields(node).flatMap(({ holds, value }) => (holds === "filter" ? [value] : []));
    for (const [place, when] of filters.entries()) {
      const isLast = place === filters.length - 1;
      branches.set(when, { node: id, path: "cases" in node ? `case ${place + 1}` : "then", isLast });
    }
  }
  return {
    steps,
    did(time, node, texts) {
      steps.push({ at: toTimestamp(time), node: ids.get(node)!, did: fillNode(node, texts) });
    },
    judged(time, when, isMet) {
      const judged = branches.get(when);
      if (judged === undefined || !(isMet || judged.isLast)) return;
      steps.push({ at: toTimestamp(time), node: judged.node, took: isMet ? judged.path : "else" });
    },
    took(time, nodeId, path) {
      steps.push({ at: toTimestamp(time), node: nodeId, took: path });
    },
    waits(time, { nodeId, waitReason, dueAt, awaitedEvent }) {
      const until = toNullableTimestamp(dueAt);
      steps.push({ at: toTimestamp(time), node: nodeId, waits: waitReason, until, event: awaitedEvent });
    },
    ended(time, { nodeId, endedReason }) {
      steps.push({ at: toTimestamp(time), node: nodeId, ended: endedReason! });
    },
    failed(time, nodeId, error) {
      steps.push({ at: toTimestamp(time), node: nodeId, ended: "error", error });
    },
    refused(time, nodeId, { error, took }) {
      steps.push({ at: toTimestamp(time), node: nodeId, failed: error, took });
    },
    goesOn(time, nodeId) {
      steps.push({ at: toTimestamp(time), node: nodeId, goes_on: true });
    },
  };
}

function fillNode<Part>(part: Part, texts: ReadonlyMap<string, string>): Part {
  if (typeof part === "string") return (texts.get(part) ?? part) as Part;
  if (typeof part !== "object" || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, fillNode(value, texts)])) as Part;
}
