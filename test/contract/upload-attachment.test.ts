/** POST /attachments: the file is the body, its location and name are in the query; and who may take it from there. */
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { contract, row } from "../support/contract.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenChannel, givenContact, givenConversation, made } from "../support/given.ts";
import { openRaw } from "../support/socket.ts";
import { startS3Server } from "../support/s3-server.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const text = { "content-type": "text/plain; charset=utf-8" };
const at = (world: World, name = "prices.txt", location = world.north) =>
  `/attachments?location_id=${location}&name=${encodeURIComponent(name)}`;

const inForm = { "content-type": "multipart/form-data; boundary=x" };
const form = (...parts: readonly string[]) => [...parts.map((each) => `--x\r\n${each}\r\n`), "--x--\r\n"].join("");
const part = (content = "a,b\n") =>
  `Content-Disposition: form-data; name="file"; filename="../Grüße.txt"\r\nContent-Type: text/csv\r\n\r\n${content}`;
const field = 'Content-Disposition: form-data; name="note"\r\n\r\nHello';

contract("uploadAttachment", [
  row({
    name: "is the file with its URL, and raises no event",
    send: (world) => ["POST", at(world), "1 EUR", text],
    expect: { status: 201, body: { name: "prices.txt", content_type: "text/plain", size: 5 } },
  }),
  ...(
    [
      ["../../etc/passwd", "passwd"],
      ["C:\\Users\\ada\\list.pdf", "list.pdf"],
      ["a\r\nX-Evil: 1", "aX-Evil: 1"],
      ["gpj.\u202Eexe", "gpj.exe"],
      ["Grüße 🎉.txt", "Grüße 🎉.txt"],
      ["..", "attachment"],
      ["/", "attachment"],
    ] as const
  ).map(([given, name]) =>
    row({
      name: `has a harmless name: ${JSON.stringify(given)}`,
      send: (world) => ["POST", at(world, given), "x", text],
      expect: { status: 201, body: { name } },
    }),
  ),
  ...(
    [
      ["TEXT/HTML", "text/html"],
      ["nonsense", "application/octet-stream"],
      ["text/html, text/plain", "application/octet-stream"],
      ["application/x-www-form-urlencoded", "application/octet-stream"],
    ] as const
  ).map(([given, content_type]) =>
    row({
      name: `has a media type: ${given}`,
      send: (world) => ["POST", at(world), "x", { "content-type": given }],
      expect: { status: 201, body: { content_type } },
    }),
  ),
  row({
    name: "is refused without content",
    send: (world) => ["POST", at(world), "", text],
    expect: { status: 422, body: { errors: { file: ["The file is empty."] } } },
  }),
  row({
    name: "is refused without a name",
    send: (world) => ["POST", `/attachments?location_id=${world.north}`, "x", text],
    expect: { status: 422, body: { errors: { name: ["The name field is required."] } } },
  }),
  row({
    name: "is refused beyond 15 MiB",
    send: (world) => ["POST", at(world), new Uint8Array(15 * 1_048_576 + 1), text],
    expect: { status: 413, body: { error: "payload_too_large" } },
  }),
  row({
    name: "is refused compressed",
    send: (world) => ["POST", at(world), "x", { ...text, "content-encoding": "gzip" }],
    expect: { status: 415 },
  }),
  ...(
    [
      ["named by its part", "", {}, "Grüße.txt"],
      ["named by the query", "&name=b.txt", {}, "b.txt"],
      ["with a key", "", { "idempotency-key": "a form" }, "Grüße.txt"],
    ] as const
  ).map(([what, query, headers, name]) =>
    row({
      name: `is taken from a form, ${what}`,
      send: (world) => [
        "POST",
        `/attachments?location_id=${world.north}${query}`,
        form(part()),
        { ...inForm, ...headers },
      ],
      expect: { status: 201, body: { name, content_type: "text/csv", size: 4 } },
    }),
  ),
  ...(
    [
      ["two files", form(part(), part())],
      ["a field before it", form(field, part())],
      ["a field after it", form(part(), field)],
      ["a field alone", form(field)],
      ["no part", form()],
      ["a part without a disposition", form("Content-Type: text/csv\r\n\r\na,b\n")],
      ["no end", form(part()).replace("--x--", "")],
      ["an end within its headers", "--x\r\nContent-Disposition: form-data"],
      ["thousands of headers", form("A: b\r\n".repeat(5000) + part())],
      ["other boundaries", form(part()).replaceAll("--x", "--y")],
    ] as const
  ).map(([what, body]) =>
    row({
      name: `is refused in a form with ${what}`,
      send: (world) => ["POST", `/attachments?location_id=${world.north}`, body, inForm],
      expect: { status: 422, body: { errors: { file: ["The form must have one part, a file with a name."] } } },
      async afterwards({ service: { database } }) {
        expect(await database.rows("select id from attachments where is_stored = false", [])).toEqual([]);
      },
    }),
  ),
  row({
    name: "is refused in a form without a boundary",
    send: (world) => ["POST", at(world), form(part()), { "content-type": "multipart/form-data" }],
    expect: { status: 422 },
  }),
  row({
    name: "is refused beyond 15 MiB, in a form",
    send: (world) => ["POST", at(world), form(part("x".repeat(15 * 1_048_576 + 1))), inForm],
    expect: { status: 413, body: { error: "payload_too_large" } },
  }),
  row({
    name: "has 15 MiB in a form",
    send: (world) => ["POST", at(world), form(part("x".repeat(15 * 1_048_576))), inForm],
    expect: { status: 201, body: { size: 15 * 1_048_576 } },
  }),
  row({
    name: "is not stored twice in a form of another boundary, under the same key",
    send: (world) => [
      "POST",
      `/attachments?location_id=${world.north}`,
      form(part()).replaceAll("--x", "--y"),
      { "content-type": "multipart/form-data; boundary=y", "idempotency-key": "a form" },
    ],
    expect: { status: 201, headers: { "idempotency-replayed": /^true$/ } },
  }),
  row({
    name: "is refused as another multipart type, whose boundaries would be stored",
    send: (world) => ["POST", at(world), "--x\r\n", { "content-type": "Multipart/mixed; boundary=x" }],
    expect: {
      status: 415,
      body: { error: "unsupported_media_type", message: expect.stringContaining("--data-binary") },
    },
  }),
  row({
    name: "is refused in a location of another workspace",
    send: (world) => ["POST", at(world, "x", world.foreign), "x", text],
    expect: { status: 404, exactly: { error: "location.not_found" } },
  }),
  row({
    name: "is refused without a location",
    send: ["POST", "/attachments?name=x", "x", text],
    expect: { status: 404, exactly: { error: "location.not_found" } },
  }),
  row({
    name: "is refused with an unknown parameter, if asked to",
    send: (world) => ["POST", `${at(world)}&nmae=x`, "x", { ...text, prefer: "handling=strict" }],
    expect: { status: 422, body: { errors: { nmae: ["There is no parameter nmae. Did you mean name?"] } } },
  }),
  row({
    name: "needs conversations.write",
    as: "readonly",
    send: (world) => ["POST", at(world), "x", text],
    expect: { status: 403, body: { error: "insufficient_scope" } },
  }),
  row({
    name: "needs conversations.write, also for a form that is not read to its end",
    as: "readonly",
    send: (world) => ["POST", at(world), form(part("x".repeat(3_000_000))), inForm],
    expect: { status: 403, body: { error: "insufficient_scope" } },
  }),
  row({
    name: "needs a credential",
    as: "nobody",
    send: (world) => ["POST", at(world), "x", text],
    expect: { status: 401 },
  }),
]);

