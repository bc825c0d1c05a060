/** `crm serve --processes`: several real processes on one port, replaced one by one, stopped together. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { KeepAliveConnection, Refused } from "../faults/keep-alive-connection.ts";
import { sampleOf } from "../support/chance.ts";
import { request } from "../support/client.ts";
import { databaseKinds, openFresh } from "../support/databases.ts";
import { freePort } from "../support/free-port.ts";
import { startCrm } from "../support/node-process.ts";
import type { RunningProcess } from "../support/node-process.ts";
import { createPerson, password } from "../support/person.ts";
import { openRaw } from "../support/socket.ts";

type LogLine = Readonly<Record<string, unknown>>;

const timeoutSeconds = 90;
/** Each starts several processes. */
const patience = { timeout: 60_000 };

function linesOf(running: RunningProcess): LogLine[] {
  return running
    .printed()
    .stderr.split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as LogLine);
}

const told = (running: RunningProcess, message: string): LogLine[] =>
  linesOf(running).filter((line) => line["message"] === message);

/** The ids of the processes that this one started, in the order of their starts. */
function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return text.split(" ").filter(Boolean).map(Number);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Whether it runs, or else has ended, though its parent may not know of it. */
function isRunning(pid: number): boolean {
  return isAlive(pid) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
}

async function startTwo(environment: Record<string, string>, parameters: readonly string[] = []) {
  const serve = startCrm(["serve", "--processes", "2", "--port", "0", ...parameters], { environment, timeoutSeconds });
  const [, url = ""] = await serve.match(/crm listening on (\S+)/);
  await expect.poll(() => told(serve, "started").length, { timeout: 20_000 }).toBe(2);
  return { serve, url };
}

/**
 * Sends requests over `connections` connections, every other of them new each time, until the port refuses connections; resolves to all results
 * other than 200. A connection that is accepted and never answered is closed at the latest when the processes end.
 */
async function askUntilNobodyListens(url: string, connections: number): Promise<unknown[]> {
  const wrong: unknown[] = [];
  const ask = async (number: number): Promise<void> => {
    const line = new KeepAliveConnection(url);
    const headers = { connection: number % 2 === 0 ? "close" : "keep-alive" };
    try {
      for (;;) {
        const answer = await line.ask({ method: "GET", path: "/readyz", headers });
        if (answer.status !== 200) wrong.push(answer);
      }
    } catch (error) {
      if (!(error instanceof Refused)) wrong.push(error);
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, number) => ask(number)));
  return wrong;
}

describe.each(sampleOf("two processes", 1, databaseKinds))("two processes on %s", { timeout: 120_000 }, (kind) => {
  test("start once, share a port, are replaced when they end or are told to be, and stop together", async () => {
    await using empty = await openFresh(kind, { migrated: false });
    const { serve, url } = await startTwo({ CRM_DATABASE_URL: empty.url, CRM_DATA_DIR: empty.directory });
    await using _ = serve;
    // Of the first start it is told once, and of two processes one has the worker.
    expect(serve.printed().stdout.match(/crm listening|Set up/g)).toEqual(["crm listening", "Set up"]);
    expect(told(serve, "started").map((line) => [line["process"], line["worker"], line["url"]])).toEqual([
      [1, true, url],
      [2, false, url],
    ]);

    const before = childrenOf(serve.pid);
    expect(before.length).toBe(2);
    process.kill(before[0]!, "SIGKILL");
    await expect.poll(() => told(serve, "started").length, { timeout: 20_000 }).toBe(3);
    expect(told(serve, "a process exited and is replaced")).toMatchObject([{ process: 1, signal: "SIGKILL" }]);
    expect(told(serve, "started").at(-1)).toMatchObject({ process: 1, worker: true });

    const crashed = childrenOf(serve.pid);
    const wrong = askUntilNobodyListens(url, 48);
    serve.signal("SIGHUP");
    await serve.match(/"reloaded"/);
    expect(childrenOf(serve.pid).filter((pid) => crashed.includes(pid))).toEqual([]);

    serve.signal("SIGTERM");
    expect(await serve.finished).toMatchObject({ code: 0 });
    expect(await wrong).toEqual([]);
    expect(told(serve, "stopping").length).toBeGreaterThanOrEqual(2);
    expect(linesOf(serve).filter(({ level }) => level === "error").length).toBe(1);
  });

  test("count the requests of a key together, and the attempts to sign in", async () => {
    await using empty = await openFresh(kind, { migrated: false });
    const environment = {
      CRM_DATABASE_URL: empty.url,
      CRM_DATA_DIR: empty.directory,
      CRM_RATE_LIMIT: "40/1h",
      CRM_LOG_REQUESTS: "on",
    };
    const { serve, url } = await startTwo(environment);
    await using _ = serve;
    const key = readFileSync(join(empty.directory, "api-key"), "utf8").trim();
    const statuses: number[] = [];
    for (let asked = 0; asked < 60; asked++) {
      // Over connections of their own, which go to the processes in turns.
      const headers = { connection: "close" };
      statuses.push((await request(url, { method: "GET", path: "/api/v1/tags", key, headers })).status);
    }
    expect(statuses.filter((status) => status === 200).length).toBe(40);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    await expect.poll(() => new Set(told(serve, "answered").map((line) => line["process"])).size).toBe(2);

    const person = createPerson(url);
    const page = await person.get("/sign-in");
    const attempts: number[] = [];
    for (let tried = 0; tried < 15; tried++) {
      const wrong = { email: "nobody@example.com", password: "wrong" };
      attempts.push((await person.submit(page, wrong, { connection: "close" })).status);
    }
    expect(attempts).toEqual([...Array<number>(10).fill(422), ...Array<number>(5).fill(429)]);

    // Whichever process a success comes to, the failures before it are forgiven in all of them.
    const ada = { email: "ada@example.com", password };
    const invite = ["users", "invite", ada.email, "--role", "owner", "--password-stdin"];
    expect(await startCrm(invite, { environment, input: password }).finished).toMatchObject({ code: 0 });
    const close = { connection: "close" };
    for (let round = 0; round < 3; round++) {
      const stranger = createPerson(url);
      const form = await stranger.get("/sign-in");
      for (let tried = 0; tried < 9; tried++) {
        expect((await stranger.submit(form, { ...ada, password: "x".repeat(999) }, close)).status).toBe(422);
      }
      expect((await stranger.submit(form, ada, close)).status).toBe(303);
    }
  });
});

