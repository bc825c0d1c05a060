/** A node of a workflow in a few words. */
import type { WorkflowNode } from "../../../src/crm/workflows/definition/node.schema.ts";
import { beginningOf } from "../../../src/kit/text.ts";
import { printable } from "../table.ts";

/** Characters of a text or a filter that are shown. */
const longest = 60;

/** In one line, without where it leads. */
export function nodeText(node: WorkflowNode): string {
  return printable(wordsOf(node));
}

function wordsOf(node: WorkflowNode): string {
  switch (node.type) {
    case "send_message":
      return `send ${quoted(node.subject ?? node.body)} on channel ${node.channel_id}`;
    case "add_tag":
      return `add tag ${tagText(node.tag)}`;
    case "remove_tag":
      return `remove tag ${tagText(node.tag)}`;
    case "create_task":
      return `create task ${quoted(node.title)}${node.due_in === undefined ? "" : `, due in ${node.due_in}`}`;
    case "add_note":
      return `add note ${quoted(node.body)}`;
    case "update_contact":
      return `set ${Object.entries(node.set)
        .map(([field, value]) => `${field} to ${quoted(value)}`)
        .join(", ")}`;
    case "move_stage":
      return `move to stage ${node.stage_id} of pipeline ${node.pipeline_id}`;
    case "branch":
      return `branch by ${filterText(node.when)}`;
    case "goal":
      return `goal ${filterText(node.when)}`;
    case "webhook":
      return `post to ${shortened(node.url)}`;
    case "exit":
      return "exit";
    case "wait":
      return waitText(node);
  }
}

function waitText(node: Extract<WorkflowNode, { type: "wait" }>): string {
  if ("for" in node) return `wait ${node.for}`;
  if ("until" in node) return `wait until ${node.until}`;
  const what = "reply" in node ? "wait for a reply" : `wait for ${node.event}`;
  return node.timeout === undefined ? what : `${what}, at most ${node.timeout}`;
}

function tagText(tag: string | number): string {
  return typeof tag === "number" ? String(tag) : quoted(tag);
}

function filterText(when: unknown): string {
  return shortened(JSON.stringify(when));
}

function quoted(value: unknown): string {
  return typeof value === "string" ? `"${shortened(value.replaceAll(/\s+/g, " "))}"` : String(value);
}

function shortened(text: string): string {
  return beginningOf(text, longest);
}
