/** Checks the fields of nodes: filters that read, templates that can be filled, URLs without templates, and what a type refuses itself. */
import { Invalid } from "../../../vocabulary/errors.ts";
import type { WorkflowDefinition } from "../definition/definition.schema.ts";
import { readFilter } from "../definition/filters.ts";
import type { NodeTypes } from "../definition/node-types.ts";
import { judgeTemplates } from "../definition/template.ts";
import { findUnknownMembers } from "./event-members.ts";
import type { Fault } from "./faults.ts";
import { fieldsOf } from "./node-fields.ts";
import type { PlacedField } from "./node-fields.ts";

interface ContentFindings {
  /** They prevent publishing. */
  readonly faults: readonly Fault[];
  /** They do not. */
  readonly warnings: readonly Fault[];
}

export function judgeContents(types: NodeTypes, { trigger, nodes }: WorkflowDefinition): ContentFindings {
  const faults: Fault[] = [];
  const warnings: Fault[] = [];
  if (trigger?.filter !== undefined) {
    const place = "trigger.filter";
    const found = judgeFilter(place, trigger.filter);
    faults.push(...found);
    if (found.length === 0) {
      const unknown = findUnknownMembers(trigger.event, readFilter(trigger.filter, "filter"));
      warnings.push(...unknown.map((predicate) => ({ place, predicate })));
    }
  }
  for (const [id, node] of Object.entries(nodes)) {
    const type = types.of(node);
    const fields = fieldsOf(types, id, node);
    for (const held of fields) faults.push(...judgeFilterField(held), ...judgeUrl(held));
    for (const { field, predicate } of type.faults?.(node) ?? [])
      faults.push({ place: field === null ? `nodes.${id}` : `nodes.${id}.${field}`, predicate });
    for (const held of fields) {
      if (held.holds !== "template" || typeof held.value !== "string") continue;
      const judged = judgeTemplates(held.value);
      faults.push(...judged.faults.map((predicate) => ({ place: held.place, predicate })));
      warnings.push(...judged.warnings.map((predicate) => ({ place: held.place, predicate })));
    }
  }
  return { faults, warnings };
}

function judgeFilterField(held: PlacedField): Fault[] {
  return held.holds === "filter" ? judgeFilter(held.place, held.value) : [];
}

function judgeFilter(place: string, filter: unknown): Fault[] {
  try {
    readFilter(filter, "filter");
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    const sentences = Object.values(error.errors).flat();
    return sentences.map((sentence) => ({ place, predicate: sentence.replace(/^The .*? field /, "") }));
  }
  return [];
}

function judgeUrl({ holds, value, place }: PlacedField): Fault[] {
  return holds === "url" && value?.includes("{{") === true
    ? [{ place, predicate: "must not contain {{: a URL is not filled in, and is sent as it stands." }]
    : [];
}
