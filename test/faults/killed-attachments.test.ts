/** kill -9 while a file is stored: nothing confirmed is lost, nothing incomplete is listed, and the tidy removes what no message has. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { filePart, mailOf, multipart, parts, plainPart } from "../support/mails/build-mail.ts";
import { changeRows } from "./change-rows.ts";
import { startKilled } from "./start-killed.ts";
import { openSystem } from "./tested-system.ts";
import type { TestedSystem } from "./tested-system.ts";
import { until } from "./until.ts";

/** Three pieces. */
const content = Buffer.alloc(2_500_000, "0123456789abcdef!");
const sha256 = createHash("sha256").update(content).digest("hex");

const points = [
  "before 1 piece",
  "before 3 piece",
  "before 1 commit after a piece",
  "after 1 commit after a piece",
] as const;

const mailNumbered = (number: number): Buffer =>
  mailOf(
    { ...multipart("mixed", "m"), "Message-ID": `<${number}@x.example>` },
    ...parts(
      "m",
      plainPart(`Mail ${number}`),
      filePart('filename="list.txt"', "text/plain", content.toString("latin1")),
    ),
  );

/** The response; undefined if the service was killed before. */
async function post(url: string, type: string, body: Buffer, key?: string) {
  try {
    const headers = { "content-type": type, ...(key !== undefined && { authorization: `Bearer ${key}` }) };
    const response = await fetch(url, { method: "POST", headers, body: new Uint8Array(body) });
    // oxlint-disable-next-line typescript/no-explicit-any -- the parsed body, looked into freely
    return { status: response.status, body: (await response.json()) as any };
  } catch {
    return undefined;
  }
}

interface Stored {
  readonly id: number;
  readonly blob_key: string;
  readonly message_id: number | null;
  readonly sha256: string;
}

const blobsOf = (system: TestedSystem): string => join(system.place.directory, "blobs");
const storedKeys = (system: TestedSystem): string[] =>
  existsSync(blobsOf(system)) ? readdirSync(blobsOf(system), { recursive: true }).map(String) : [];
/** The hash of the pieces of a file, as they lie in the folder. */
const hashOf = (system: TestedSystem, key: string): string => {
  const hash = createHash("sha256");
  const folder = join(blobsOf(system), key);
  for (const number of readdirSync(folder).toSorted((one, another) => Number(one) - Number(another)))
    hash.update(readFileSync(join(folder, number)));
  return hash.digest("hex");
};

/** Every file that is listed is complete, and every message has as many as it counts. */
async function expectComplete(system: TestedSystem): Promise<Stored[]> {
  const stored = await system.rows<Stored>(
    "select id, blob_key, message_id, sha256 from attachments where is_stored = true",
  );
  for (const { blob_key, sha256: kept } of stored) expect([kept, hashOf(system, blob_key)]).toEqual([sha256, sha256]);
  const torn = await system.rows(`select id from messages where attachment_count <>
    (select count(*) from attachments where message_id = messages.id and is_stored = true)`);
  expect(torn, "messages without all of their files").toEqual([]);
  expect(await system.rows("select id from attachments where message_id is not null and is_stored = false")).toEqual(
    [],
  );
  return stored;
}

describe.each(sampleOf("Faults: killed attachments", 1, databaseKinds))(
  "kill -9 while a file is stored on %s",
  (kind) => {
    test("between piece, row and commit, of uploads and of mails", async () => {
      await using system = await openSystem(kind);
      const made = await system.run(
        "channels",
        "create",
        "Desk",
        "--kind",
        "email",
        "--address",
        "desk@acme.example",
        "--json",
      );
      const inbound = new URL(JSON.parse(made.stdout).inbound_url).pathname;
      const upload = `/api/v1/attachments?location_id=${system.location}&name=list.txt`;

      const both = points.flatMap((point, place) =>
        (["upload", "mail"] as const).map((what) => ({ point, place, what })),
      );
      const kills = sampleOf("Faults: kills while a file is stored", 4, both);
      // Only its last commit makes a file visible.
      const visible = kills.filter(({ point }) => point.startsWith("after"));
      for (const kill of kills) {
        const { point, place, what } = kill;
        await using killed = startKilled(system, point, "serve", "--port", "0", "--no-worker");
        const [, url] = await killed.match(/crm listening on (\S+)/);
        const cut = await (what === "upload"
          ? post(`${url}${upload}`, "text/plain", content, system.key)
          : post(`${url}${inbound}`, "message/rfc822", mailNumbered(place)));
        expect(cut, `${what} ${point}`).toBeUndefined();
        expect((await killed.finished).signal, `${what} ${point}`).toBe("SIGKILL");
        const stored = await expectComplete(system);
        expect(stored.length, `${what} ${point}`).toBe(visible.indexOf(kill) + 1);
      }

      const serving = await system.serve("--no-worker");
      for (const place of points.keys()) {
        const again = await post(`${serving.url}${inbound}`, "message/rfc822", mailNumbered(place));
        // A mail that was committed before the kill is known.
        const isKnown = visible.some((kill) => kill.what === "mail" && kill.place === place);
        expect(again!.status).toBe(isKnown ? 200 : 201);
      }
      const uploaded = await post(`${serving.url}${upload}`, "text/plain", content, system.key);
      expect(uploaded!.status).toBe(201);
      const bodies = await system.rows<{ body: string }>("select body from messages order by id");
      expect(bodies.map(({ body }) => body).toSorted()).toEqual(points.map((_point, place) => `Mail ${place}`));
      await expectComplete(system);
      await serving.terminate();

      // The tidy removes, with their pieces, all that no message has, but what was uploaded in the last day.
      await changeRows(system, "update attachments set created_at = ? where message_id is null and id <> ?", [
        new Date(Date.now() - 2 * 24 * 60 * 60 * 1000),
        uploaded!.body.id,
      ]);
      const worker = system.start("worker");
      await until("the tidy is done", async () => {
        const [left] = await system.rows<{ count: number }>(
          "select count(*) as count from attachments where message_id is null",
        );
        return Number(left!.count) === 1;
      });
      worker.signal("SIGTERM");
      await worker.finished;
      const left = await expectComplete(system);
      expect(left).toHaveLength(points.length + 1);
      const folders = new Set(
        storedKeys(system)
          .filter((name) => /[/\\]\d+$/.test(name))
          .map((name) => name.split(/[/\\]/)[0]),
      );
      expect(folders).toEqual(new Set(left.map(({ blob_key }) => blob_key)));
      const last = await system.serve("--no-worker");
      for (const { id } of left) {
        const { url } = await get(last.url, `/attachments/${id}?location_id=${system.location}`, system.key);
        const file = await fetch(`${last.url}${new URL(url).pathname}${new URL(url).search}`);
        expect(
          createHash("sha256")
            .update(await file.bytes())
            .digest("hex"),
        ).toBe(sha256);
      }
      await last.terminate();
    });

    test("a row whose pieces were lost answers 410", async () => {
      await using system = await openSystem(kind);
      const serving = await system.serve("--no-worker");
      const path = `/attachments?location_id=${system.location}&name=list.txt`;
      const uploaded = await post(`${serving.url}/api/v1${path}`, "text/plain", content, system.key);
      rmSync(blobsOf(system), { recursive: true });
      expect((await fetch(uploaded!.body.url)).status).toBe(410);
      await serving.terminate();
    });
  },
);

async function get(url: string, path: string, key: string): Promise<{ readonly url: string }> {
  const response = await fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
  expect(response.status).toBe(200);
  return (await response.json()) as { url: string };
}