const cases: Readonly<Record<string, () => Promise<void>>> = {
  async "a start that cannot be is told once, with its exit code"() {
    await using empty = await openFresh("sqlite", { migrated: false });
    const port = String(await freePort());
    const environment = { CRM_DATABASE_URL: empty.url, CRM_DATA_DIR: empty.directory };
    await using other = startCrm(["serve", "--port", port], { environment });
    await other.match(/crm listening/);
    const refused = await startCrm(["serve", "--processes", "2", "--port", port], { environment }).finished;
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr.match(/^Error: /gm)).toEqual(["Error: "]);
    expect(refused.stderr).toContain(`Port ${port} of 127.0.0.1 is in use`);
  },

  async "when the one that started them is killed, none of them is left"() {
    await using empty = await openFresh("sqlite", { migrated: false });
    const { serve } = await startTwo({ CRM_DATABASE_URL: empty.url, CRM_DATA_DIR: empty.directory });
    const children = childrenOf(serve.pid);
    serve.signal("SIGKILL");
    await serve.finished;
    await expect.poll(() => children.filter(isAlive), { timeout: 10_000 }).toEqual([]);
  },

  async "where the one that started them stalls, they leave without its answers, and it ends well"() {
    await using empty = await openFresh("sqlite", { migrated: false });
    const { serve } = await startTwo({ CRM_DATABASE_URL: empty.url, CRM_DATA_DIR: empty.directory });
    await using _ = serve;
    const children = childrenOf(serve.pid);
    serve.signal("SIGTERM");
    // Its own line, and those of its processes, which ask it for answers from then on.
    await expect.poll(() => told(serve, "stopping").length, { timeout: 20_000, interval: 1 }).toBe(3);
    serve.signal("SIGSTOP");
    await expect.poll(() => children.filter(isRunning), { timeout: 20_000 }).toEqual([]);
    serve.signal("SIGCONT");
    expect(await serve.finished).toMatchObject({ code: 0, signal: null });
    expect(linesOf(serve).filter(({ level }) => level !== "info")).toEqual([]);
  },

  async "a successor that cannot start changes nothing, and a second signal ends all at once"() {
    await using empty = await openFresh("sqlite", { migrated: false });
    const { serve, url } = await startTwo({ CRM_DATABASE_URL: empty.url, CRM_DATA_DIR: empty.directory });
    await using _ = serve;
    const before = childrenOf(serve.pid);
    const file = join(empty.directory, "secret.key");
    const key = readFileSync(file);
    writeFileSync(file, `${"0".repeat(64)}\n`);
    serve.signal("SIGHUP");
    await serve.match(/a process cannot be replaced; the others keep running/);
    writeFileSync(file, key);
    expect(childrenOf(serve.pid)).toEqual(before);
    const line = new KeepAliveConnection(url);
    expect(await line.ask({ method: "GET", path: "/readyz" })).toMatchObject({ status: 200 });

    serve.signal("SIGHUP");
    await serve.match(/"reloaded"/);
    const after = childrenOf(serve.pid);
    // Half a request, which would be waited for.
    const half = await openRaw(url);
    half.write("GET /readyz HTTP/1.1\r\n");
    await line.ask({ method: "GET", path: "/readyz" });
    serve.signal("SIGTERM");
    await serve.match(/"stopping"[^\n]*"processes":2/);
    serve.signal("SIGINT");
    expect(await serve.finished).toMatchObject({ signal: "SIGINT" });
    await expect.poll(() => after.filter(isAlive), { timeout: 10_000 }).toEqual([]);
    half.socket.destroy();
  },

  async "one that ends again and again is replaced after growing pauses"() {
    await using empty = await openFresh("sqlite", { migrated: false });
    const { serve } = await startTwo({ CRM_DATABASE_URL: empty.url, CRM_DATA_DIR: empty.directory });
    await using _ = serve;
    const [kept] = childrenOf(serve.pid);
    const pauses = () => told(serve, "a process exited and is replaced").map((line) => line["in_ms"]);
    for (let times = 1; times <= 3; times++) {
      await expect.poll(() => childrenOf(serve.pid).length, { timeout: 10_000 }).toBe(2);
      process.kill(
        childrenOf(serve.pid).find((pid) => pid !== kept)!,
        "SIGKILL",
      );
      await expect.poll(() => pauses().length, { timeout: 10_000 }).toBe(times);
      await sleep(10);
    }
    expect(pauses()).toEqual([100, 200, 400]);
  },
};

test.each(sampleOf("several processes", 1, Object.entries(cases)))("%s", patience, (_name, run) => run());
