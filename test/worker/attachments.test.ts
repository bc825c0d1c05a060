/** Attachments in and out: uploaded and sent by mail, received by mail and in JSON, downloaded by signed URLs. */
import { createHash } from "node:crypto";
import PostalMime from "postal-mime";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { describeTalk } from "../../terminal/output/conversation-text.ts";
import { databaseKinds } from "../support/databases.ts";
import { findFaultsOf } from "../support/events.ts";
import { givenChannel, givenContact, givenConversation, handIn, made } from "../support/given.ts";
import { startMailServer } from "../support/mail-server.ts";
import type { MailServer } from "../support/mail-server.ts";
import { filePart, htmlPart, mailOf, multipart, parts, plainPart } from "../support/mails/build-mail.ts";
import { postRaw } from "../support/raw-mail.ts";
import { toLoopback } from "../support/receiver.ts";
import { createWorld, emptyTables } from "../support/world.ts";
import type { World } from "../support/world.ts";

const png = Buffer.from("89504e470d0a1a0a0000000d4948445200000001", "hex");

describe.each([...databaseKinds])("attachments on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind, { environment: toLoopback, quiet: true });
  });
  afterAll(() => world?.close());
  afterEach(() => emptyTables(world, ["message_sends", "channel_queues"]));

  const uploaded = async (name: string, content: Uint8Array, type = "application/octet-stream") => {
    const path = `/attachments?location_id=${world.north}&name=${encodeURIComponent(name)}`;
    return made(world.send("owner", "POST", path, content, { "content-type": type }));
  };
  const mailChannel = (server: Pick<MailServer, "url">) =>
    givenChannel(world, { kind: "email", address: "desk@acme.example", transport: "smtp", transport_url: server.url });
  const desk = () => givenChannel(world, { kind: "email", address: "desk@acme.example" });
  const say = (conversation: number, body: object) =>
    world.send("owner", "POST", `/conversations/${conversation}/messages`, { location_id: world.north, ...body });
  const messagesOf = async (id: number) =>
    (await made(world.send("owner", "GET", `/conversations/${id}?location_id=${world.north}`))).messages;
  const download = async (url: string, headers: Record<string, string> = {}) => {
    const response = await fetch(url, { headers });
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  };

  it("are uploaded, sent with a message, and received by the mail server", async () => {
    await using server = await startMailServer();
    const { conversation } = await givenConversation(world, {
      channel_id: (await mailChannel(server)).id,
      contact_id: (await givenContact(world, { email: "ada@x.example" })).id,
    });
    const large = Buffer.alloc(1_500_000, "0123456789");
    const files = [
      await uploaded("../price list.pdf", large, "application/pdf"),
      await uploaded("logo.png", png, "image/png"),
    ];
    expect(files).toMatchObject([
      { name: "price list.pdf", content_type: "application/pdf", size: large.length },
      { name: "logo.png", content_type: "image/png", size: png.length },
    ]);
    const attachment_ids = files.map(({ id }) => id);
    const html = '<p>Here it is <img src="cid:logo.png"></p>';
    const message = await made(say(conversation.id, { body: "Here it is", html, attachment_ids }));
    expect(message.attachments).toEqual(files);
    expect(message.html).toContain(`src="${files[1].url.replaceAll("&", "&amp;")}"`);
    const { events } = await world.eventsDuring(() => world.service.worker.runOnce());
    expect(events.map(({ event, data }) => [event, data.attachments.length])).toEqual([["message.sent", 2]]);
    expect(events.flatMap(findFaultsOf)).toEqual([]);

    const mail = await PostalMime.parse(server.mails[0]!.raw);
    expect(mail.html).toContain('src="cid:logo.png"');
    expect(
      mail.attachments.map(({ filename, mimeType, disposition, contentId, content }) => [
        filename,
        mimeType,
        disposition,
        contentId,
        Buffer.from(content as ArrayBuffer).length,
      ]),
    ).toEqual([
      ["logo.png", "image/png", "inline", "<logo.png>", png.length],
      ["price list.pdf", "application/pdf", "attachment", undefined, large.length],
    ]);
    const again = await say(conversation.id, { body: "Again", attachment_ids });
    expect([again.status, Object.keys(again.body.errors)]).toEqual([422, ["attachment_ids"]]);
  });

  it("of a mail are stored, listed, shown in its html, and downloaded", async () => {
    const raw = mailOf(
      multipart("mixed", "m"),
      ...parts(
        "m",
        `Content-Type: multipart/related; boundary="r"\n\n${parts(
          "r",
          htmlPart('<p>See <img src="cid:pic@x"></p>'),
          `Content-Type: image/png; name="pic.png"\nContent-ID: <pic@x>\nContent-Disposition: inline\nContent-Transfer-Encoding: base64\n\n${png.toString("base64")}`,
        ).join("\n")}`,
        filePart('filename="..\\\\..\\\\list.txt"', "text/plain", "1 EUR"),
      ),
    );
    const answer = await postRaw(world.url, await desk(), raw);
    expect(answer.status).toBe(201);
    const [message] = await messagesOf(answer.body.conversation_id);
    expect(message.attachments).toMatchObject([
      { name: "pic.png", content_type: "image/png", size: png.length },
      { name: "list.txt", content_type: "text/plain", size: 5 },
    ]);
    expect(message.html).toContain(`src="${message.attachments[0].url.replaceAll("&", "&amp;")}"`);
    const { conversation } = await made(
      world.send("owner", "GET", `/conversations/${answer.body.conversation_id}?location_id=${world.north}`),
    );
    const text = describeTalk(conversation, [message], { timeZone: "UTC", columns: 80 });
    expect(text).toContain(`attachment ${message.attachments[1].id}: list.txt (5 bytes)`);
    const picture = await download(message.attachments[0].url);
    expect([picture.status, picture.bytes.equals(png)]).toEqual([200, true]);
    expect(Object.fromEntries(picture.headers)).toMatchObject({
      "content-type": "image/png",
      "content-disposition": `inline; filename="pic.png"; filename*=UTF-8''pic.png`,
      "content-length": String(png.length),
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      etag: `"${createHash("sha256").update(png).digest("hex")}"`,
    });
  });

  it("in JSON are stored, unless there are too many or they are too large", async () => {
    const file = (name: string, text: string) => ({ name, content: Buffer.from(text).toString("base64") });
    const body = { from: "ada@x.example", body: "Hello", external_id: crypto.randomUUID() };
    const answer = await handIn(world, await desk(), {
      ...body,
      attachments: [
        file("one.txt", "1"),
        file("", "2"),
        { ...file("three.txt", "3"), content_type: "Text/Plain; x=1" },
      ],
    });
    const [message] = await messagesOf(answer.body.conversation_id);
    expect(
      message.attachments.map((one: { name: string; content_type: string }) => [one.name, one.content_type]),
    ).toEqual([
      ["one.txt", "application/octet-stream"],
      ["attachment", "application/octet-stream"],
      ["three.txt", "text/plain"],
    ]);
    const refused = await handIn(world, await desk(), { ...body, attachments: [{ name: "x", content: "no base64!" }] });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ["attachments.0.content"]]);
  });

  it("of a mail beyond the limit are named in its text, and those of a mail that comes again are not stored again", async () => {
    const files = Array.from({ length: 17 }, (_, place) =>
      filePart(`filename="${place}.txt"`, "text/plain", `${place}`),
    );
    const raw = mailOf(
      { ...multipart("mixed", "m"), "Message-ID": `<${crypto.randomUUID()}@x.example>` },
      ...parts("m", plainPart("Many"), ...files),
    );
    const channel = await desk();
    const first = await postRaw(world.url, channel, raw);
    const [message] = await messagesOf(first.body.conversation_id);
    expect(message.attachments).toHaveLength(15);
    expect(message.body).toBe("Many\n\n[Attachments that were too large or too many: 15.txt, 16.txt]");
    expect((await postRaw(world.url, channel, raw)).status).toBe(200);
    const left = await world.service.database.rows(
      "select id from attachments where message_id is null and content_id is null and size = 0",
    );
    expect(left).toEqual([]);
  });

  it("without a message are removed after a day, pieces first", async () => {
    const file = await uploaded("forgotten.txt", Buffer.from("1"));
    world.clock.advance({ hours: 26 });
    await world.service.worker.runOnce();
    const path = `/attachments/${file.id}?location_id=${world.north}`;
    expect((await world.send("owner", "GET", path)).status).toBe(404);
  });
});
