/** The registry of node types, by name. nodes/all.ts has those of the product. */
import { z } from "zod";
import type { ActionType, AnyNode, Exit, NodeType } from "./node-type.ts";
import { linksIn } from "./links.ts";
import type { Link } from "./links.ts";

export interface NodeTypes {
  /** In the order in which people read them. */
  readonly all: readonly NodeType[];
  find(type: unknown): NodeType | undefined;
  /** Throws for an unknown type, which no published definition has. */
  of(node: AnyNode): NodeType;
  /** The fields of a type that name other nodes, `next` first. */
  linksOf(type: NodeType): readonly Link[];
}

export function createNodeTypes(all: readonly NodeType[]): NodeTypes {
  const byName = new Map<unknown, NodeType>(all.map((type) => [type.type, type]));
  const links = new Map(all.map((type) => [type, linksOfForms(formsOf(type))]));
  return {
    all,
    find: (type) => byName.get(type),
    of({ type }) {
      const found = byName.get(type);
      if (found === undefined) throw new Error(`there is no node of the type ${type}`);
      return found;
    },
    linksOf: (type) => links.get(type) ?? [],
  };
}

/** The schema of each form of a type. */
export function formsOf({ schema }: NodeType): readonly z.ZodType<AnyNode>[] {
  return schema instanceof z.ZodUnion ? (schema.options as readonly z.ZodType<AnyNode>[]) : [schema];
}

/** Forms share fields such as `next`: each path is followed once. */
function linksOfForms(forms: readonly z.ZodType[]): Link[] {
  const links = forms.flatMap(linksIn);
  const byPath = new Map(links.map((link) => [link.map(String).join("."), link]));
  return [...byPath.values()];
}

/** The ways out of a node, as people read them. */
export function exitsOf(nodes: NodeTypes, node: AnyNode): readonly Exit[] {
  return nodes.of(node).exits?.(node) ?? [{ when: "next", to: node.next, ends: "finished" }];
}

/** Whether an action locks keys: then it must be the first of its transaction. */
export function locksKeys(type: NodeType, node: AnyNode): type is ActionType & Required<Pick<ActionType, "keyLocks">> {
  return type.kind === "action" && type.keyLocks?.areTaken(node) === true;
}
