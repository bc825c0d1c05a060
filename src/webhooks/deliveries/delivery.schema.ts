/** The input of replays. */
import { z } from "zod";
import { nullableTimestamp } from "../../kit/input/fields.ts";

export const replayFailedInput = z.object({
  since: nullableTimestamp().transform((since, context) => {
    if (since instanceof Date) return since;
    context.issues.push({ code: "custom", input: since, message: "is required." });
    return z.NEVER;
  }),
});
