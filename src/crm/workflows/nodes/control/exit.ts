/** exit: ends the run. */
import { z } from "zod";
import { defineControl } from "../../definition/node-type.ts";

export const exitNode = defineControl({
  type: "exit",
  scopes: () => [],
  schema: z.strictObject({ type: z.literal("exit") }).describe("Ends the run."),
  about: "ends the run as `exited`",
  fields: () => [],
  summary: () => "exit",
  exits: () => [],
  arrive: async () => ({ ends: "exited" }),
});