const patience = { timeout: 30_000, interval: 10 };

describe.each(sampleOf("uploaded attachments", 1, databaseKinds))("an attachment on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  const uploaded = (content: Uint8Array | string = "0123456789", type = "text/plain", location = world.north) =>
    made(world.send("owner", "POST", at(world, "file", location), content, { "content-type": type }));
  const download = async (url: string, headers: Record<string, string> = {}, method = "GET") => {
    const response = await fetch(url, { headers, method });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const conversation = async () => {
    const channel = await givenChannel(world, { kind: "email", address: "desk@acme.example" });
    return (await givenConversation(world, { channel_id: channel.id })).conversation;
  };
  const say = async (attachment_ids: unknown) =>
    world.send("owner", "POST", `/conversations/${(await conversation()).id}/messages`, {
      location_id: world.north,
      body: "Here",
      attachment_ids,
    });

  test.each<[what: string, change: (url: URL) => void]>([
    ["forged", (url) => url.searchParams.set("signature", "A".repeat(43))],
    ["cut off", (url) => url.searchParams.delete("signature")],
    ["stretched", (url) => url.searchParams.set("expires", String(Number(url.searchParams.get("expires")) + 1))],
    [
      "of another attachment",
      (url) => void (url.pathname = url.pathname.replace(/\d+/, (id) => String(Number(id) - 1))),
    ],
    ["of no attachment", (url) => void (url.pathname = "/attachments/999999/x")],
    ["of no id", (url) => void (url.pathname = "/attachments/x/x")],
  ])("is refused by a URL that is %s", async (_what, change) => {
    await uploaded();
    const url = new URL((await uploaded()).url);
    expect((await download(url.href)).text).toBe("0123456789");
    change(url);
    const answer = await download(url.href);
    expect([answer.status, JSON.parse(answer.text).error]).toEqual([404, "attachment_link_invalid"]);
  });

  it("is refused by a URL that has expired, on the full hour after the next, and has a new one", async () => {
    const { id, url } = await uploaded();
    const expires = Number(new URL(url).searchParams.get("expires")) * 1000;
    const left = expires - world.clock.now().getTime();
    expect([expires % 3_600_000, left > 3_600_000 - 1, left <= 7_200_000]).toEqual([0, true, true]);
    world.clock.advance({ milliseconds: left - 1 });
    expect((await download(url)).status).toBe(200);
    world.clock.advance({ milliseconds: 1 });
    expect((await download(url)).status).toBe(404);
    const again = await made(world.send("owner", "GET", `/attachments/${id}?location_id=${world.north}`));
    expect((await download(again.url)).status).toBe(200);
  });

  test.each<[range: string, status: number, text: string, contentRange: string | null]>([
    ["bytes=0-3", 206, "0123", "bytes 0-3/10"],
    ["bytes=8-", 206, "89", "bytes 8-9/10"],
    ["bytes=-2", 206, "89", "bytes 8-9/10"],
    ["bytes=5-99", 206, "56789", "bytes 5-9/10"],
    ["bytes=3-1", 200, "0123456789", null],
    ["bytes=0-1,3-4", 200, "0123456789", null],
    ["lines=1-2", 200, "0123456789", null],
  ])("gives the bytes of the range %s", async (range, status, text, contentRange) => {
    const answer = await download((await uploaded()).url, { range });
    expect([answer.status, answer.text, answer.headers.get("content-range")]).toEqual([status, text, contentRange]);
  });

  it("refuses bytes that it does not have, and sends none that did not change", async () => {
    const { url } = await uploaded();
    const { status, headers } = await download(url, { range: "bytes=10-" });
    expect([status, headers.get("content-range")]).toEqual([416, "bytes */10"]);
    expect((await download(url, { range: "bytes=0-1" }, "HEAD")).status).toBe(200);
    expect((await download(url, { range: "bytes=0-1", "if-match": '"other"' })).status).toBe(412);
    expect((await download(url, { range: "bytes=0-1", "if-range": '"other"' })).text).toBe("0123456789");
  });

  test.each<[what: string, header: (etag: string) => string]>([
    ["has it", (etag) => etag],
    ["has it among others", (etag) => `"other", ${etag}`],
    ["has it from a proxy that weakened its tag", (etag) => `W/${etag}`],
    ["has any", () => "*"],
  ])("is not sent again to a client that %s", async (_what, header) => {
    const { url } = await uploaded();
    const { headers } = await download(url);
    const again = await download(url, { "if-none-match": header(headers.get("etag")!) });
    expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", headers.get("etag")]);
    expect(again.headers.get("cache-control")).toBe(headers.get("cache-control"));
  });

  test.each<[what: string, content: string, declared: string, type: string, disposition: string]>([
    ["text", "Hello", "text/plain", "text/plain; charset=utf-8", "inline"],
    ["html", "<script>alert(1)</script>", "text/html", "text/html", "attachment"],
    ["html that says it is a picture", "<script>", "image/png", "image/png", "attachment"],
    ["svg", "<svg onload='alert(1)'/>", "image/svg+xml", "image/svg+xml", "attachment"],
    ["a picture that says it is html", "GIF89a<script>", "text/html", "image/gif", "inline"],
    ["bytes that say they are text", "a\u0000b", "text/plain", "text/plain", "attachment"],
  ])("is shown or only downloaded by its first bytes: %s", async (_what, content, declared, type, disposition) => {
    const { headers } = await download((await uploaded(content, declared)).url);
    expect([headers.get("content-type"), headers.get("content-disposition")]).toEqual([
      type,
      `${disposition}; filename="file"; filename*=UTF-8''file`,
    ]);
    expect(headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("of another location, one that is unknown, sent, or named twice is not sent", async () => {
    const sent = await uploaded();
    await made(say([sent.id]));
    const elsewhere = await uploaded("x", "text/plain", world.south);
    for (const ids of [[elsewhere.id], [999_999], [sent.id]]) {
      const answer = await say(ids);
      expect([answer.status, answer.body.errors]).toEqual([
        422,
        {
          attachment_ids: [
            "The attachment ids field must name attachments of the location that were uploaded in the last day and not sent.",
          ],
        },
      ]);
    }
    const one = await uploaded();
    expect((await say([one.id, one.id])).body.errors).toEqual({
      attachment_ids: ["The attachment ids field must name each attachment once."],
    });
    expect((await say(Array.from({ length: 16 }, (_, place) => place + 1))).body.errors).toEqual({
      attachment_ids: ["The attachment ids field must have at most 15 items."],
    });
    const path = (asked: number) => `/attachments/${elsewhere.id}?location_id=${asked}`;
    expect((await world.send("owner", "GET", path(world.north))).status).toBe(404);
    expect((await world.send("stranger", "GET", path(world.foreign))).status).toBe(404);
  });

  it("is sent by one of two messages at once", async () => {
    const { id } = await uploaded();
    const answers = await Promise.all([say([id]), say([id])]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422]);
  });

  it("together with others has at most 25 MiB", async () => {
    const large = new Uint8Array(13 * 1_048_576);
    const ids = [(await uploaded(large)).id, (await uploaded(large)).id];
    expect((await say(ids)).body.errors).toEqual({ attachment_ids: ["The attachments may have 25 MiB together."] });
  });

  it("starts a conversation with a text, and not without one", async () => {
    const channel = await givenChannel(world, { kind: "email", address: "desk@acme.example" });
    const contact = await givenContact(world);
    const { id } = await uploaded();
    const start = (body: object) =>
      world.send("owner", "POST", "/conversations", {
        location_id: world.north,
        contact_id: contact.id,
        channel_id: channel.id,
        attachment_ids: [id],
        ...body,
      });
    expect((await start({})).body.errors).toEqual({ body: ["The body field is required with attachments."] });
    expect((await start({ body: "Here" })).body.message.attachments).toMatchObject([{ id }]);
  });

  test.each([
    ["", text["content-type"]],
    [` in a form`, inForm["content-type"]],
  ])("whose client disconnects during the upload%s leaves no row and no piece", async (_in, type) => {
    const rows = () =>
      world.service.database.rows<{ blob_key: string }>("select blob_key from attachments where name = 'cut'", []);
    const client = await openRaw(world.url);
    client.write(
      `POST /api/v1${at(world, "cut")} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${world.keys.owner}\r\n` +
        `Content-Type: ${type}\r\nContent-Length: 9000000\r\n\r\n${form(part("x".repeat(2_000_000))).replace("--x--", "")}`,
    );
    await expect.poll(rows, patience).toHaveLength(1);
    const [cut] = await rows();
    client.socket.destroy();
    await expect.poll(rows, patience).toEqual([]);
    expect(await world.service.blobs.readPiece(cut!.blob_key, 0)).toBeUndefined();
  });

  const large = part("x".repeat(3_000_000));
  test.each([
    ["without the scope", "readonly", text, large, 403],
    ["without the scope, in a form", "readonly", inForm, form(large), 403],
    ["in a form with a field", "owner", inForm, form(field, large), 422],
  ] as const)(
    "that is refused %s is discarded, and the connection is used again",
    async (_what, as, type, body, status) => {
      const client = await openRaw(world.url);
      const head = (method: string, path: string) =>
        `${method} /api/v1${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${world.keys[as]}\r\n`;
      client.write(
        `${head("POST", at(world))}Content-Type: ${type["content-type"]}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
      client.write(`${head("GET", "/locations")}Connection: close\r\n\r\n`);
      await client.closed(30_000);
      expect(client.received()).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*HTTP/1.1 200 `));
    },
  );

  it("whose content is lost is gone, also for a part of it", async () => {
    const { id, url } = await uploaded();
    const [stored] = await world.service.database.rows<{ blob_key: string }>(
      "select blob_key from attachments where id = ?",
      [id],
    );
    await world.service.blobs.remove(stored!.blob_key);
    expect((await download(url)).status).toBe(410);
  });
});

describe.each(sampleOf("attachments in a bucket", 1, databaseKinds))("an attachment in a bucket, on %s", (kind) => {
  let s3: Awaited<ReturnType<typeof startS3Server>>;
  let world: World;
  beforeAll(async () => {
    s3 = await startS3Server();
    world = await createWorld(kind, { environment: s3.environment, quiet: true });
  });
  afterAll(async () => {
    await world?.close();
    await s3[Symbol.asyncDispose]();
  });

  it("is uploaded and downloaded, and answers 503 while the bucket is unavailable", async () => {
    const upload = (headers = {}) => world.send("owner", "POST", at(world), "1 EUR", { ...text, ...headers });
    const { url } = await made(upload());
    expect(await (await fetch(url)).text()).toBe("1 EUR");
    await s3.stop();
    const refused = { error: "files_unavailable", message: expect.stringContaining("Try again in a moment.") };
    const answer = await upload();
    expect([answer.status, answer.headers.get("retry-after"), answer.body]).toMatchObject([503, "1", refused]);
    const download = await fetch(url);
    expect([download.status, await download.json()]).toMatchObject([503, refused]);
    await s3.start();
    expect(await (await fetch(url)).text()).toBe("1 EUR");
    expect((await upload()).status).toBe(201);
    expect(s3.objects.size).toBe(2);
    const usable = "select id from attachments where is_stored = true";
    expect(await world.service.database.rows(usable, [])).toHaveLength(2);
  });
});
