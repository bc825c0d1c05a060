/** On SQLite, deliveries to cancel are looked up by their webhooks, every few seconds: what waits for others, a million perhaps, is not read. */
import { expect, test } from "vitest";
import { allowedScopes } from "../../src/marketplace/oauth/grant.queries.ts";
import type { Database } from "../../src/storage/database.ts";
import { mayBeTold } from "../../src/webhooks/hooks/app-access.ts";
import { cancelOrphans } from "../../src/webhooks/sending/cleanup.ts";
import { openFresh } from "../support/databases.ts";

test("the plan of the look for deliveries to cancel", async () => {
  await using fresh = await openFresh("sqlite");
  const { database } = fresh;
  const plan: string[] = [];
  const explained: Database = {
    ...database,
    async rows(text) {
      const steps = await database.rowsOnce<{ detail: string }>(
        `explain query plan ${typeof text === "string" ? text : text.sqlite}`,
      );
      plan.push(...steps.map(({ detail }) => detail));
      return [];
    },
  };
  expect(await cancelOrphans(explained, mayBeTold(allowedScopes), new Date())).toBe(0);
  expect(plan).toContain("SEARCH deliveries USING COVERING INDEX deliveries_due (hook_id=? AND due_at>?)");
});
