/** Settings in the environment that do not exist: a misspelt one has no effect. */
import { listOf, ok, warning } from "../check.ts";
import type { Check, Machine } from "../check.ts";

export const unknownSettings: Check<Machine> = {
  name: "unknown settings",
  examine: async ({ unknownSettings: sentences }) =>
    sentences.length === 0
      ? ok("every CRM_ variable is a setting")
      : warning(listOf(sentences.map((sentence) => sentence.replace(/\.$/, ""))), "crm config show"),
};
