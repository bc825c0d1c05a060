/** Webhooks that have failed every attempt for days. */
import { failingDays, findFailing } from "../../webhooks/hooks/failing-hooks.ts";
import { listOf, ok, warning } from "../check.ts";
import type { Check, Data } from "../check.ts";

export const failingWebhooks: Check<Data> = {
  name: "webhooks",
  async examine({ database, clock }) {
    const failing = await findFailing(database, clock.now());
    if (failing.length === 0) return ok(`none has failed every attempt for ${failingDays} days`);
    const shown = failing.map(({ id, target_url }) => `webhook ${id} to ${new URL(target_url).host}`);
    return warning(`only failures for ${failingDays} days: ${listOf(shown)}`, "crm hooks deliveries ID --failed");
  },
};
