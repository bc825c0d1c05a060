/** What a service says of itself: its start, its migrations, its stop, with CRM_LOG_REQUESTS its answers, and never a secret. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { readMigrationNames, migrationFolder } from "../../src/storage/migrations/migration-files.ts";
import { sampleOf } from "../support/chance.ts";
import { request } from "../support/client.ts";
import { createTerminal } from "../support/terminal.ts";
import { databaseKinds, openFresh } from "../support/databases.ts";
import { runCrm, startCrm } from "../support/node-process.ts";
import type { RunningProcess } from "../support/node-process.ts";
import { startOnTerminal } from "../support/pseudo-terminal.ts";

type Line = Record<string, unknown>;

/** The log so far; fails on a line that is no JSON. */
function linesOf(running: RunningProcess): Line[] {
  const { stderr } = running.printed();
  return stderr
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
}

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe.each(sampleOf("logs of first starts", 1, databaseKinds))("on %s", (kind) => {
  test("serve tells the schema that it creates, where it stands and what ended it, and no answer unless that is asked for", async () => {
    await using empty = await openFresh(kind, { migrated: false });
    const { url, directory } = empty;
    const environment = { CRM_DATABASE_URL: url, CRM_DATA_DIR: directory, CRM_PORT: "0" };
    await using serve = startCrm(["serve"], { environment });
    await serve.match(/"started"/);
    // An answer is no line of the log unless that is asked for.
    const [, asked = ""] = await serve.match(/^crm listening on (\S+)$/m);
    expect(await request(asked, { method: "GET", path: "/readyz" })).toMatchObject({ status: 200 });
    serve.signal("SIGINT");
    const { code, stdout } = await serve.finished;
    expect(code).toBe(0);
    const [, listening] = /^crm listening on (\S+)$/m.exec(stdout)!;
    expect(linesOf(serve)).toEqual([
      {
        time,
        level: "info",
        message: "database created",
        schema: readMigrationNames(migrationFolder(kind)).at(-1),
        duration_ms: expect.any(Number),
      },
      {
        time,
        level: "info",
        message: "started",
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        url: listening,
        docs: `${listening}/docs`,
        worker: true,
        // The server of the tests has a password.
        database: url.replace(/:[^:@]+@/, ":***@"),
        data_dir: directory,
      },
      { time, level: "info", message: "stopping", signal: "SIGINT" },
    ]);
  });
});

test("a warning of Node is a line of the log", async () => {
  await using empty = await openFresh("sqlite", { migrated: false });
  const warns = `data:text/javascript,${encodeURIComponent('process.on("SIGUSR2", () => process.emitWarning("sown"))')}`;
  await using serve = startCrm(["serve"], {
    environment: { CRM_DATA_DIR: empty.directory, CRM_PORT: "0", NODE_OPTIONS: `--import=${warns}` },
  });
  await serve.match(/"started"/);
  serve.signal("SIGUSR2");
  await serve.match(/sown/);
  serve.signal("SIGTERM");
  expect((await serve.finished).code).toBe(0);
  const warning = { level: "warn", message: "warning of Node", error: expect.objectContaining({ message: "sown" }) };
  expect(linesOf(serve)).toContainEqual(expect.objectContaining(warning));
});

test("a worker tells where it stands and what ended it", async () => {
  const terminal = await createTerminal("sqlite");
  try {
    await terminal.json("setup", "--workspace", "A", "--location", "B", "--owner-email", "a@example.com");
    await using worker = startCrm(["worker"], { environment: terminal.environment });
    await worker.match(/"started"/);
    worker.signal("SIGTERM");
    expect((await worker.finished).code).toBe(0);
    expect(linesOf(worker)).toMatchObject([
      { message: "started", data_dir: terminal.directory },
      { message: "stopping", signal: "SIGTERM" },
    ]);
  } finally {
    await terminal.close();
  }
});

