/**
 * Empties the payload of an event: ids, numbers, times and states stay, so that readers, deliveries and replays find the shape that they expect;
 * texts become "" or null, and members that the schema does not name are dropped.
 */
import { z } from "zod";
import type { EventName } from "../../vocabulary/events.ts";
import { eventShapes } from "../event-log/event-shapes.ts";

const schemas = new Map(eventShapes.map(({ event, schema }) => [event, schema]));

/** `data` is the JSON of a payload; returns that of its stub. */
export function toEventStub(event: EventName, data: string): string {
  const schema = schemas.get(event);
  const { changes: _changes, ...members } = JSON.parse(data) as Record<string, unknown>;
  return JSON.stringify(schema === undefined ? {} : emptied(schema, members));
}

/** Values that say nothing of a person, beside numbers and truth values. */
const kept = [z.ZodEnum, z.ZodLiteral, z.ZodNumber, z.ZodBoolean, z.ZodISODateTime];

function emptied(schema: z.ZodType, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (schema instanceof z.ZodOptional) return emptied(schema.unwrap() as z.ZodType, value);
  if (schema instanceof z.ZodNullable) {
    const inner = schema.unwrap() as z.ZodType;
    return isText(inner) ? null : emptied(inner, value);
  }
  if (schema instanceof z.ZodObject) {
    const members = Object.entries(value).filter(([name]) => Object.hasOwn(schema.shape, name));
    return Object.fromEntries(
      members.map(([name, member]) => [name, emptied(schema.shape[name] as z.ZodType, member)]),
    );
  }
  if (schema instanceof z.ZodArray) return (value as unknown[]).map((one) => emptied(schema.element as z.ZodType, one));
  if (schema instanceof z.ZodRecord) return {};
  if (isText(schema)) return "";
  return isKept(schema) ? value : null;
}

function isKept(schema: z.ZodType): boolean {
  return kept.some((kind) => schema instanceof kind);
}

function isText(schema: z.ZodType): boolean {
  return schema instanceof z.ZodString && !isKept(schema);
}
