/** What is old is forgotten in pieces, however much of it there is. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDuties } from "../../src/duties.ts";
import { openSession } from "../../src/tenancy/sessions/session.service.ts";
import { sessionDuty } from "../../src/tenancy/sessions/session.duties.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenApp, givenOlga } from "../support/marketplace.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const many = 2500;

describe.each(databaseKinds)("on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
    await givenApp(world);
    await givenOlga(world);
    const time = kind === "sqlite" ? "0" : "to_timestamp(0)";
    const first = (table: string) => `(select min(id) from ${table})`;
    const [app, user, location, member, workspace] = ["apps", "users", "locations", "memberships", "workspaces"].map(
      first,
    ) as string[];
    const asked = "'https://app.example.com', '[]'";
    const rows: Record<string, string> = {
      "sessions (user_id, hash, created_at, expires_at)": `${user}, 'h' || i, ${time}, ${time}`,
      "account_links (kind, user_id, hash, created_at, expires_at)": `'reset', ${user}, 'h' || i, ${time}, ${time}`,
      "oauth_requests (session_id, app_id, redirect_uri, scopes, created_at, expires_at)": `(select max(id) from sessions), ${app}, ${asked}, ${time}, ${time}`,
      "oauth_grants (app_id, location_id, membership_id, created_at)": `${app}, ${location}, ${member}, ${time}`,
      "oauth_codes (grant_id, hash, redirect_uri, scopes, expires_at)": `${first("oauth_grants")} - 1 + i, 'h' || i, ${asked}, ${time}`,
      "oauth_tokens (grant_id, access_hash, refresh_hash, scopes, access_expires_at, refresh_expires_at)": `${first("oauth_grants")} - 1 + i, 'a' || i, 'r' || i, '[]', ${time}, ${time}`,
      "idempotency_keys (holder, operation, key, body_hash, created_at)": `'key 0', 'POST', 'k' || i, 'h', ${time}`,
      "pending_installs (hash, app_id, user_id, location_id, redirect_uri, scopes, created_at, expires_at)": `'h' || i, ${app}, ${user}, ${location}, ${asked}, ${time}, ${time}`,
      "hooks (workspace_id, scopes, target_url, secret, status, after_position, created_at)": `${workspace}, '[]', 'https://app.example.com', 's', 'active', 0, ${time}`,
      // A fifth of them was tried five times.
      "deliveries (hook_id, event_id, state, attempt, created_at)": `${first("hooks")}, i, 'failed', case when i <= ${many / 5} then 5 else 0 end, ${time}`,
      "delivery_attempts (delivery_id, number, at)": `${first("deliveries")} + (i - 1) / 5, 1 + i % 5, ${time}`,
    };
    await world.service.database.transaction(async (change) => {
      for (const [into, values] of Object.entries(rows)) {
        await change.rowsOnce(
          `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${many}) insert into ${into} select ${values} from n`,
        );
      }
    });
  });
  afterAll(() => world?.close());

  test.each<[name: string, tables: string[], atOnce: number]>([
    ["delete expired idempotency keys", ["idempotency_keys"], 100],
    ["delete expired sessions", ["sessions", "account_links"], 1000],
    ["delete expired codes and tokens", ["oauth_codes", "oauth_tokens", "oauth_grants"], 1000],
    ["delete old deliveries", ["deliveries", "delivery_attempts"], 1000],
    ["delete expired pending installs", ["pending_installs"], 1000],
  ])("%s", async (name, tables, atOnce) => {
    const { service, clock } = world;
    const { database, callAs, tools, outside, mailer, settings, log } = service;
    const count = async () => {
      const counted = tables.map((table) =>
        database.rowsOnce<{ count: number }>(`select count(*) as count from ${table}`),
      );
      return (await Promise.all(counted)).map(([row]) => Number(row!.count));
    };
    const ground = { database, callAs, tools, clock, outside, mailer, settings, log, counts: service.counts };
    const duties = createDuties({ ...ground, vault: tools.vault, changeAcross: undefined } as never);
    const duty = duties.find((one) => one.name === name)!;
    const before = await count();
    const signal = AbortSignal.timeout(30_000);
    expect(await duty.run(signal)).toBe("more");
    const after = await count();
    for (const [place, left] of after.entries()) expect(before[place]! - left).toBeLessThanOrEqual(atOnce);
    while ((await duty.run(signal)) === "more");
    for (const left of await count()) expect(left).toBeLessThan(10);
  });

  test("sessions are kept for CRM_SESSION_RETENTION_DAYS after the sign-in", async () => {
    const { database } = world.service;
    const [user] = await database.rows<{ id: number }>("select id from users order by id limit 1");
    const open = (daysAgo: number) =>
      database.transaction((rows) =>
        openSession(rows, user!.id, {
          now: new Date(world.clock.now().getTime() - daysAgo * 86_400_000),
          userAgent: `signed in ${daysAgo} days ago`,
        }),
      );
    for (const days of [8, 6, 0]) await open(days);
    const duty = sessionDuty(database, world.clock, 7);
    while ((await duty.run(new AbortController().signal)) === "more");
    const left = await database.rows("select user_agent from sessions where user_agent like 'signed in%' order by id");
    expect(left).toEqual([{ user_agent: "signed in 6 days ago" }, { user_agent: "signed in 0 days ago" }]);
    await database.transaction(({ rows }) => rows("delete from sessions where user_agent like 'signed in%'"));
  });
});