/** Serves a database that it sets up, answers a few requests, and gives the key and its log. */
async function serveSome() {
  const terminal = await createTerminal("sqlite");
  try {
    await using serve = startCrm(["serve"], {
      environment: { ...terminal.environment, CRM_PORT: "0", CRM_LOG_REQUESTS: "on" },
    });
    const [, url = ""] = await serve.match(/^crm listening on (\S+)$/m);
    await serve.match(/"started"|\/docs$/m);
    const key = readFileSync(join(terminal.directory, "api-key"), "utf8").trim();
    const sent: [string, string, string?][] = [
      ["POST", "/api/v1/contacts", key],
      ["GET", "/api/v1/contacts/1?location_id=1&token=s3cret", key],
      ["PUT", "/api/v1/contacts/1", key],
      ["GET", "/api/v1/contacts?location_id=1", "crm_key_wrong"],
      ["GET", "/readyz"],
      ["GET", "/invitations/s3cret"],
    ];
    const answers = [];
    for (const [method, path, as] of sent) {
      const body = method === "POST" ? { location_id: 1, first_name: "Ada", last_name: "s3cret" } : undefined;
      answers.push(await request(url, { method, path, key: as, body }));
    }
    serve.signal("SIGTERM");
    await serve.finished;
    return { key, answers, lines: linesOf(serve), text: serve.printed().stderr };
  } finally {
    await terminal.close();
  }
}

test("answers are logged when that is asked for: by the row that served them, without a secret", async () => {
  const { key, answers, lines, text } = await serveSome();
  const told = lines.filter(({ message }) => message === "answered");
  const common = { time, level: "info", message: "answered", duration_ms: expect.any(Number) };
  expect(told).toEqual(
    [
      { method: "POST", path: "/api/v1/contacts", status: 201, key_id: 1 },
      { method: "GET", path: "/api/v1/contacts/{id}", status: 200, key_id: 1 },
      { method: "PUT", path: "/api/v1/contacts/{id}", status: 405, key_id: null },
      { method: "GET", path: "/api/v1/contacts", status: 401, key_id: null },
      { method: "GET", path: "/readyz", status: 200, key_id: null },
      { method: "GET", path: "/**", status: 404, key_id: null },
    ].map((line, place) => ({ ...common, ...line, request_id: answers[place]!.headers.get("x-request-id") })),
  );
  for (const secret of [key, key.slice(-36), "s3cret", "crm_key_"]) expect(text).not.toContain(secret);
});

/** The log of a service that is started on a terminal and interrupted there, without the lines on stdout. */
async function watchLog(environment: Record<string, string> = {}): Promise<string[]> {
  const terminal = await createTerminal("sqlite");
  try {
    const options = { columns: 80, environment };
    const { process: serve, interrupt } = startOnTerminal(terminal, ["serve", "--port", "0"], options);
    await serve.match(/started/);
    interrupt();
    const { stdout } = await serve.finished;
    return stdout.split(/\r?\n/).filter((line) => / info {2}/.test(stripVTControlCharacters(line)));
  } finally {
    await terminal.close();
  }
}

test("on a terminal an entry is one line with a time", async () => {
  const stamp = String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z info  `;
  expect(await watchLog({ NO_COLOR: "1" })).toEqual([
    expect.stringMatching(
      new RegExp(
        `${stamp}started version=\\S+ url=http://\\S+ docs=http://\\S+/docs worker=true database=sqlite:/\\S+ data_dir=/\\S+$`,
      ),
    ),
    expect.stringMatching(new RegExp(`${stamp}stopping signal=SIGINT$`)),
  ]);
});

test("with a dim time, a coloured level and a bold message", async () => {
  const [, stopping = ""] = await watchLog();
  const looks = stopping.replace(/\d{4}-\S+Z/, "TIME").replaceAll("\u001B[", "^");
  expect(looks).toBe("^2mTIME^22m ^32minfo ^39m ^1mstopping^22m ^2msignal=^22mSIGINT");
});

test.each([
  ["in a pipe there is none of it", {}, false],
  ["unless it is asked for", { FORCE_COLOR: "1" }, true],
])("%s", async (_what, environment, isColoured) => {
  const terminal = await createTerminal("sqlite");
  try {
    const all = { ...terminal.environment, CRM_PROT: "1", CRM_LOG_FORMAT: "pretty", ...environment };
    const { stderr } = await runCrm(["config", "show"], { environment: all });
    expect(stripVTControlCharacters(stderr)).toMatch(/Z warn {2}CRM_PROT in the environment is not a setting/);
    expect(stderr !== stripVTControlCharacters(stderr)).toBe(isColoured);
  } finally {
    await terminal.close();
  }
});
