/** How a service is stopped under an older Node and a recent one: gracefully and once, however often one request to stop arrives. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { sampleOf } from "../support/chance.ts";
import { openFresh } from "../support/databases.ts";
import { asNode20, startCrm } from "../support/node-process.ts";
import { endAmidRequest, openHalfRequest } from "../support/service-start.ts";
import type { Ending } from "../support/service-start.ts";

const serve = [join(import.meta.dirname, "../../bin/crm.js"), "serve"];
const answers = ["HTTP/1.1 201", "HTTP/1.1 201"];
const nodes = { "Node 20": [process.execPath, ...asNode20, ...serve], "Node 24": [process.execPath, ...serve] };

const endings: readonly ["Node 20" | "Node 24", 1 | 2, Ending][] = [
  ["Node 20", 1, ["kill", "SIGTERM"]],
  ["Node 20", 1, ["kill", "SIGINT"]],
  ["Node 20", 1, ["kill", "SIGHUP"]],
  ["Node 20", 1, ["kill the group", "SIGTERM"]],
  ["Node 20", 1, ["Ctrl-C"]],
  ["Node 20", 2, ["kill", "SIGINT"]],
  ["Node 20", 2, ["kill after SIGHUP", "SIGTERM"]],
  ["Node 20", 2, ["kill the group", "SIGTERM"]],
  ["Node 20", 2, ["Ctrl-C"]],
  ["Node 24", 1, ["kill", "SIGHUP"]],
  ["Node 24", 2, ["Ctrl-C"]],
];

test.concurrent.each(sampleOf("endings", 1, endings))(
  "%s, processes: %i, %j",
  { timeout: 120_000 },
  async (node, processes, ending) => {
    await using empty = await openFresh("sqlite");
    const start = { data: empty.directory, program: nodes[node], processes };
    expect(await endAmidRequest(start, ending)).toEqual({ code: 0, answers, complaints: [] });
  },
);

/** A shell that stays above the service: the terminal goes with it. */
const inShell = ["sh", "-c", '"$@"; exit', "sh"];

const goneTerminals: readonly ["Node 20" | "Node 24", 1 | 2, readonly string[], Ending][] = [
  ["Node 20", 1, [], ["close the terminal"]],
  ["Node 20", 2, [], ["close the terminal"]],
  ["Node 24", 2, [], ["close the terminal"]],
  ["Node 24", 2, inShell, ["kill", "SIGKILL"]],
];

test.concurrent.each(sampleOf("terminals that are gone", 1, goneTerminals))(
  "%s, processes: %i: a terminal that is gone stops it as well: %j %j",
  { timeout: 120_000 },
  async (node, processes, shell, ending) => {
    await using empty = await openFresh("sqlite");
    await empty.database.close();
    const start = { data: empty.directory, program: [...shell, ...nodes[node]], processes };
    expect(await endAmidRequest(start, ending)).toMatchObject({ answers });
    // The write-ahead log is put into the file by the last process that closes the database.
    while ((await readdir(empty.directory)).includes("crm.db-wal")) await sleep(20);
  },
);

const processCounts = [
  ["one process", []],
  ["two processes", ["--processes", "2"]],
] as const;

test.concurrent.each(sampleOf("second signals", 1, processCounts))(
  "%s: a second signal ends it at once",
  { timeout: 120_000 },
  async (_what, parameters) => {
    for (const second of ["SIGINT", "SIGTERM"] as const) {
      await using empty = await openFresh("sqlite");
      const environment = { CRM_DATA_DIR: empty.directory, CRM_PORT: "0" };
      await using serve = startCrm(["serve", ...parameters], { environment, timeoutSeconds: 60 });
      const [, url = ""] = await serve.match(/crm listening on (\S+)/);
      await serve.match(/"started"/);
      // A stop waits up to five seconds for the rest of what is half there.
      const half = await openHalfRequest(url, empty.directory);
      const begun = performance.now();
      serve.signal("SIGTERM");
      await serve.match(/"stopping"/);
      let isOver = false;
      void serve.finished.finally(() => (isOver = true));
      while (!isOver) {
        serve.signal(second);
        await sleep(20);
      }
      expect(await serve.finished).toMatchObject({ signal: second });
      // Another signal is a second request, the same one only after a second.
      const seconds = (performance.now() - begun) / 1000;
      if (second === "SIGTERM") expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThan(5);
      half.socket.destroy();
    }
  },
);
