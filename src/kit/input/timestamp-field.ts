/** A field that takes a moment. */
import { z } from "zod";
import { isBlank } from "../text.ts";
import { readTimestamp } from "../time/read-timestamp.ts";

/** A timestamp or null, which may be left out; "" becomes null. */
export function nullableTimestamp() {
  return z
    .unknown()
    .transform((value, context): Date | null => {
      if (value === null || value === undefined || (typeof value === "string" && isBlank(value))) return null;
      const time = typeof value === "string" ? readTimestamp(value.trim()) : undefined;
      if (time !== undefined) return time;
      const message = "must be a timestamp with an offset or Z, such as 2026-03-01T12:00:00Z.";
      context.issues.push({ code: "custom", input: undefined, message });
      return z.NEVER;
    })
    .optional()
    .meta({ type: ["string", "null"], format: "date-time" });
}
