/** Parses a definition: each node by the schema of its type, with faults named by node and field. */
import { z } from "zod";
import { sentencesOf } from "../../../kit/input/fields.ts";
import { jsonObject } from "../../../kit/json/json-field.ts";
import { readInput } from "../../../kit/input/read-input.ts";
import { showValue } from "../../../kit/input/shown-value.ts";
import { nearest } from "../../../kit/nearest.ts";
import { Invalid } from "../../../vocabulary/errors.ts";
import type { FieldErrors } from "../../../vocabulary/errors.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { workflowNodes } from "../nodes/all.ts";
import { definitionSchemaOf, triggerSchema } from "./definition.schema.ts";
import type { Trigger, WorkflowDefinition } from "./definition.schema.ts";
import type { AnyNode } from "./node-type.ts";
import type { NodeTypes } from "./node-types.ts";
import { nodeId } from "./parts.schema.ts";
import { subjectOf } from "./field-path.ts";

/** The most nested objects and lists. A list of values in a filter in a node takes eight. */
const deepest = 12;

/** A draft: any JSON object within the size limit of a definition. */
export const draftSchema = z.object({
  definition: jsonObject({ bytes: limits.workflow.definitionBytes, depth: deepest, reserved: [] }),
});

/** The most faults that are reported. */
const mostFaults = 100;

/**
 * Refuses an invalid definition, with every faulty field as `nodes.ID.FIELD`, `trigger.FIELD`, `entry` or `nodes`: missing and unknown fields,
 * unknown types, invalid ids, and what exceeds a limit. Links, references and texts are checked separately (checks/).
 */
export function readDefinition(value: unknown, types = workflowNodes): WorkflowDefinition {
  const { definition } = readInput(draftSchema, { definition: value });
  const faults = new Faults();
  // $schema is for editors.
  const { entry, trigger, nodes, $schema: _schema, ...others } = definition;
  for (const name of Object.keys(others).slice(0, mostFaults))
    faults.add(name, unknownField(name, Object.keys(definitionSchemaOf(types).shape)));
  const read = {
    entry: faults.read("entry", nodeId, entry),
    trigger: trigger === undefined ? undefined : faults.read("trigger", triggerSchema, trigger),
    nodes: readNodes(faults, nodes, types),
  };
  faults.refuse();
  return read as { entry: string; trigger: Trigger | undefined; nodes: Record<string, AnyNode> };
}

function readNodes(faults: Faults, given: unknown, types: NodeTypes): Record<string, AnyNode | undefined> {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    faults.add("nodes", given === undefined ? "is required." : "must be an object of nodes by their ids.");
    return {};
  }
  const entries = Object.entries(given);
  if (entries.length === 0) faults.add("nodes", "must have at least one node.");
  if (entries.length > limits.workflow.nodes) {
    faults.add("nodes", `must not have more than ${limits.workflow.nodes} nodes.`);
    return {};
  }
  return Object.fromEntries(entries.map(([id, node]) => [id, readNode(faults, id, node, types)]));
}

function readNode(faults: Faults, id: string, given: unknown, types: NodeTypes): AnyNode | undefined {
  const idFault = nodeId.safeParse(id).error?.issues[0]?.message;
  if (idFault !== undefined) {
    faults.add("nodes", `has ${showValue(id)}, which ${idFault}`);
    return undefined;
  }
  const place = `nodes.${id}`;
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    faults.add(place, "must be an object.");
    return undefined;
  }
  const schema = schemaOf(faults, place, given as Record<string, unknown>, types);
  return schema === undefined ? undefined : (faults.read(place, schema, given) as AnyNode | undefined);
}

function schemaOf(
  faults: Faults,
  place: string,
  given: Readonly<Record<string, unknown>>,
  types: NodeTypes,
): z.ZodType | undefined {
  const { type } = given;
  const found = types.find(type);
  if (found !== undefined) {
    const form = found.formOf?.(given) ?? found.schema;
    if (form instanceof z.ZodType) return form;
    faults.add(form.field === null ? place : `${place}.${form.field}`, form.predicate);
    return undefined;
  }
  const names = types.all.map((known) => known.type);
  const predicate =
    type === undefined
      ? `is required: one of ${names.join(", ")}.`
      : `is ${showValue(type)}; there are ${names.join(", ")}.${meant(type, names)}`;
  faults.add(`${place}.type`, predicate);
  return undefined;
}

function unknownField(name: string, known: readonly string[]): string {
  return `is unknown; there are ${known.join(", ")}.${meant(name, known)}`;
}

function meant(given: unknown, known: readonly string[]): string {
  // Only short names: a longer one resembles none of them.
  const found = typeof given === "string" && given.length <= limits.workflow.nodeId ? nearest(given, known) : undefined;
  return found === undefined ? "" : ` Did you mean ${found}?`;
}

/** Collects faults by field path. */
class Faults {
  readonly #errors = new Map<string, string[]>();

  /** `predicate` ends the sentence about the field path. */
  add(place: string, predicate: string): void {
    if (this.#errors.size >= mostFaults) return;
    this.#errors.set(place, [...(this.#errors.get(place) ?? []), `${subjectOf(place)} ${predicate}`]);
  }

  read<Schema extends z.ZodType>(place: string, schema: Schema, value: unknown): z.output<Schema> | undefined {
    const { success, data, error } = schema.safeParse(value);
    if (success) return data;
    for (const issue of error.issues) {
      if (issue.code === "unrecognized_keys") {
        const known = fieldsAt(schema, issue.path);
        for (const key of issue.keys.slice(0, mostFaults))
          this.add([place, ...issue.path, key].join("."), unknownField(key, known));
        continue;
      }
      const [[, [sentence = ""] = []] = []] = Object.entries(sentencesOf(new z.ZodError([issue])));
      const predicate = sentence.slice(sentence.indexOf(" field ") + " field ".length);
      this.add([place, ...issue.path].join("."), predicate);
    }
    return undefined;
  }

  refuse(): void {
    if (this.#errors.size > 0) throw new Invalid(Object.fromEntries(this.#errors) satisfies FieldErrors);
  }
}

/** The fields of a nested object schema. */
function fieldsAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let part: unknown = schema;
  for (const step of path) {
    if (part instanceof z.ZodArray) part = part.element;
    else part = part instanceof z.ZodObject ? (part.shape as Record<PropertyKey, unknown>)[step] : undefined;
  }
  return part instanceof z.ZodObject ? Object.keys(part.shape) : [];
}
