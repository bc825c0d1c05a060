/** What stands in the nodes of a definition: filters that read, templates that can be filled, fields that a contact takes. */
import { sentencesOf } from "../../../kit/input/fields.ts";
import { Invalid } from "../../../vocabulary/errors.ts";
import { updateContactInput } from "../../contacts/contact.schema.ts";
import type { WorkflowDefinition } from "../definition/definition.schema.ts";
import { readFilter } from "../definition/filters.ts";
import type { NodeOf, WorkflowNode } from "../definition/node.schema.ts";
import { hasTemplates, judgeTemplates } from "../definition/template.ts";
import type { Fault } from "./faults.ts";

interface ContentFindings {
  /** Keep the definition from being published. */
  readonly faults: readonly Fault[];
  /** Do not, and are told. */
  readonly warnings: readonly Fault[];
}

export function judgeContents({ trigger, nodes }: WorkflowDefinition): ContentFindings {
  const faults: Fault[] = [];
  const warnings: Fault[] = [];
  if (trigger?.filter !== undefined) faults.push(...judgeFilter("trigger.filter", trigger.filter));
  for (const [id, node] of Object.entries(nodes)) {
    const place = `nodes.${id}`;
    if (node.type === "branch" || node.type === "goal") faults.push(...judgeFilter(`${place}.when`, node.when));
    if (node.type === "update_contact") faults.push(...judgeSet(`${place}.set`, node.set));
    if (node.type === "webhook" && node.url.includes("{{")) {
      faults.push({
        place: `${place}.url`,
        predicate: "must not contain {{: a URL is not filled in, and is sent as it stands.",
      });
    }
    for (const [field, text] of textsOf(node)) {
      const judged = judgeTemplates(text);
      faults.push(...judged.faults.map((predicate) => ({ place: `${place}.${field}`, predicate })));
      warnings.push(...judged.warnings.map((predicate) => ({ place: `${place}.${field}`, predicate })));
    }
  }
  return { faults, warnings };
}

function judgeFilter(place: string, filter: unknown): Fault[] {
  try {
    readFilter(filter, "filter");
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    return toFaults(place, Object.values(error.errors));
  }
  return [];
}

/** A text with a template is judged when it is filled. */
function judgeSet(place: string, set: NodeOf<"update_contact">["set"]): Fault[] {
  const known = Object.entries(set).filter(([, value]) => typeof value !== "string" || !hasTemplates(value));
  const { error } = updateContactInput.safeParse(Object.fromEntries(known));
  if (error === undefined) return [];
  return Object.entries(sentencesOf(error)).flatMap(([field, told]) => toFaults(`${place}.${field}`, [told]));
}

/** Sentences about a field, told of the place. */
function toFaults(place: string, sentences: readonly (readonly string[])[]): Fault[] {
  return sentences.flat().map((sentence) => ({ place, predicate: sentence.replace(/^The .*? field /, "") }));
}

function textsOf(node: WorkflowNode): [field: string, text: string][] {
  switch (node.type) {
    case "send_message":
      return [
        ["body", node.body],
        ...(typeof node.subject === "string" ? [["subject", node.subject] as [string, string]] : []),
      ];
    case "create_task":
      return [["title", node.title]];
    case "add_note":
      return [["body", node.body]];
    case "update_contact":
      return Object.entries(node.set).flatMap(([field, value]): [string, string][] =>
        typeof value === "string" ? [[`set.${field}`, value]] : [],
      );
    default:
      return [];
  }
}
