/** The event log in the terminal: what is reported, what is listed, and what is followed until Ctrl-C. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { besideStamping } from "../support/events.ts";
import { startCrm } from "../support/node-process.ts";
import { createTerminal, inDatabaseOf, setUpAcme } from "../support/terminal.ts";
import type { Terminal } from "../support/terminal.ts";

describe.each(sampleOf("commands: events", 1, databaseKinds))("on %s", (kind) => {
  let terminal: Terminal;
  let ada: number;
  beforeAll(async () => {
    terminal = await createTerminal(kind);
    await setUpAcme(terminal);
    ada = (await terminal.json("contacts", "create", "--first-name", "Ada", "--last-name", "Lovelace")).id;
  });
  afterAll(() => terminal?.close());

  const work = () => terminal.run(["worker", "--once"]);
  const linesOf = (stdout: string) =>
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));

  test("an event is taken in, from a flag, a file or stdin, and stands on the contact's timeline", async () => {
    const file = join(terminal.directory, "event.json");
    await writeFile(file, '\uFEFF{"form": "From a file"}');
    const emit = ["events", "emit", "form.submitted", "--contact", String(ada), "--data"];
    expect(await terminal.json(...emit, '{"form":"From a flag"}')).toEqual({
      id: expect.any(Number),
      event: "form.submitted",
      created_at: expect.stringMatching(/Z$/),
    });
    await terminal.json(...emit, `@${file}`, "--occurred-at", "2026-03-01T12:00:00+01:00");
    const said = await terminal.run([...emit, "-"], { input: '{"form": "From stdin"}' });
    expect(said).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Recorded form\.submitted as event \d+\.\n$/),
    });
    const { activities } = await terminal.json("contacts", "show", String(ada));
    expect(activities.map(({ data }: { data: { new: unknown }[] }) => data.map((told) => told.new))).toEqual([
      ["From stdin"],
      ["From a file", "2026-03-01T11:00:00.000Z"],
      ["From a flag"],
      [],
    ]);
  });

  test.each([
    ["no JSON", ["--data", "{form: 1}"], 2, /^Error: --data is not valid JSON: /],
    [
      "a file that is not there",
      ["--data", "@nowhere.json"],
      2,
      /^Error: --data names the file "nowhere\.json", which cannot be read/,
    ],
    ["a list", ["--data", "[]"], 1, /^Error: --data must be an object\.\n$/],
    [
      "a contact that is not there",
      ["--contact", "987654"],
      1,
      /^Error: --contact must name a contact of the location\.\n$/,
    ],
    [
      "a time without an offset",
      ["--occurred-at", "2026-03-01"],
      1,
      /^Error: --occurred-at must be a timestamp with an offset/,
    ],
  ])("refuses %s", async (_what, parameters, code, stderr) => {
    const told = await terminal.run(["events", "emit", "page.viewed", ...parameters]);
    expect(told).toMatchObject({ code, stdout: "", stderr: expect.stringMatching(stderr) });
  });

  test("an event of the service itself cannot be emitted, and what there is is named", async () => {
    const told = await terminal.run(["events", "emit", "contact.created"]);
    expect(told).toMatchObject({ code: 2, stderr: expect.stringMatching(/page\.viewed/) });
  });

  test("says where events wait for a worker, then lists the latest in the order of the log", async () => {
    const create = () => terminal.json("contacts", "create", "--first-name", "Grace");
    await inDatabaseOf(terminal, (database) => besideStamping(database, create));
    // On SQLite an event has its position at once.
    const waiting = { sqlite: /^$/, postgres: /^Some events have no position yet: a worker assigns it/ };
    expect((await terminal.run(["events", "list"])).stderr).toMatch(waiting[kind]);
    await work();
    const { stdout, stderr } = await terminal.run(["events", "list", "--limit", "2"]);
    expect([stdout, stderr]).toEqual([
      expect.stringMatching(
        /^ +\d+  \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ  form\.submitted +Ada Lovelace #\d+ \(by Operator\)\n +\d+  \S+  contact\.created +Grace #\d+ \(by Operator\)\n$/,
      ),
      "",
    ]);
    const created = await terminal.run(["events", "list", "--event", "contact.created", "--json"]);
    expect(linesOf(created.stdout).map(({ event, data }) => [event, data.first_name])).toEqual([
      ["contact.created", "Ada"],
      ["contact.created", "Grace"],
    ]);
  });

  test("reads on from a position, as many as are asked for", async () => {
    await work();
    const [first, second] = linesOf(
      (await terminal.run(["events", "list", "--after", "0", "--limit", "2", "--json"])).stdout,
    );
    expect([first.position, second.position]).toEqual([1, 2]);
    const rest = linesOf((await terminal.run(["events", "list", "--after", "2", "--json"])).stdout);
    expect(rest[0].position).toBe(3);
    expect(await terminal.run(["events", "list", "--after", "999999"])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/beyond the end of the log/),
    });
    expect(await terminal.run(["events", "list", "--after", "-1"])).toMatchObject({ code: 2 });
  });

  test("follows what is added without losing one, until Ctrl-C", async () => {
    await using worker = startCrm(["worker"], { environment: terminal.environment });
    await worker.match(/running/);
    const parameters = ["events", "list", "--follow", "--json", "--after", "0", "--event", "page.viewed"];
    await using following = startCrm(parameters, { environment: terminal.environment });
    for (let view = 0; view < 5; view++) {
      await terminal.json("events", "emit", "page.viewed", "--data", JSON.stringify({ view }));
    }
    await following.match(/"view":4.*\n/);
    following.signal("SIGINT");
    const { code, stdout, stderr } = await following.finished;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(linesOf(stdout).map(({ data }) => data.view)).toEqual([0, 1, 2, 3, 4]);
    worker.signal("SIGTERM");
    await worker.finished;
  });
});

test("a sample of every event is shown without a database", async () => {
  const terminal = await createTerminal("sqlite");
  try {
    const all = await terminal.json("hooks", "samples");
    expect(all.length).toBeGreaterThan(25);
    const one = await terminal.json("hooks", "samples", "note.added");
    expect(one).toMatchObject({ id: 1, event: "note.added", data: { body: expect.any(String), contact: { id: 1 } } });
    expect(JSON.parse((await terminal.run(["hooks", "samples", "note.added"])).stdout)).toEqual(one);
    expect((await terminal.run(["hooks", "samples"])).stdout).toMatch(/^event +raised by *\n/);
    expect(await terminal.run(["hooks", "samples", "note.exploded"])).toMatchObject({ code: 2 });
  } finally {
    await terminal.close();
  }
});
