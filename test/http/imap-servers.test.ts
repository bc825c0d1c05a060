/** Mailboxes over TLS, on real servers on loopback: a connection that is not what its URL promises is refused, with a sentence. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openImap } from "../../src/mail/imap.ts";
import type { ImapMailbox } from "../../src/mail/server-url.ts";
import { startImapServer } from "../support/imap-server.ts";

describe("a mailbox, where our certificate authority is trusted", () => {
  const trusted = getCACertificates("default");
  beforeAll(() => {
    const ours = readFileSync(join(import.meta.dirname, "../support/certificates/localhost.pem"), "utf8");
    setDefaultCACertificates([...trusted, ours]);
  });
  afterAll(() => setDefaultCACertificates(trusted));

  const mail = Buffer.from("From: ada@example.com\r\nSubject: Prices\r\n\r\nHello!\r\n");

  test.each<[what: string, shows: { tls?: string; startTls?: string }, tls: ImapMailbox["tls"], sentence?: RegExp]>([
    ["from the first byte", { tls: "localhost" }, "implicit"],
    ["by STARTTLS", { startTls: "localhost" }, "required"],
    ["by STARTTLS where it is offered, whatever the certificate", { startTls: "self-signed" }, "offered"],
    ["in clear where it is not", {}, "offered"],
    ["without STARTTLS where it is required", {}, "required", /over TLS|failed/],
    ["in clear where TLS is from the first byte", {}, "implicit", /over TLS|failed/],
    ["an expired certificate", { tls: "expired" }, "implicit", /over TLS/],
    ["one of another name", { tls: "wrong-name" }, "implicit", /over TLS/],
    ["one of another name, by STARTTLS", { startTls: "wrong-name" }, "required", /over TLS/],
    ["one that nobody signed", { startTls: "self-signed" }, "required", /over TLS/],
  ])("%s", async (_what, shows, tls, sentence) => {
    await using imap = await startImapServer(shows);
    imap.append(mail);
    const server: ImapMailbox = { host: "localhost", port: imap.port, tls, user: "desk", folder: "INBOX" };
    const open = () => openImap({ server, password: "mailbox-password", mostBytes: 1 << 20 });
    if (sentence !== undefined) {
      await expect(open()).rejects.toThrow(sentence);
      return;
    }
    const connection = await open();
    try {
      const [listed] = await connection.list(0);
      expect(await connection.read(listed!.uid)).toEqual(mail);
    } finally {
      connection.close();
    }
  });
});
