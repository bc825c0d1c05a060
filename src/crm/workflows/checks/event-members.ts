/** Warns of trigger filters that name a member which the data of their event never has: the workflow would not start. */
import { z } from "zod";
import type { EventName } from "../../../vocabulary/events.ts";
import { eventShapes } from "../../event-log/event-shapes.ts";
import type { WorkflowFilter } from "../definition/filters.ts";

/** As predicates, one for each member. */
export function findUnknownMembers(event: EventName, filter: WorkflowFilter): string[] {
  const schema = eventShapes.find((shape) => shape.event === event)?.schema;
  if (schema === undefined) return [];
  const paths = filter.flat().flatMap((condition) => ("path" in condition ? [condition.path] : []));
  const unknown = paths.filter((path) => !hasMember(schema, path));
  return [...new Set(unknown.map((path) => path.join(".")))].map(
    (path) => `names context.${path}, which ${event} does not have. Its data: crm hooks samples ${event}`,
  );
}

/** Whether the value may have a member at this path; open objects may have any. */
function hasMember(schema: z.ZodType, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return hasMember(schema.unwrap() as z.ZodType, [name, ...rest]);
  if (schema instanceof z.ZodUnion)
    return (schema.options as readonly z.ZodType[]).some((option) => hasMember(option, [name, ...rest]));
  if (schema instanceof z.ZodObject) {
    const member = (schema.shape as Readonly<Record<string, z.ZodType>>)[name];
    if (member !== undefined) return hasMember(member, rest);
    const { catchall } = schema.def;
    return catchall !== undefined && !(catchall instanceof z.ZodNever);
  }
  return schema instanceof z.ZodRecord || schema instanceof z.ZodUnknown || schema instanceof z.ZodAny;
}
