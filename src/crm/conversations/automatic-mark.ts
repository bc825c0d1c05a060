/** Marks events of automatic messages (auto-replies): workflows ignore them, and receivers can avoid mail loops. */
import { z } from "zod";

export const automaticMark = z
  .literal(true)
  .optional()
  .describe(
    "The message was generated automatically, such as an out-of-office reply. It starts and wakes no workflow.",
  );
