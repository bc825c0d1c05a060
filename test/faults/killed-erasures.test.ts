/**
 * kill -9 at each commit of an erasure: it did not begin or continues where it was. In the end nothing of the person is in the tables, the files and
 * the logs of any process, and the receipt counts each record once.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { erasureSteps } from "../../src/crm/erasure/erasure.steps.ts";
import { entities } from "../../src/entities.ts";
import { readLines } from "../../src/storage/dump/table-lines.ts";
import { readTables } from "../../src/storage/dump/tables.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { request } from "../support/client.ts";
import type { HttpAnswer } from "../support/client.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import type { RunningProcess } from "../support/node-process.ts";
import { startReceiver, toLoopback } from "../support/receiver.ts";
import { copyRows } from "../support/copy-rows.ts";
import { startKilled } from "./start-killed.ts";
import { inTransaction } from "./change-rows.ts";
import { openSystem } from "./tested-system.ts";
import type { TestedSystem } from "./tested-system.ts";

/** In each of the person's texts. */
const word = "Zyxqoph";
const phone = "+12125559876";
const traces = /zyxqoph|555-?9876/i;

/** Two pieces. */
const notes = 700;

const step = "commit of contact_erasures";

function api(system: TestedSystem, url: string) {
  return (method: string, path: string, body?: object | string): Promise<HttpAnswer> => {
    const isText = typeof body === "string";
    return request(url, {
      method,
      path: `/api/v1${path}`,
      key: system.key,
      headers: {
        "idempotency-key": `${method} ${path.split("?")[0]}`,
        ...(isText && { "content-type": "text/plain" }),
      },
      body: isText || body === undefined ? body : { location_id: system.location, ...body },
    });
  };
}

type Send = ReturnType<typeof api>;

/** A contact with records of every kind, messages that were sent and received, deliveries that failed, and requests that were refused. */
async function givenPerson(
  system: TestedSystem,
  send: Send,
  channel: { id: number; inbound_url: string },
  url: string,
) {
  const made = async (...asked: Parameters<Send>): Promise<HttpAnswer["body"]> => {
    const { status, body } = await send(...asked);
    expect([asked[1], status, body]).toEqual([asked[1], 201, expect.anything()]);
    return body;
  };
  const contact = await made("POST", "/contacts", {
    first_name: word,
    last_name: word,
    email: `${word}@example.com`,
    phone,
    city: word,
    external_ref: word,
  });
  const of = { contact_id: contact.id as number };
  await made("POST", `/contacts/${contact.id}/notes`, { body: `${word} is kind` });
  await made("POST", "/tasks", { ...of, title: `Call ${word}` });
  await made("POST", "/events", { ...of, event: "form.submitted", data: { form: word } });
  const query = `location_id=${system.location}`;
  const file = await made("POST", `/attachments?${query}&name=${word}.txt`, `File of ${word}`);
  const started = await made("POST", "/conversations", { ...of, channel_id: channel.id, body: `Dear ${word}` });
  await made("POST", `/conversations/${started.conversation.id}/messages`, { body: word, attachment_ids: [file.id] });
  const inbound = await request(url, {
    method: "POST",
    path: new URL(channel.inbound_url).pathname,
    body: { from: phone, body: `Reply of ${word}`, external_id: word },
  });
  expect(inbound.status).toBe(201);
  const taken = { first_name: word, last_name: word, email: "other@example.com", external_ref: word };
  expect(await send("POST", "/contacts", taken)).toMatchObject({ status: 422 });
  expect(await send("GET", `/contacts?${query}&search=${word}`)).toMatchObject({ status: 200 });
  expect(await send("GET", `/contacts/${word}?${query}`)).toMatchObject({ status: 404 });
  return of.contact_id;
}

async function tracesInTables({ place }: TestedSystem): Promise<string[]> {
  const database = await openDatabase(place.url, entities);
  try {
    const found: string[] = [];
    for (const table of await readTables(database))
      for await (const { bytes } of readLines(database, table))
        for (const line of new TextDecoder().decode(bytes).split("\n"))
          if (traces.test(line)) found.push(`${table.name} ${line}`);
    return found;
  } finally {
    await database.close();
  }
}

/** The database with its log, and the stored files. */
async function tracesInFiles({ place }: TestedSystem): Promise<string[]> {
  const entries = await readdir(place.directory, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const { parentPath, name } of entries.filter((entry) => entry.isFile())) {
    const path = join(parentPath, name);
    if (traces.test(path) || traces.test((await readFile(path)).toString("latin1"))) found.push(path);
  }
  return found;
}

