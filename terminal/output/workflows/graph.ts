/** The graph of a workflow as text, with the number of runs at each node. */
import type { WorkflowDefinition } from "../../../src/crm/workflows/definition/definition.schema.ts";
import type { Exit } from "../../../src/crm/workflows/definition/node-type.ts";
import { exitsOf } from "../../../src/crm/workflows/definition/node-types.ts";
import { findNode } from "../../../src/crm/workflows/definition/successors.ts";
import { workflowNodes } from "../../../src/crm/workflows/nodes/all.ts";
import { nodeText } from "./node-text.ts";

/**
 * Lines, starting at the entry. A node with one outgoing edge is followed by its successor; several edges are indented
 * branches. Each node is drawn once; further edges to it are drawn as an arrow with its name.
 */
export function drawGraph(
  definition: WorkflowDefinition,
  runs: ReadonlyMap<string, number>,
  types = workflowNodes,
): string[] {
  const lines: string[] = [];
  const drawn = new Set<string>();

  function draw(start: string, indent: string): void {
    for (let id: string | undefined = start; id !== undefined;) {
      const node = findNode(definition, id)!;
      drawn.add(id);
      lines.push(`${indent}● ${id}  ${nodeText(node, types)}${countText(runs.get(id) ?? 0)}`);
      const exits = exitsOf(types, node);
      if (exits.length !== 1) return drawExits(exits, indent);
      const [{ to, ends }] = exits as [Exit];
      if (to === undefined || drawn.has(to)) {
        lines.push(`${indent}└─ ${to === undefined ? `ends, ${ends}` : `→ ${to}`}`);
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
      if (to === undefined) lines.push(`${branch}ends, ${ends}`);
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
