/** The nodes of a workflow as a drawing for a terminal: what comes after what, and how many runs stand where. */
import type { WorkflowDefinition } from "../../../src/crm/workflows/definition/definition.schema.ts";
import type { WorkflowNode } from "../../../src/crm/workflows/definition/node.schema.ts";
import { findNode } from "../../../src/crm/workflows/definition/successors.ts";
import { nodeText } from "./node-text.ts";

/** A way out of a node: under which condition, and where to; undefined where the run ends there. */
interface Exit {
  readonly when: string;
  readonly to: string | undefined;
  readonly ends: string;
}

/**
 * Lines from the entry on. A node that only one way leads out of is followed by the next one below it; of several ways each is indented. A
 * node stands there once: wherever else a way leads to it, it is named with an arrow.
 */
export function drawGraph(definition: WorkflowDefinition, runs: ReadonlyMap<string, number>): string[] {
  const lines: string[] = [];
  const drawn = new Set<string>();

  function draw(start: string, indent: string): void {
    for (let id: string | undefined = start; id !== undefined;) {
      const node = findNode(definition, id)!;
      drawn.add(id);
      lines.push(`${indent}● ${id}  ${nodeText(node)}${countText(runs.get(id) ?? 0)}`);
      const exits = exitsOf(node);
      if (exits.length !== 1) return drawExits(exits, indent);
      const [{ to, ends }] = exits as [Exit];
      if (to === undefined || drawn.has(to)) {
        lines.push(`${indent}└─ ${to === undefined ? ends : `→ ${to}`}`);
        return;
      }
      lines.push(`${indent}│`);
      id = to;
    }
  }

  function drawExits(exits: readonly Exit[], indent: string): void {
    for (const [place, { when, to, ends }] of exits.entries()) {
      const isLast = place === exits.length - 1;
      const branch = `${indent}${isLast ? "└" : "├"}─ ${when}: `;
      if (to === undefined) lines.push(branch + ends);
      else if (drawn.has(to)) lines.push(`${branch}→ ${to}`);
      else {
        lines.push(branch.trimEnd());
        draw(to, `${indent}${isLast ? " " : "│"}  `);
      }
    }
  }

  draw(definition.entry, "");
  return lines;
}

function countText(runs: number): string {
  if (runs === 0) return "";
  return `  [${runs.toLocaleString("en")} ${runs === 1 ? "run" : "runs"}]`;
}

function exitsOf(node: WorkflowNode): Exit[] {
  switch (node.type) {
    case "exit":
      return [];
    case "branch":
      return [
        { when: "then", to: node.then, ends: "ends, finished" },
        { when: "else", to: node.else, ends: "ends, finished" },
      ];
    case "goal":
      return [{ when: "next", to: node.next, ends: "ends, goal_met" }];
    case "webhook":
      return [
        { when: "posted", to: node.next, ends: "ends, finished" },
        { when: "failed", to: node.on_error, ends: "ends, error" },
      ];
    case "wait":
      return exitsOfWait(node);
    default:
      return [{ when: "next", to: node.next, ends: "ends, finished" }];
  }
}

function exitsOfWait(node: Extract<WorkflowNode, { type: "wait" }>): Exit[] {
  if (!("reply" in node || "event" in node)) return [{ when: "next", to: node.next, ends: "ends, finished" }];
  const came =
    "reply" in node
      ? { when: "reply", to: node.next, ends: "ends, replied" }
      : { when: node.event, to: node.next, ends: "ends, finished" };
  if (node.timeout === undefined) return [came];
  return [came, { when: `after ${node.timeout}`, to: node.on_timeout ?? node.next, ends: "ends, finished" }];
}
