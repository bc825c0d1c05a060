/**
 * Refreshes of many installs at once beside oidc-provider, in turns: a second, and their processor time. Arguments: the database of crm
 * (sqlite, postgres), and the rounds. `PEERS` names the folder in which oidc-provider is installed (README.md).
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { givenTokens } from "../../support/marketplace.ts";
import { createPerson } from "../../support/person.ts";
import { fill } from "../filled.ts";
import { openGround } from "../ground.ts";
import { makeApp } from "../oauth.ts";
import { costOf, metersOf, timeOf } from "../processor.ts";
import { refreshFor } from "../refreshes.ts";
import { startService } from "../servers.ts";
import { argumentsOf } from "./arguments.ts";
import { openTable, takeTurns } from "./side-by-side.ts";

const { folder, kind, crm, rounds } = argumentsOf("oauth.ts [sqlite|postgres] [ROUNDS]");
const peer = "oidc-provider in memory";

/** Installs, each of which refreshes again when it is answered. */
const chains = 32;
const seconds = 4;

const table = openTable([crm, peer], (row) => (row.startsWith("refreshes") ? "rate" : "time"));

/** `time`: processor time so far, in microseconds. */
const turn =
  (product: string, time: () => Promise<number>, refresh: () => Promise<number>) =>
  async (isWarmUp: boolean): Promise<void> => {
    const { rate, cost } = await costOf(time, refresh);
    if (isWarmUp) return;
    table.note("refreshes a second", product, rate);
    table.note("processor time of one, its database included, µs", product, cost);
  };

interface Ready {
  readonly port: number;
  readonly client: { readonly client_id: string; readonly client_secret: string };
  readonly tokens: string[];
}

const provider = fork(join(import.meta.dirname, "oidc-process.ts"), [folder, String(chains)]);
const ground = await openGround(kind);
try {
  const [theirs] = (await once(provider, "message")) as [Ready];
  const filled = await fill(ground, "oauth", { contacts: 2000, locations: 1 });
  const app = await makeApp(filled, ground.folder);
  await using service = await startService(filled.url, {
    directory: ground.folder,
    worker: false,
    // A limit of its own bounds what one app may refresh.
    environment: { CRM_RATE_LIMIT: "off" },
  });
  const url = `http://127.0.0.1:${service.port}`;
  const owner = createPerson(url);
  await owner.signIn("app.owner@example.com");
  const tokens: string[] = [];
  for (let chain = 0; chain < chains; chain++)
    tokens.push((await givenTokens({ url }, owner, app, filled.firstLocation)).refresh_token);
  const meters = await metersOf(ground, filled.url, () => timeOf(service.running.pid));
  const timeOfCrm = async (): Promise<number> => (await meters.service()) + ((await meters.database?.()) ?? 0);
  await takeTurns(rounds, [
    turn(crm, timeOfCrm, () => refreshFor(service.port, app, tokens, seconds)),
    turn(
      peer,
      () => timeOf(provider.pid!),
      () => refreshFor(theirs.port, theirs.client, theirs.tokens, seconds, "/token"),
    ),
  ]);
  table.print();
} finally {
  provider.disconnect();
  await ground.close();
}
