/** Events of webhooks: the test ping. */
import { z } from "zod";
import { defineEvent } from "../../events/define-event.ts";

export const ping = defineEvent(
  "ping",
  z.object({ message: z.string(), hook_id: z.int() }),
  { message: "This is a test.", hook_id: 1 },
  "nothing",
);
