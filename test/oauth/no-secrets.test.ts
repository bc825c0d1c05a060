/** No secret of OAuth is stored in clear: not in the database, not in its WAL, not in the log. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sampleOf } from "../support/chance.ts";
import { request } from "../support/client.ts";
import { databaseKinds } from "../support/databases.ts";
import type { DatabaseKind } from "../support/databases.ts";
import { makeResetLink } from "../../src/tenancy/invitations/account-link.service.ts";
import { askToken, authorizePath, givenApp, givenCode, redeeming, refreshing } from "../support/marketplace.ts";
import { hiddenFields, password } from "../support/person.ts";
import { startTwoServices } from "../support/two-services.ts";
import type { TwoServices } from "../support/two-services.ts";

/** Everything that the database holds, as bytes of its files or as rows of its tables. */
async function storedBy(kind: DatabaseKind, { service, directory }: TwoServices): Promise<string> {
  if (kind === "sqlite") {
    const files = (await readdir(directory)).filter((name) => name.startsWith("crm.db"));
    expect(files).toContain("crm.db-wal");
    return (await Promise.all(files.map((name) => readFile(join(directory, name), "latin1")))).join("\n");
  }
  const tables = await service.database.rows<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  );
  const all = [];
  for (const { name } of tables) all.push(await service.database.rowsOnce(`select * from "${name}"`));
  return JSON.stringify(all);
}

describe.each(sampleOf("OAuth: no secrets", 1, databaseKinds))("on %s", (kind) => {
  test("nothing of what was used is found", async () => {
    const two = await startTwoServices(kind, { environment: { CRM_LOG_LEVEL: "trace", CRM_LOG_REQUESTS: "on" } });
    try {
      const { app, owner, location } = two;
      const [url] = two.urls;
      const session = owner.cookies.get("crm_session")!;
      const form = hiddenFields(await owner.get(authorizePath(app)));
      const code = await givenCode(owner, app, location, { state: "a-state" });
      const first = (await askToken(url, redeeming(app, code))).body;
      const second = (await askToken(url, refreshing(app, first.refresh_token))).body;
      // What goes wrong is logged as well.
      await askToken(url, redeeming(app, code));
      await request(url, { method: "GET", path: "/api/v1/tags", key: second.access_token });
      await request(url, { method: "GET", path: `/api/v1/tags?access_token=${second.access_token}` });
      const caller = two.service.inWorkspace(1);
      const reset = (await caller.change((change) => makeResetLink(change, "ada@acme.example"))).url;
      const resetPath = new URL(reset).pathname;
      await owner.get(resetPath);
      const chosen = "another long password";
      await owner.submit(await owner.get(resetPath), { password: chosen });

      const paid = await givenApp({ service: two.service, acme: 1 }, { paymentPage: "https://pay.example.com/" });
      const asked = await owner.get(authorizePath(paid));
      const sent = await owner.submit(asked, { location_id: String(location), answer: "allow" });
      const returnPath = new URL(new URL(sent.location).searchParams.get("return_url")!).pathname;
      await owner.get(returnPath);

      const secrets = {
        pendingInstall: returnPath.split("/").at(-1)!,
        password,
        chosen,
        session,
        newSession: owner.cookies.get("crm_session")!,
        formToken: form["form_token"]!,
        code,
        reset: resetPath.split("/").at(-1)!,
        clientSecret: app.client_secret,
        apiKey: two.apiKey,
        ...Object.fromEntries(
          [first, second].flatMap(({ access_token, refresh_token }, n) => [
            [`access token ${n}`, access_token],
            [`refresh token ${n}`, refresh_token],
          ]),
        ),
      };
      expect(new Set(Object.values(secrets)).size).toBe(Object.keys(secrets).length);
      const stored = await storedBy(kind, two);
      const printed = two.printed();
      expect(stored).toContain("ada@acme.example");
      expect(printed).toContain("/reset/{token}");
      expect(printed).toContain("/oauth/installs/{token}");
      for (const [name, secret] of Object.entries(secrets)) {
        expect([name, stored.includes(secret), printed.includes(secret)]).toEqual([name, false, false]);
      }
    } finally {
      await two.close();
    }
  }, 60_000);
});
