/**
 * Workflows beside DBOS, in turns: runs of ten nodes a second, from the request that enrolls a contact to the end of its run. Arguments: the
 * database of crm (postgres, sqlite), and the rounds. `PEERS` names the folder in which DBOS is installed (README.md).
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createConsola } from "consola/core";
import { loadSettings } from "../../../config/settings.loading.ts";
import { openService } from "../../../src/service.ts";
import { fill } from "../filled.ts";
import type { Filled } from "../filled.ts";
import { openGround } from "../ground.ts";
import type { Ground } from "../ground.ts";
import { publishWorkflow } from "../published-workflow.ts";
import { secretKeys, startService } from "../servers.ts";
import { clientOf } from "./crm.ts";
import { argumentsOf } from "./arguments.ts";
import { openTable, takeTurns } from "./side-by-side.ts";

const { folder: peers, kind, crm: product, rounds } = argumentsOf("workflows.ts [sqlite|postgres] [ROUNDS]");
const peer = "DBOS on PostgreSQL";

/** Runs of a round, enrolled by so many clients at once. */
const runs = 1000;
const clients = 32;

const tag = (name: string, next: string) => ({ type: "add_tag", tag: name, next });
const branch = (when: unknown, next: string) => ({ type: "branch", when, then: next, else: next });
const ten = {
  entry: "a",
  nodes: {
    a: { type: "add_note", body: "Hello {{contact.first_name}}", next: "b" },
    b: branch({ dnd: false }, "c"),
    c: tag("first", "d"),
    d: { type: "add_note", body: "Is interested in {{context.interest}}", next: "e" },
    e: branch({ city: "Nowhere" }, "f"),
    f: tag("second", "g"),
    g: { type: "add_note", body: "Third", next: "h" },
    h: branch({ "context.interest": "none" }, "i"),
    i: tag("third", "j"),
    j: { type: "add_note", body: "Last of {{contact.first_name}}" },
  },
};

const grounds = { crm: await openGround(kind), dbos: await openGround("postgres") };
const dbos = await startDbos(peers, await grounds.dbos.create("dbos"));
try {
  const crm = await openCrm(grounds.crm, (rounds + 1) * runs);
  const table = openTable([product, peer], () => "rate");
  const turn = (side: string, round: () => Promise<number>) => async (isWarmUp: boolean) => {
    const rate = await round();
    if (!isWarmUp) table.note("runs of ten nodes a second", side, rate);
  };
  await takeTurns(rounds, [turn(product, crm.round), turn(peer, dbos.round)]);
  table.print();
  await crm.close();
} finally {
  dbos.close();
  for (const ground of Object.values(grounds)) await ground.close();
}

async function openCrm(ground: Ground, contacts: number) {
  const filled = await fill(ground, "peers", { contacts, locations: 1 });
  const workflow = await publishTen(filled, ground.folder);
  const service = await startService(filled.url, { directory: ground.folder, worker: true });
  const { call, close } = clientOf(service.port, filled.apiKey);
  const list = `/workflows/${workflow}/runs?location_id=${filled.firstLocation}`;
  const has = async (status: string): Promise<boolean> => {
    // One: DBOS is asked for no list, so that crm must not spend its round on writing one, fifty times a second.
    const { data } = await call<{ data: unknown[] }>("GET", `${list}&status=${status}&limit=1`);
    return data.length > 0;
  };
  let enrolled = 0;
  return {
    async round(): Promise<number> {
      const begun = performance.now();
      const last = enrolled + runs;
      await Promise.all(
        Array.from({ length: clients }, async () => {
          // Each contact once: a tag that a contact has already costs nothing.
          while (enrolled < last) {
            const body = {
              location_id: filled.firstLocation,
              contact_id: ++enrolled,
              context: { interest: "engines" },
            };
            await call("POST", `/workflows/${workflow}/enroll`, body);
          }
        }),
      );
      while (await has("active")) await sleep(20);
      const ended = performance.now();
      if (await has("failed")) throw new Error("runs have failed");
      return (runs / (ended - begun)) * 1000;
    },
    async close(): Promise<void> {
      await close();
      await service[Symbol.asyncDispose]();
    },
  };
}

async function publishTen(filled: Filled, directory: string): Promise<number> {
  const environment = { CRM_DATABASE_URL: filled.url, CRM_DATA_DIR: directory, CRM_SECRET_KEYS: secretKeys };
  const settings = loadSettings({ environment, directory });
  const service = await openService(settings, { log: createConsola({ level: 0 }), migrate: true });
  await service.database.transaction(async ({ rows }) => {
    for (const name of ["first", "second", "third"])
      await rows("insert into tags (workspace_id, name, name_key, created_at) values (1, ?, ?, ?)", [
        name,
        name,
        service.clock.now(),
      ]);
  });
  const { id } = await publishWorkflow(service, filled, ten);
  await service.close();
  return id;
}

/** DBOS, in a process of its own. */
async function startDbos(folder: string, url: string) {
  const process = fork(join(import.meta.dirname, "dbos-process.ts"), [folder, url, String(runs), String(clients)]);
  await once(process, "message");
  return {
    async round(): Promise<number> {
      process.send("round");
      const [rate] = await once(process, "message");
      return rate as number;
    },
    close: () => process.disconnect(),
  };
}
