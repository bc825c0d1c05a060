/** The first start: on an unavailable address it leaves nothing behind, and no request is served before the setup has finished. */
import { mkdir, readdir } from "node:fs/promises";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import BetterSqlite from "better-sqlite3";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { sampleOf } from "../support/chance.ts";
import { request } from "../support/client.ts";
import { databaseKinds, freshDatabase } from "../support/databases.ts";
import type { FreshDatabase } from "../support/databases.ts";
import { freePort } from "../support/free-port.ts";
import { runCrm, startCrm } from "../support/node-process.ts";
import { createPerson, password } from "../support/person.ts";
import { startOnTerminal } from "../support/pseudo-terminal.ts";
import { runInSession } from "../support/terminal-session.ts";

/** Takes the lock that a setup waits for; resolves to the function that releases it. */
async function holdSetup({ url }: FreshDatabase): Promise<() => Promise<void>> {
  if (url.startsWith("sqlite:")) {
    const lock = new BetterSqlite(`${url.slice("sqlite:".length)}.setup.lock`);
    lock.exec("begin exclusive");
    return async () => void lock.close();
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("select pg_advisory_lock(hashtextextended('crm setup', 0))");
  return () => client.end();
}

describe.each(sampleOf("first starts", 1, databaseKinds))(
  "crm serve for the first time, on %s",
  { timeout: 60_000 },
  (kind) => {
    test("at a port that is taken: nothing is made, and the next start tells what it set up", async () => {
      const database = await freshDatabase(kind);
      const dataDir = join(database.directory, "data");
      // What is given is PostgreSQL's; SQLite's own file is to be made.
      const url = kind === "postgres" ? database.url : `sqlite:${join(dataDir, "crm.db")}`;
      const environment = { CRM_DATABASE_URL: url, CRM_DATA_DIR: dataDir };
      const other = createServer();
      try {
        await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
        const { port } = other.address() as AddressInfo;
        const refused = await runCrm(["serve", "--port", String(port)], { environment });
        expect(refused).toMatchObject({ code: 1, stdout: "" });
        expect(refused.stderr).toMatch(/^Error: Port \d+ of 127\.0\.0\.1 is in use by another program[^\n]*\n$/);
        await expect(readdir(dataDir)).rejects.toThrow("ENOENT");

        await using serve = startCrm(["serve", "--port", "0"], { environment });
        await serve.match(/\/docs$/m);
        expect(serve.printed().stdout).toMatch(
          /^crm listening on \S+\nSet up: workspace 1 .*\n.*crm users reset-password owner@example.com\nTry the API:\n/,
        );
      } finally {
        other.close();
        await database.drop();
      }
    });

    test("until it is set up, it lives, is not ready, and asks everybody else to come again", async () => {
      const database = await freshDatabase(kind);
      const url = `http://127.0.0.1:${await freePort()}`;
      const environment = {
        CRM_DATABASE_URL: database.url,
        CRM_DATA_DIR: database.directory,
        CRM_PORT: new URL(url).port,
      };
      const release = await holdSetup(database);
      try {
        await using serve = startCrm(["serve"], { environment });
        const get = (path: string) => request(url, { method: "GET", path });
        while (
          await get("/healthz").then(
            () => false,
            () => true,
          )
        )
          await sleep(20);

        expect(await get("/healthz")).toMatchObject({ status: 200, body: { status: "ok" } });
        const ready = await get("/readyz");
        expect(ready).toMatchObject({ status: 503, body: { status: "not_ready", database: "unknown" } });
        const refused = await request(url, { method: "POST", path: "/api/v1/contacts", body: { location_id: 1 } });
        expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
        expect(refused.body).toEqual({
          error: "unavailable",
          message: "The service is starting. Try again shortly.",
          request_id: refused.headers.get("x-request-id"),
        });
        expect(serve.printed().stdout).toBe("");

        const waiting = request(url, { method: "POST", path: "/api/v1/contacts", body: { location_id: 1 } });
        await release();
        // It has waited for the service, which does not know it.
        expect(await waiting).toMatchObject({ status: 401 });
        await serve.match(/^crm listening on/m);
        expect(await get("/readyz")).toMatchObject({ status: 200, body: { status: "ready" } });
      } finally {
        await release();
        await database.drop();
      }
    });

    test("two processes: every connection that is accepted while they start is answered", async () => {
      const database = await freshDatabase(kind);
      const port = await freePort();
      const environment = {
        CRM_DATABASE_URL: database.url,
        CRM_DATA_DIR: database.directory,
        CRM_PORT: String(port),
        CRM_PROCESSES: "2",
      };
      const release = await holdSetup(database);
      const unanswered = new Set<Socket>();
      let answered = 0;
      const connectOnce = (): void => {
        const socket = connect(port, "127.0.0.1");
        socket.once("connect", () => {
          unanswered.add(socket);
          socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
        });
        socket.once("data", () => (answered += 1));
        socket.once("data", () => socket.destroy());
        socket.once("close", () => unanswered.delete(socket));
        socket.on("error", () => {});
      };
      const connecting = setInterval(connectOnce, 1);
      try {
        await using serve = startCrm(["serve"], { environment });
        await expect.poll(() => answered, { timeout: 30_000 }).toBeGreaterThan(200);
        clearInterval(connecting);
        await expect.poll(() => unanswered.size).toBe(0);
        expect(serve.printed().stdout).toBe("");
      } finally {
        clearInterval(connecting);
        for (const socket of unanswered) socket.destroy();
        await release();
        await database.drop();
      }
    });

    const signals = [
      ["one process", "SIGTERM", { code: null, signal: "SIGTERM" }],
      ["one process", "SIGINT", { code: null, signal: "SIGINT" }],
      ["two processes", "SIGTERM", { code: 143 }],
      ["two processes", "SIGINT", { code: 130 }],
    ] as const;
    test.each(sampleOf("signals during first starts", 1, signals))(
      "%s: %s ends it at once while it starts",
      async (processes, signal, ended) => {
        const database = await freshDatabase(kind);
        const port = String(await freePort());
        const environment = {
          CRM_DATABASE_URL: database.url,
          CRM_DATA_DIR: database.directory,
          CRM_PORT: port,
          CRM_PROCESSES: processes === "one process" ? "1" : "2",
        };
        const release = await holdSetup(database);
        try {
          await using serve = startCrm(["serve"], { environment });
          const answers = () =>
            fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(1000) }).then(
              ({ status }) => status,
            );
          await expect.poll(() => answers().catch(() => 0)).toBe(200);
          serve.signal(signal);
          expect(await serve.finished).toMatchObject({ ...ended, stdout: "" });
          await expect(answers()).rejects.toThrow("fetch failed");
        } finally {
          await release();
          await database.drop();
        }
      },
    );

    test("on a terminal it prints a link by which a person gets in; a pipe and a second start print the command for one", async () => {
      const database = await freshDatabase(kind);
      const environment = { CRM_DATABASE_URL: database.url, CRM_DATA_DIR: database.directory, CRM_PORT: "0" };
      const { directory } = database;
      const linkIn = (text: string) => text.match(/http:\/\/\S+\/setup\/crm_setup_\w{36}/g) ?? [];
      const signInStep = /^To sign in .*: crm users reset-password owner@example.com\r?$/m;
      try {
        const first = startOnTerminal({ directory, environment }, ["serve"], { columns: 120 });
        await using _ = first.process;
        await first.process.match(/"?started/);
        const { stdout } = first.process.printed();
        const [link = "", ...more] = linkIn(stdout);
        expect(more).toEqual([]);
        expect(stdout).not.toMatch(signInStep);

        const person = createPerson(new URL(link).origin);
        const place = { location: "Main Street", timezone: "Europe/London", country: "GB" };
        const names = { name: "Ada", password, workspace: "Engines", ...place };
        const page = await person.get(new URL(link).pathname);
        first.interrupt();
        await first.process.finished;

        // Started again, it mints no second one; the command does, and the first is no longer valid.
        await using second = startCrm(["serve"], { environment });
        await second.match(signInStep);
        await second.match(/"started"/);
        const [url = ""] = /http:\S+/.exec(second.printed().stdout)!;
        const command = ["users", "reset-password", "owner@example.com"];
        const printed = await runInSession(command, { environment: { ...environment, CRM_BASE_URL: url } });
        const [other = ""] = linkIn(printed.stdout);
        const elsewhere = createPerson(url);
        expect(page.status).toBe(200);
        expect((await elsewhere.get(new URL(link).pathname)).status).toBe(404);
        expect((await elsewhere.get("/")).text).toContain("This service is not set up yet");
        const form = await elsewhere.get(new URL(other).pathname);
        const done = await elsewhere.submit(form, { ...names, email: "ada@acme.example" });
        expect([done.status, (await elsewhere.get("/")).text]).toEqual([303, expect.stringContaining("Engines")]);
        expect((await createPerson(url).get("/")).text).not.toContain("not set up yet");
        expect(linkIn(second.printed().stdout + second.printed().stderr)).toEqual([]);
        second.signal("SIGTERM");
        await second.finished;

        await using third = startCrm(["serve"], { environment });
        await third.match(/"started"/);
        expect(third.printed().stdout).toMatch(/^crm listening on \S+\n$/);
      } finally {
        await database.drop();
      }
    });

    test("on two terminals at once: both serve, one of them sets up and prints a link, which works", async () => {
      const database = await freshDatabase(kind);
      const environment = { CRM_DATABASE_URL: database.url, CRM_DATA_DIR: database.directory, CRM_PORT: "0" };
      const folders = ["one", "two"].map((name) => join(database.directory, name));
      try {
        for (const folder of folders) await mkdir(folder);
        const starts = folders.map((directory) =>
          startOnTerminal({ directory, environment }, ["serve"], { columns: 120 }),
        );
        await using ends = new AsyncDisposableStack();
        for (const { process } of starts) ends.use(process);
        for (const { process } of starts) await process.match(/started/);
        const printed = starts.map(({ process }) => process.printed().stdout);
        expect(printed.map((text) => /^Set up: /m.test(text)).toSorted()).toEqual([false, true]);
        const listed = await runInSession(["workspaces", "list", "--json"], { environment });
        expect(JSON.parse(listed.stdout)).toHaveLength(1);
        const keys = (await readdir(database.directory)).filter((name) => name.startsWith("api-key"));
        expect(keys).toEqual(["api-key"]);
        const links = printed.join("\n").match(/http:\/\/\S+\/setup\/crm_setup_\w{36}/g) ?? [];
        expect(links).toHaveLength(1);
        expect((await fetch(links[0]!)).status).toBe(200);
        for (const { process, interrupt } of starts) {
          interrupt();
          await process.finished;
        }
      } finally {
        await database.drop();
      }
    });
  },
);
