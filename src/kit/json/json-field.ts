/** A field for any JSON object that can be stored unchanged. */
import { z } from "zod";
import { isObject } from "./json-object.ts";

interface JsonBounds {
  /** Maximum size of its compact JSON, in bytes of UTF-8. */
  readonly bytes: number;
  /** Maximum nesting depth, including itself. */
  readonly depth: number;
  /** Members that the service adds and clients must omit. */
  readonly reserved: readonly string[];
}

/**
 * A required JSON object. Refuses values that could not be stored unchanged: texts with NUL bytes or lone surrogates,
 * and numbers that JavaScript would round.
 */
export function jsonObject({ bytes, depth, reserved }: JsonBounds) {
  return z
    .unknown()
    .transform((value, context): Readonly<Record<string, unknown>> => {
      const refuse = (message: string, path: string[] = []) => {
        context.issues.push({ code: "custom", path, input: undefined, message });
        return z.NEVER;
      };
      if (value === undefined || value === null) return refuse("is required.");
      if (!isObject(value)) return refuse("must be an object.");
      for (const name of reserved) {
        if (Object.hasOwn(value, name)) refuse("must be left out: the service adds it.", [name]);
      }
      const fault = faultIn(value, { left: depth, most: depth });
      if (fault !== undefined) return refuse(fault);
      if (Buffer.byteLength(JSON.stringify(value)) > bytes) return refuse(`must not be larger than ${bytes} bytes.`);
      return value;
    })
    .meta({ type: "object", additionalProperties: true });
}

interface Depth {
  readonly left: number;
  readonly most: number;
}

/** The first fault of a value or of anything nested in it. */
function faultIn(value: unknown, { left, most }: Depth): string | undefined {
  if (typeof value === "string") return faultInText(value);
  if (typeof value === "number" && !isExact(value)) {
    return "must not contain numbers that cannot be kept exactly: send them as text.";
  }
  if (typeof value !== "object" || value === null) return undefined;
  if (left === 0) return `must be nested at most ${most} levels deep.`;
  for (const [name, member] of Object.entries(value)) {
    const fault = faultInText(name) ?? faultIn(member, { left: left - 1, most });
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultInText(text: string): string | undefined {
  if (text.includes("\0")) return "must not contain NUL bytes.";
  return text.isWellFormed() ? undefined : "must be valid Unicode text.";
}

function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}
