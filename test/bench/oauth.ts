/** The cost of OAuth: a request with a token compared to one with a key, refreshes to bare commits, and the effect of sign-ins on other requests. */
import { setTimeout as sleep } from "node:timers/promises";
import { createConsola } from "consola";
import { loadSettings } from "../../config/settings.loading.ts";
import { openService } from "../../src/service.ts";
import { hashPassword } from "../../src/tenancy/passwords/password.ts";
import { setFirstPassword } from "../../src/tenancy/invitations/redeem-link.service.ts";
import { inviteUser } from "../../src/tenancy/users/user.service.ts";
import { givenApp, givenTokens } from "../support/marketplace.ts";
import type { TestApp } from "../support/marketplace.ts";
import { createPerson, hiddenFields, password } from "../support/person.ts";
import type { Setting } from "./against-raw.ts";
import { listPath } from "./cases.ts";
import { connectTo } from "./connection.ts";
import { fill } from "./filled.ts";
import type { Filled } from "./filled.ts";
import { compareRates, interleave } from "./interleave.ts";
import { refreshFor } from "./refreshes.ts";
import { get } from "./requests.ts";
import { secretKeys, startService } from "./servers.ts";

/** Workers of an app that refresh at the same time, each its own install. */
const chains = 32;
const signInsASecond = 10;
/** A read begins every so many milliseconds, however long the one before it takes. */
const pause = 10;

