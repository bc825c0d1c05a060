/** The links in the schema of a node: the paths to its fields that name other nodes, such as `next` or `cases.0.next`. */
import { z } from "zod";
import { nodeId } from "./parts.schema.ts";

/** Every element of a list. */
const each = Symbol("each");
/** The names of a record, such as those of `weights`. */
const names = Symbol("names");

/** A path to one or several ids of nodes. */
export type Link = readonly (string | typeof each | typeof names)[];

/** Every field whose schema is `nodeId`, also in lists, records and objects; `next` first. */
export function linksIn(schema: z.ZodType): Link[] {
  const links = findLinks(schema);
  return [...links.filter(isNext), ...links.filter((link) => !isNext(link))];
}

function isNext(link: Link): boolean {
  return link[0] === "next";
}

function findLinks(schema: z.ZodType): Link[] {
  if (schema === nodeId) return [[]];
  if (schema instanceof z.ZodOptional) return findLinks(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodArray) return findLinks(schema.element as z.ZodType).map((link) => [each, ...link]);
  if (schema instanceof z.ZodRecord) return (schema.keyType as z.ZodType) === nodeId ? [[names]] : [];
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).flatMap(([name, field]) =>
    findLinks(field as z.ZodType).map((link) => [name, ...link]),
  );
}

/** A node that another one names. */
export interface Successor {
  /** The path of the field that names it. */
  readonly field: string;
  readonly id: string;
}

/** The ids at the end of a link; none where a field is left out. */
export function follow(link: Link, value: unknown, path: readonly string[] = []): Successor[] {
  if (value === undefined || value === null) return [];
  const [step, ...rest] = link;
  if (step === undefined) return [{ field: path.join("."), id: value as string }];
  if (step === names) return Object.keys(value).map((id) => ({ field: [...path, id].join("."), id }));
  if (step === each)
    return (value as readonly unknown[]).flatMap((one, place) => follow(rest, one, [...path, String(place)]));
  return follow(rest, (value as Readonly<Record<string, unknown>>)[step], [...path, step]);
}
