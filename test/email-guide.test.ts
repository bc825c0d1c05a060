/** docs/email.md keeps its word: its commands are followed as they are written, with an IMAP and an SMTP account on loopback, and then with curl alone. */
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { expect, test } from "vitest";
import { freePort } from "./support/free-port.ts";
import { inClone, runScript, stepsOf } from "./support/guides.ts";
import { startImapServer } from "./support/imap-server.ts";
import { startMailServer } from "./support/mail-server.ts";
import { htmlPart, mail, multipart, parts } from "./support/mails/build-mail.ts";
import { repository, startCrm } from "./support/node-process.ts";
import { openSessionDoor } from "./support/session-door.ts";

const mailOf = (headers: Readonly<Record<string, string>>, ...body: readonly string[]): Buffer =>
  mail(...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), "", ...body, "");

const picture = Buffer.from("89504e470d0a1a0a0000000d4948445200000001", "hex");
const priceList = "%PDF-1.4 the price list";

/** A question with a picture in it. */
const question = parts(
  "r",
  htmlPart('<p>Could you send me a price list for <img src="cid:lamp@ada">?</p>'),
  `Content-Type: image/png; name="lamp.png"\nContent-ID: <lamp@ada>\nContent-Transfer-Encoding: base64\n\n${picture.toString("base64")}`,
);

test("the guide is followed in an empty folder", async () => {
  const directory = mkdtempSync(join(tmpdir(), "crm-email-guide-"));
  symlinkSync(join(repository, "bin"), join(directory, "bin"));
  writeFileSync(join(directory, "imap-password-file"), "mailbox-password\n");
  writeFileSync(join(directory, "smtp-password-file"), "smtp-password\n");
  writeFileSync(join(directory, "price-list.pdf"), priceList);
  const port = String(await freePort());
  await using imap = await startImapServer();
  await using smtp = await startMailServer({ password: "smtp-password" });
  try {
    await using service = startCrm(["serve"], { directory, environment: { CRM_PORT: port }, timeoutSeconds: 180 });
    await service.match(/^crm listening on/m);
    await using door = await openSessionDoor(directory);
    const run = (script: string, environment = {}) =>
      runScript(
        { directory, port, crm: door.crm },
        `${inClone}${script}`
          .replaceAll("imaps://desk%40example.com@mail.example.com", imap.url)
          .replaceAll(
            "smtps://desk%40example.com@mail.example.com",
            `smtp://desk%40example.com@127.0.0.1:${smtp.port}`,
          ),
        environment,
      );
    const [connect, answer, list, post] = stepsOf(readFileSync(join(repository, "docs/email.md"), "utf8"));

    await run("crm contacts create --first-name Ada --last-name Lovelace --email ada@example.com");
    await run(connect!.command);
    expect(smtp.mails.map(({ to, user }) => [to, user])).toEqual([[["you@example.com"], "desk@example.com"]]);

    const ask = { From: "Ada Lovelace <ada@example.com>", To: "desk@example.com", Subject: "Prices" };
    const started = () => run("crm conversations list");
    // The worker opens the mailbox first: what has arrived before is left alone.
    await expect.poll(() => imap.connections(), { timeout: 60_000 }).toBeGreaterThan(1);
    imap.append(mailOf({ ...ask, ...multipart("related", "r"), "Message-ID": "<ask@ada.example>" }, ...question));
    await expect.poll(started, { timeout: 90_000, interval: 500 }).toContain("Ada Lovelace");

    const answered = await run(answer!.command);
    expect(answered).toContain("Could you send me a price list for");
    expect(answered).toContain("attachment 1: lamp.png");
    expect(readFileSync(join(directory, "picture.png"))).toEqual(picture);
    await expect.poll(() => smtp.mails.length, { timeout: 60_000 }).toBe(2);
    const { headers, raw } = smtp.mails[1]!;
    const sent = (await PostalMime.parse(raw)).attachments;
    expect(
      sent.map(({ filename, content }) => [filename, Buffer.from(content as ArrayBuffer).toString("latin1")]),
    ).toEqual([["price-list.pdf", priceList]]);
    expect(headers).toMatchObject({
      to: ["Ada Lovelace <ada@example.com>"],
      subject: ["Re: Prices"],
      "in-reply-to": ["<ask@ada.example>"],
      references: ["<ask@ada.example>"],
    });

    const [, inbound] = /(http\S+\/inbound\/\w+)/.exec(await run(list!.command)) ?? [];
    const reply = { ...ask, "Message-ID": "<thanks@ada.example>", "In-Reply-To": headers["message-id"]![0]! };
    writeFileSync(join(directory, "mail.eml"), mailOf({ ...reply, Subject: "Thanks" }, "Thank you!"));
    const posted = await run(post!.command, { INBOUND_URL: inbound });
    expect(JSON.parse(posted)).toMatchObject({ conversation_id: 1 });
    expect(JSON.parse(await run(post!.command, { INBOUND_URL: inbound }))).toEqual(JSON.parse(posted));

    // And with curl alone: the answer is sent with an uploaded file, in the same conversation.
    const key = (await run("crm keys create Curl --scope conversations.write --json")).match(/"key": ?"([^"]+)"/)![1]!;
    const [, upload] = /(curl [^`]*\/attachments\?[^`]*)```/.exec(
      readFileSync(join(repository, "docs/api.md"), "utf8"),
    )!;
    const access = { CRM_URL: `http://127.0.0.1:${port}`, CRM_KEY: key };
    const { id } = JSON.parse(await run(upload!, access));
    const send = `curl -s "$CRM_URL/api/v1/conversations/1/messages" -H "Authorization: Bearer $CRM_KEY" -H 'Content-Type: application/json' `;
    await run(`${send} -d '{"location_id": 1, "body": "Once more.", "attachment_ids": [${id}]}'`, access);
    await expect.poll(() => smtp.mails.length, { timeout: 60_000 }).toBe(3);
    expect(smtp.mails[2]!.headers["in-reply-to"]).toEqual(["<thanks@ada.example>"]);
    expect((await PostalMime.parse(smtp.mails[2]!.raw)).attachments.map(({ filename }) => filename)).toEqual([
      "price-list.pdf",
    ]);

    const shown = await run("crm conversations show 1");
    for (const text of ["Could you send me a price list for", "Here is our price list.", "Thank you!", "Once more."])
      expect(shown).toContain(text);
    expect(shown.match(/attachment \d+: price-list\.pdf/g)).toHaveLength(2);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}, 300_000);
