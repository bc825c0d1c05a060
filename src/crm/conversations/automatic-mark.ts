/** What the events of a message carry that a program wrote by itself: workflows go by it, and so may whoever answers. */
import { z } from "zod";

export const automaticMark = z
  .literal(true)
  .optional()
  .describe(
    "A program wrote the message by itself, such as an out-of-office reply: no workflow starts or wakes by it.",
  );