export async function measureOauth({ ground, load, plan, tell, profiles }: Setting): Promise<void> {
  const filled = await fill(ground, "oauth", { contacts: 2000, locations: 1 });
  const app = await makeApp(filled, ground.folder);
  await using service = await startService(filled.url, {
    directory: ground.folder,
    worker: false,
    nodeOptions: profiles === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profiles}`],
    // Each sign-in comes from an address of its own, so that none is refused for those before it; refreshes have a limit for each app.
    environment: { CRM_TRUSTED_PROXIES: "127.0.0.1", CRM_RATE_LIMIT: "off" },
  });
  const url = `http://127.0.0.1:${service.port}`;
  const owner = createPerson(url);
  await owner.signIn("app.owner@example.com");
  const given = () => givenTokens({ url }, owner, app, filled.firstLocation);
  const tokens = [];
  for (let n = 0; n < chains; n++) tokens.push(await given());

  const path = `/api/v1/contacts/1?location_id=${filled.firstLocation}`;
  const side = (apiKey: string) => ({ port: service.port, requests: [get({ ...filled, apiKey }, path)] });
  tell({
    what: "a request with an API key against the same with an OAuth token (answers a second)",
    target: { most: 1.05 },
    kind: ground.kind,
    value: await compareRates(load, plan, 200, side(filled.apiKey), side(tokens[0]!.access_token)),
  });

  await consumeMany(filled.url);
  const refreshTokens = tokens.map(({ refresh_token }) => refresh_token);
  tell({
    what: `refreshes a second, ${chains} at once, against bare commits`,
    target: { least: 0.4 },
    kind: ground.kind,
    value: await interleave(
      plan.rounds,
      () => refreshFor(service.port, app, refreshTokens, plan.seconds),
      () => commitFor(filled.url, plan.seconds),
    ),
  });

  tell({
    what: `p99 of a page of contacts while ${signInsASecond} people a second sign in, against none`,
    target: { most: 1.3 },
    kind: ground.kind,
    value: await interleave(
      plan.rounds,
      () => readFor(url, filled, plan.seconds * 2, signInFor(url, plan.seconds * 2)),
      () => readFor(url, filled, plan.seconds * 2),
    ),
  });
}

/** A published app, and its owner as `app.owner@example.com`. */
export async function makeApp({ url, workspaceId }: Filled, directory: string): Promise<TestApp> {
  const settings = loadSettings({
    environment: { CRM_DATABASE_URL: url, CRM_SECRET_KEYS: secretKeys },
    directory,
  });
  const service = await openService(settings, { log: createConsola({ level: 1 }) });
  try {
    const hash = await hashPassword(password);
    await service.inWorkspace(workspaceId).change(async (change) => {
      const email = "app.owner@example.com";
      const owner = await inviteUser(change, { email, name: "Owner", role: "owner", locationIds: null });
      await setFirstPassword(change, owner, hash);
    });
    return await givenApp({ service, acme: workspaceId });
  } finally {
    await service.close();
  }
}

/**
 * 365 spent tokens for each install, which is one that refreshes every four minutes, so that look-ups meet a table of the size that they meet in
 * service, and PostgreSQL plans them for it: of an empty table that was analyzed it would read every row.
 */
async function consumeMany(url: string): Promise<void> {
  const connection = await connectTo(url);
  await connection.run(`insert into oauth_tokens
    (grant_id, access_hash, refresh_hash, scopes, access_expires_at, refresh_expires_at, spent_at)
    select t.grant_id, t.access_hash || '-' || day, t.refresh_hash || '-' || day, t.scopes, t.access_expires_at, t.refresh_expires_at,
      t.access_expires_at
    from oauth_tokens t, (with recursive days(day) as (select 1 union all select day + 1 from days where day < 365) select day from days) as days`);
  await connection.run("analyze oauth_tokens");
  await connection.close();
}

/**
 * Commits a second, each on disk as the service's are, by as many connections as it has: SQLite takes one at a time. No limit that a
 * refresh could reach: a commit writes one row of a table without an index and reads nothing, in one journey and without HTTP. A refresh
 * reads four rows (client, token, grant, membership), writes two in a table with seven indexes, and answers a client.
 */
async function commitFor(url: string, seconds: number): Promise<number> {
  const width = url.startsWith("sqlite:") ? 1 : 10;
  const connections = await Promise.all(Array.from({ length: width }, () => connectTo(url)));
  if (width === 1) await connections[0]!.run("pragma synchronous = full");
  await connections[0]!.run("create table if not exists commits (id integer)");
  const begun = performance.now();
  const ends = begun + seconds * 1000;
  let count = 0;
  await Promise.all(
    connections.map(async (connection) => {
      while (performance.now() < ends) {
        await connection.run("begin; insert into commits values (1); commit");
        count += 1;
      }
    }),
  );
  const rate = count / ((performance.now() - begun) / 1000);
  await Promise.all(connections.map((connection) => connection.close()));
  return rate;
}

/** The time that 99 of 100 reads stay below, in milliseconds from when each was due. */
async function readFor(
  url: string,
  { apiKey, firstLocation }: Filled,
  seconds: number,
  beside: Promise<void> = Promise.resolve(),
): Promise<number> {
  const begun = performance.now();
  const reads: Promise<number>[] = [];
  for (let due = begun; due < begun + seconds * 1000; due += pause) {
    await sleep(Math.max(0, due - performance.now()));
    reads.push(
      fetch(url + listPath(firstLocation), { headers: { authorization: `Bearer ${apiKey}` } }).then(async (answer) => {
        await answer.arrayBuffer();
        return performance.now() - due;
      }),
    );
  }
  await beside;
  const taken = (await Promise.all(reads)).toSorted((a, b) => a - b);
  return taken[Math.floor(taken.length * 0.99)]!;
}

let serial = 0;

async function signInFor(url: string, seconds: number): Promise<void> {
  const person = createPerson(url);
  const page = await person.get("/sign-in");
  const tries: Promise<number>[] = [];
  for (let n = 0; n < seconds * signInsASecond; n++) {
    await sleep(1000 / signInsASecond);
    serial += 1;
    // Whether there is such an account or not, the same work is done.
    const fields = { ...hiddenFields(page), email: `nobody.${serial}@example.com`, password };
    const address = `10.${(serial >> 16) & 255}.${(serial >> 8) & 255}.${serial & 255}`;
    tries.push(person.post("/sign-in", fields, { "x-forwarded-for": address }).then(({ status }) => status));
  }
  const statuses = new Set(await Promise.all(tries));
  if (!statuses.has(422) || statuses.size !== 1)
    throw new Error(`sign-ins were answered with ${[...statuses].join(", ")}`);
}
