/** docs/email.md keeps its word: its commands are followed as they are written, with an IMAP and an SMTP account on loopback, and then with curl alone. */
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freePort } from "./support/free-port.ts";
import { inClone, runScript, stepsOf } from "./support/guides.ts";
import { startImapServer } from "./support/imap-server.ts";
import { startMailServer } from "./support/mail-server.ts";
import { repository, startCrm } from "./support/node-process.ts";

const mailOf = (headers: Readonly<Record<string, string>>, body: string): Buffer =>
  Buffer.from([...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), "", body, ""].join("\r\n"));

test("the guide is followed in an empty folder", async () => {
  const directory = mkdtempSync(join(tmpdir(), "crm-email-guide-"));
  symlinkSync(join(repository, "bin"), join(directory, "bin"));
  writeFileSync(join(directory, "imap-password-file"), "mailbox-password\n");
  writeFileSync(join(directory, "smtp-password-file"), "smtp-password\n");
  const port = String(await freePort());
  await using imap = await startImapServer();
  await using smtp = await startMailServer({ password: "smtp-password" });
  try {
    await using service = startCrm(["serve"], { directory, environment: { CRM_PORT: port }, timeoutSeconds: 180 });
    await service.match(/^crm listening on/m);
    const run = (script: string, environment = {}) =>
      runScript(
        { directory, port },
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
    imap.append(mailOf({ ...ask, "Message-ID": "<ask@ada.example>" }, "Could you send me a price list?"));
    await expect.poll(started, { timeout: 90_000 }).toContain("Ada Lovelace");

    expect(await run(answer!.command)).toContain("Ada Lovelace");
    await expect.poll(() => smtp.mails.length, { timeout: 60_000 }).toBe(2);
    const { headers } = smtp.mails[1]!;
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
    const shown = await run("crm conversations show 1");
    for (const body of ["Could you send me a price list?", "Here is our price list.", "Thank you!"])
      expect(shown).toContain(body);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}, 300_000);