const tracesInLogs = (processes: readonly RunningProcess[]): string[] =>
  processes
    .flatMap((process) => Object.values(process.printed()))
    .flatMap((text) => text.split("\n"))
    .filter((line) => traces.test(line));

test.each(sampleOf("Faults: killed erasures", 1, databaseKinds))(
  "an erasure on %s that is killed at each of its commits ends, and leaves nothing in tables, files and logs",
  async (kind) => {
    // Quotes what it was sent, as many receivers do, and takes nothing.
    await using receiver = await startReceiver((arrival) => (response) => {
      response.statusCode = 500;
      response.end(`cannot take ${arrival.body}`);
    });
    // An erasure waits for a delivery that a killed worker has claimed, so none is attempted twice.
    await using system = await openSystem(kind, {
      ...toLoopback,
      CRM_LOG_LEVEL: "debug",
      CRM_WEBHOOK_RETRY_DELAYS: "86400,1,1,1",
    });
    const processes: RunningProcess[] = [];
    const hook = await system.run("hooks", "create", "contact.created", "--url", receiver.url, "--json");
    expect([hook.code, hook.stderr]).toEqual([0, ""]);
    const transport = ["--transport", "http", "--transport-url", receiver.url];
    const desk = ["--kind", "sms", "--address", "(212) 555-0100", ...transport];
    const opened = await system.run("channels", "create", "Desk", ...desk, "--json");
    const serving = await system.serve("--no-worker");
    processes.push(serving.process);
    const channel = JSON.parse(opened.stdout) as { id: number; inbound_url: string };
    const contact = await givenPerson(system, api(system, serving.url), channel, serving.url);
    await serving.terminate();
    await inTransaction(system, ({ rowsOnce }) =>
      copyRows(rowsOnce, "notes", "id = (select max(id) from notes)", {}, notes - 1),
    );
    async function worker(point?: string): Promise<boolean> {
      const started =
        point === undefined ? system.start("worker", "--once") : startKilled(system, point, "worker", "--once");
      processes.push(started);
      const { code, signal } = await started.finished;
      expect([code, signal]).toEqual(signal === null ? [0, null] : [null, "SIGKILL"]);
      return signal === null;
    }
    await worker();
    expect(await tracesInTables(system)).not.toEqual([]);
    expect(await tracesInFiles(system)).not.toEqual([]);

    const forget = (url: string) =>
      api(system, url)("DELETE", `/contacts/${contact}?forget=true&location_id=${system.location}`);
    const begun = [];
    for (const moment of ["before", "after"]) {
      await using killed = startKilled(system, `${moment} 1 ${step}`, "serve", "--port", "0", "--no-worker");
      processes.push(killed);
      const [, url] = await killed.match(/crm listening on (\S+)/);
      await expect(forget(url!)).rejects.toThrow("fetch failed");
      expect((await killed.finished).signal).toBe("SIGKILL");
      const rows = await system.rows<{ first_name: string; deleted_at: unknown; step: string | null }>(
        `select first_name, deleted_at, step from contacts left join contact_erasures on contact_id = contacts.id where contacts.id = ${contact}`,
      );
      begun.push([rows[0]!.first_name, rows[0]!.deleted_at !== null, rows[0]!.step]);
    }
    expect(begun).toEqual([
      [word, false, null],
      ["", true, "answers"],
    ]);

    // Each worker commits one piece, and is killed when it has done another that is not committed.
    const places: string[] = [];
    const steps: string[] = [];
    for (let isDone = false; !isDone;) {
      expect(places.length).toBeLessThan(40);
      isDone = await worker(`before 2 ${step}`);
      const [row] = await system.rows<{ step: string; place: number; reached: number; finished_at: unknown }>(
        "select step, place, reached, finished_at from contact_erasures",
      );
      places.push(JSON.stringify({ ...row, finished_at: row!.finished_at !== null }));
      steps.push(row!.step);
    }
    expect(new Set(places).size).toBe(places.length);
    expect(new Set(steps)).toEqual(new Set([...erasureSteps.slice(1).map(({ name }) => name), "purge"]));

    expect(await tracesInTables(system)).toEqual([]);
    expect(await tracesInFiles(system)).toEqual([]);
    const again = await system.serve("--no-worker");
    processes.push(again.process);
    expect(await forget(again.url)).toMatchObject({
      status: 200,
      body: { status: "done", removed: { contacts: 1, notes, tasks: 1, conversations: 1, files: 1 } },
    });
    await again.terminate();
    expect(tracesInLogs(processes)).toEqual([]);
  },
);
