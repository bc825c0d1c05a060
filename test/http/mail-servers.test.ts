/** Mails to real servers on loopback, those that misbehave too: each mail ends in time, with a sentence that says why, and makes no header of its own. */
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { toMessageId } from "../../src/mail/message-id.ts";
import type { Mail } from "../../src/mail/mail.ts";
import { SmtpFault } from "../../src/mail/smtp-fault.ts";
import { readSmtpServer } from "../../src/mail/server-url.ts";
import type { SmtpServer } from "../../src/mail/server-url.ts";
import { createSmtp } from "../../src/mail/smtp.ts";
import { startMailServer } from "../support/mail-server.ts";
import type { Reply } from "../support/mail-server.ts";

const mail: Mail = {
  from: { name: "Front desk", address: "desk@example.com" },
  to: { name: "Ada Lovelace", address: "ada@example.com" },
  replyTo: null,
  subject: "Prices",
  text: "Good morning!",
  html: null,
  attachments: [],
  isAutomatic: false,
  unsubscribeUrl: null,
  messageId: "<crm.1.abc@example.com>",
  inReplyTo: null,
  references: [],
  date: new Date("2026-03-01T12:00:00Z"),
};

const here = (port: number, more: Partial<SmtpServer> = {}): SmtpServer => ({
  host: "127.0.0.1",
  port,
  tls: "offered",
  user: null,
  ...more,
});

async function deliver(
  server: SmtpServer,
  more: Partial<Mail> = {},
  { patience = 5000, password = null as string | null } = {},
): Promise<SmtpFault | undefined> {
  const smtp = createSmtp({ patience });
  try {
    const { signal } = new AbortController();
    await smtp.deliver({ server, password, mail: { ...mail, ...more }, signal });
    return undefined;
  } catch (error) {
    if (error instanceof SmtpFault) return error;
    throw error;
  } finally {
    smtp.close();
  }
}

describe("a mail", () => {
  it("carries text and html, and the headers of its thread", async () => {
    await using server = await startMailServer();
    const fault = await deliver(here(server.port), {
      html: "<p>Good morning!</p>",
      replyTo: "in@example.com",
      inReplyTo: "<b@example.com>",
      references: ["<a@example.com>", "<b@example.com>"],
    });
    expect(fault).toBeUndefined();
    const [received] = server.mails;
    expect(received).toMatchObject({ from: "desk@example.com", to: ["ada@example.com"] });
    expect(received!.headers).toMatchObject({
      from: ["Front desk <desk@example.com>"],
      to: ["Ada Lovelace <ada@example.com>"],
      "reply-to": ["in@example.com"],
      subject: ["Prices"],
      "message-id": ["<crm.1.abc@example.com>"],
      "in-reply-to": ["<b@example.com>"],
      references: ["<a@example.com> <b@example.com>"],
      date: ["Sun, 01 Mar 2026 12:00:00 +0000"],
      "content-type": [expect.stringMatching(/^multipart\/alternative/)],
    });
    expect(received!.raw).toMatch(/text\/plain[^]*Good morning![^]*text\/html[^]*<p>Good morning!<\/p>/);
  });

  test.each<[what: string, Partial<Mail>]>([
    ["a subject with line ends", { subject: "Prices\r\nBcc: eve@example.com\r\n\r\nHello" }],
    ["a name with line ends", { to: { name: "Ada\r\nBcc: eve@example.com", address: "ada@example.com" } }],
    ["a name with an address", { to: { name: "Eve <eve@example.com>,", address: "ada@example.com" } }],
    ["a sender's name with quotes", { from: { name: '"\r\nBcc: eve@example.com, "', address: "desk@example.com" } }],
    ["ids with line ends", { references: ["<a@b>\r\nBcc: eve@example.com"], inReplyTo: "<a@b>\nBcc: eve@example.com" }],
    [
      "a text that ends the mail",
      { text: "Hello\r\n.\r\nMAIL FROM:<eve@example.com>\r\nRCPT TO:<eve@example.com>\r\n" },
    ],
    ["a text that ends the mail for some", { text: "Hello\n\r.\r\nMAIL FROM:<eve@example.com>\r.\rQUIT" }],
    ["html that does", { text: null, html: "<p>\r.\r\n\r.\r</p>" }],
    ["NUL and lone surrogates", { subject: "a\0b\ud800", text: "a\0b\ud800" }],
  ])("with %s has its one recipient, and no header more", async (_what, more) => {
    await using server = await startMailServer();
    expect(await deliver(here(server.port), more)).toBeUndefined();
    expect(server.mails).toHaveLength(1);
    const [{ headers, to }] = server.mails as [(typeof server.mails)[number]];
    expect(to).toEqual(["ada@example.com"]);
    const threads = more.references === undefined ? [] : ["in-reply-to", "references"];
    const expected = [
      "content-transfer-encoding",
      "content-type",
      "date",
      "from",
      "message-id",
      "mime-version",
      "subject",
      "to",
    ];
    expect(Object.keys(headers).toSorted()).toEqual([...expected, ...threads].toSorted());
    expect(headers["to"]).toHaveLength(1);
    expect(server.mails[0]!.raw, "ends of lines").not.toMatch(/\r(?!\n)|(?<!\r)\n/);
  });

  test.each([
    ["<a.b@example.com>", "<a.b@example.com>"],
    ["a.b@example.com", "<a.b@example.com>"],
    [" <a@b> ", "<a@b>"],
    ["SM123", undefined],
    ["<a b@c>", undefined],
    ["<a@b>\r\nBcc: eve@example.com", undefined],
    ["<ä@b>", undefined],
    [`<${"a".repeat(201)}@b>`, undefined],
  ])("the id %j is known as %j", (text, id) => expect(toMessageId(text)).toBe(id));
});

describe("connections", () => {
  it("carry one mail after the other, and close when none comes", async () => {
    await using server = await startMailServer();
    const smtp = createSmtp();
    const send = () =>
      smtp.deliver({ server: here(server.port), password: null, mail, signal: new AbortController().signal });
    for (let count = 0; count < 5; count++) await send();
    expect([server.mails.length, server.connections(), server.open()]).toEqual([5, 1, 1]);
    await Promise.all([send(), send(), send()]);
    expect([server.mails.length, server.connections()]).toEqual([8, 3]);
    await expect.poll(server.open, { timeout: 10_000 }).toBe(0);
    await send();
    expect(server.connections()).toBe(4);
    smtp.close();
  });

  it("a hundred mails at the most", async () => {
    await using server = await startMailServer();
    const smtp = createSmtp();
    for (let count = 0; count < 101; count++)
      await smtp.deliver({ server: here(server.port), password: null, mail, signal: new AbortController().signal });
    expect([server.mails.length, server.connections()]).toEqual([101, 2]);
    smtp.close();
  });

  it("are left with a word, whatever the server says to that", async () => {
    let left = 0;
    const sockets: Socket[] = [];
    // It takes every mail, and never answers a QUIT nor closes.
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      let isMail = false;
      let said = "";
      sockets.push(socket);
      socket.on("error", () => {}).on("end", () => (left += 1));
      socket.write("220 Good morning\r\n");
      socket.on("data", (bytes) => {
        said += bytes.toString();
        if (said.startsWith("QUIT") || !said.endsWith(isMail ? "\r\n.\r\n" : "\r\n")) return;
        isMail = said.startsWith("DATA");
        said = "";
        socket.write(isMail ? "354 Go on\r\n" : "250 Good\r\n");
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const smtp = createSmtp();
    for (let count = 0; count < 101; count++)
      await smtp.deliver({ server: here(port), password: null, mail, signal: new AbortController().signal });
    // The one that has carried its hundred, and the one that no mail comes for.
    await expect.poll(() => left, { timeout: 30_000 }).toBe(2);
    smtp.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  }, 60_000);

  it("one that the server closed meanwhile is replaced, without a word", async () => {
    await using server = await startMailServer({ rcpt: (_to, number) => (number === 2 ? "drop" : undefined) });
    const smtp = createSmtp();
    for (let count = 0; count < 2; count++)
      await smtp.deliver({ server: here(server.port), password: null, mail, signal: new AbortController().signal });
    expect([server.mails.length, server.connections()]).toEqual([2, 2]);
    smtp.close();
  });

  it("are ended by the signal, with its reason", async () => {
    await using server = await startMailServer({ data: () => "never" });
    const smtp = createSmtp();
    const stop = new AbortController();
    const sending = smtp.deliver({ server: here(server.port), password: null, mail, signal: stop.signal });
    await sleep(100);
    stop.abort(new Error("enough"));
    await expect(sending).rejects.toThrow("enough");
    await expect.poll(server.open, { timeout: 5000 }).toBe(0);
  });
});

describe("an address outside ASCII", () => {
  test.each<[what: string, utf8: boolean, mail: Partial<Mail>, to: string | RegExp]>([
    ["its domain, to any server", false, { to: { name: null, address: "ada@exämple.com" } }, "ada@xn--exmple-cua.com"],
    [
      "its domain, to one with SMTPUTF8",
      true,
      { to: { name: null, address: "ada@exämple.com" } },
      "ada@xn--exmple-cua.com",
    ],
    ["all of it, to one with SMTPUTF8", true, { to: { name: null, address: "jösé@exämple.com" } }, "jösé@exämple.com"],
    [
      "before the @",
      false,
      { to: { name: null, address: "jösé@example.com" } },
      /non-ASCII characters before the @ of an address: jösé@example\.com/,
    ],
    ["of the sender", false, { from: { name: null, address: "büro@example.com" } }, /büro@example\.com/],
    ["to answer to", false, { replyTo: "büro@example.com" }, /büro@example\.com/],
  ])("%s", async (_what, utf8, more, expected) => {
    await using server = await startMailServer({ utf8 });
    const fault = await deliver(here(server.port), more);
    if (typeof expected === "string") {
      expect([fault, server.recipients, server.mails.length]).toEqual([undefined, [expected], 1]);
      return;
    }
    expect([fault!.message, server.mails]).toEqual([expect.stringMatching(expected), []]);
    // Another recipient may pass; with an address of ours that does not fit no mail would.
    expect(fault).toMatchObject({ isFinal: more.to !== undefined, isOfServer: more.to === undefined });
  });
});

test.each<[what: string, server: Partial<SmtpServer>, detail: string]>([
  ["nobody listens", { host: "127.0.0.1", port: 1 }, "ECONNREFUSED 127.0.0.1:1"],
  ["nobody listens at a name", { host: "localhost", port: 1 }, "ECONNREFUSED 127.0.0.1:1"],
  ["a name has no address", { host: "nowhere.invalid", port: 25 }, "nowhere.invalid:25"],
])("where %s, operators are told where and why", async (_what, server, detail) => {
  const fault = await deliver(here(0, server));
  expect([fault!.isOfServer, fault!.detail]).toEqual([true, expect.stringContaining(detail)]);
  expect(fault!.message).not.toContain(detail);
});

describe("a server that refuses", () => {
  const final = { isFinal: true, isOfServer: false };
  const later = { isFinal: false, isOfServer: false };
  const ofServer = { isFinal: false, isOfServer: true };
  test.each<[what: string, behaviour: { rcpt?: () => Reply; data?: () => Reply }, fault: object, sentence: RegExp]>([
    [
      "a recipient for ever",
      { rcpt: () => [550, "5.1.1 No such user"] },
      final,
      /refused it: 550 5\.1\.1 No such user/,
    ],
    ["a recipient for now", { rcpt: () => [451, "4.7.1 Greylisted"] }, later, /deferred it: 451 4\.7\.1 Greylisted/],
    ["a mail for ever", { data: () => [554, "5.7.1 Spam"] }, final, /refused it: 554 5\.7\.1 Spam/],
    ["a mail for now", { data: () => [452, "4.2.2 Mailbox full"] }, later, /deferred it: 452/],
    [
      "who does not say who he is",
      { rcpt: () => [530, "5.7.0 Authenticate first"] },
      ofServer,
      /rejected the user name or pass/,
    ],
    [
      "because it closes",
      { rcpt: () => [421, "4.3.2 Shutting down"] },
      ofServer,
      /not ready: 421|connection to the mail server failed/,
    ],
    ["in the middle of a mail", { data: () => "drop" }, ofServer, /connection to the mail server failed/],
    ["at length", { rcpt: () => [550, `5.1.1 ${"No. ".repeat(2000)}`] }, final, /refused it: 550/],
  ])("%s", async (_what, behaviour, expected, sentence) => {
    await using server = await startMailServer(behaviour);
    const fault = await deliver(here(server.port));
    expect(fault).toMatchObject(expected);
    expect(fault!.message).toMatch(sentence);
    expect(fault!.message.length).toBeLessThan(600);
    expect(server.mails).toEqual([]);
  });

  it("a mail larger than it takes is refused before it is sent", async () => {
    await using server = await misbehaving((socket) => talk(socket, { ehlo: "250-here\r\n250 SIZE 1000\r\n" }));
    expect(await deliver(here(server.port), { text: "x".repeat(2000) })).toMatchObject(final);
  });
});

describe("TLS and login", () => {
  const trusted = getCACertificates("default");
  beforeAll(() => {
    const ours = readFileSync(join(import.meta.dirname, "../support/certificates/localhost.pem"), "utf8");
    setDefaultCACertificates([...trusted, ours]);
  });
  afterAll(() => setDefaultCACertificates(trusted));

  test.each<
    [what: string, kind: "tls" | "startTls" | "none", certificate: string, tls: SmtpServer["tls"], sentence?: RegExp]
  >([
    ["from the first byte", "tls", "localhost", "implicit"],
    ["by STARTTLS", "startTls", "localhost", "required"],
    ["by STARTTLS where it is offered, whatever the certificate", "startTls", "self-signed", "offered"],
    ["in clear where it is not", "none", "", "offered"],
    ["without STARTTLS where it is required", "none", "", "required", /over TLS/],
    ["an expired certificate", "tls", "expired", "implicit", /over TLS/],
    ["one of another name", "startTls", "wrong-name", "required", /over TLS/],
    ["one that nobody signed", "startTls", "self-signed", "required", /over TLS/],
  ])("%s", async (_what, kind, certificate, tls, sentence) => {
    await using server = await startMailServer(kind === "none" ? {} : { [kind]: certificate });
    const fault = await deliver(here(server.port, { host: "localhost", tls }));
    expect(fault?.message ?? "taken").toMatch(sentence ?? /^taken$/);
    if (sentence !== undefined) expect(fault).toMatchObject({ isFinal: false, isOfServer: true });
    expect(server.mails.map(({ isSecure }) => isSecure)).toEqual(sentence === undefined ? [kind !== "none"] : []);
  });

  it("a user says who he is; a wrong password is the server's matter, not the mail's", async () => {
    await using server = await startMailServer({ password: "right", startTls: "localhost" });
    const desk = here(server.port, { host: "localhost", tls: "required", user: "desk@example.com" });
    expect(await deliver(desk, {}, { password: "right" })).toBeUndefined();
    expect(server.mails[0]).toMatchObject({ user: "desk@example.com", isSecure: true });
    const fault = await deliver(desk, {}, { password: "wrong" });
    expect(fault).toMatchObject({ isFinal: false, isOfServer: true });
    expect(fault!.message).toMatch(/rejected the user name or password.*535/);
    expect(fault!.message).not.toContain("wrong");
  });
});

/** Speaks SMTP as far as `says` wants, one line for one line. */
function talk(socket: Socket, says: { greeting?: string; ehlo?: string; mail?: string }): void {
  socket.write(says.greeting ?? "220 here\r\n");
  socket.on("data", (data) => {
    const line = data.toString("latin1");
    if (/^(EHLO|HELO)/.test(line)) socket.write(says.ehlo ?? "250 here\r\n");
    else if (line.startsWith("MAIL")) socket.write(says.mail ?? "250 ok\r\n");
    else if (line.startsWith("QUIT")) socket.end("221 bye\r\n");
  });
}

async function misbehaving(behave: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    behave(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function drip(socket: Socket, text: string): void {
  let place = 0;
  const timer = setInterval(() => socket.write(text[place++ % text.length]!), 20);
  socket.on("close", () => clearInterval(timer));
}

function flood(socket: Socket, line: string): void {
  const pour = (): void => {
    while (!socket.destroyed && socket.write(line.repeat(500))) {
      // until the socket is full
    }
  };
  socket.on("drain", pour);
  pour();
}

describe("a server that misbehaves", () => {
  test.each<[what: string, behave: (socket: Socket) => void, sentence: RegExp]>([
    ["never greets", () => {}, /in time/],
    ["drips its greeting", (socket) => drip(socket, "220 "), /in time/],
    [
      "drips an endless answer",
      (socket) => (talk(socket, { ehlo: "" }), drip(socket, "250-x\r\n")),
      /in time|not ready|failed/,
    ],
    ["floods", (socket) => flood(socket, "220-here\r\n"), /failed|not ready/],
    ["greets with 554", (socket) => talk(socket, { greeting: "554 No mail here\r\n" }), /not ready: 554/],
    ["speaks HTTP", (socket) => talk(socket, { greeting: "HTTP/1.1 400 Bad Request\r\n\r\n" }), /failed|not ready/],
    ["closes at once", (socket) => socket.end(), /failed/],
    ["resets", (socket) => socket.resetAndDestroy(), /failed/],
    ["says nothing to MAIL FROM", (socket) => talk(socket, { mail: "" }), /in time/],
    ["answers nonsense to MAIL FROM", (socket) => talk(socket, { mail: "what?\r\n" }), /./],
  ])("%s", async (_what, behave, sentence) => {
    await using server = await misbehaving(behave);
    const begun = performance.now();
    const fault = await deliver(here(server.port), {}, { patience: 400 });
    expect(fault?.message).toMatch(sentence);
    expect(fault).toMatchObject({ isFinal: false });
    expect(performance.now() - begun).toBeLessThan(5000);
    await expect.poll(() => server.sockets.size, { timeout: 5000 }).toBe(0);
  });

  it("is not there", async () => {
    const port = await misbehaving(() => {}).then(async (server) => {
      await server[Symbol.asyncDispose]();
      return server.port;
    });
    expect(await deliver(here(port))).toMatchObject({ isOfServer: true, message: /failed/ });
  });
});

describe("the URL of a server", () => {
  test.each<[url: string, expected: Partial<SmtpServer> | RegExp]>([
    ["smtps://mail.example.com", { host: "mail.example.com", port: 465, tls: "implicit", user: null }],
    ["smtp://mail.example.com", { port: 587, tls: "required" }],
    ["smtp://desk%40example.com@mail.example.com:2525", { port: 2525, tls: "required", user: "desk@example.com" }],
    ["smtp://localhost:1025", { host: "localhost", port: 1025, tls: "offered" }],
    ["smtp://127.0.0.1:25", { tls: "offered" }],
    ["smtp://[::1]:25", { host: "::1", tls: "offered" }],
    ["smtps://localhost", { tls: "implicit" }],
    ["smtp://catcher:1025?tls=optional", { host: "catcher", tls: "offered" }],
    ["SMTPS://Mail.Example.com/", { tls: "implicit" }],
    ["smtp://user@catcher?tls=optional", /must not name a user/],
    ["smtps://catcher?tls=optional", /must be smtp:\/\//],
    ["smtp://user:secret@mail.example.com", /must not carry a password/],
    ["smtp://mail.example.com/path", /must be smtp/],
    ["smtp://mail.example.com?tls=never", /must be smtp/],
    ["smtp://mail.example.com#x", /must be smtp/],
    ["smtp://", /must be smtp/],
    ["smtp:mail.example.com", /must be smtp/],
    ["https://mail.example.com", /must be smtp/],
    ["mail.example.com", /must be smtp/],
    ["", /must be smtp/],
    ["smtp://mail.example.com:99999", /must be smtp/],
    ["smtp://mail.exa\r\nmple.com", /must be smtp/],
    ["smtp://us%0D%0Aer@mail.example.com", /percent-encoded/],
    ["smtp://us%ZZer@mail.example.com", /percent-encoded/],
    [`smtp://${"a".repeat(3000)}`, /must be smtp/],
  ])("%j", (url, expected) => {
    const server = readSmtpServer(url);
    if (expected instanceof RegExp) expect(server).toMatch(expected);
    else expect(server).toMatchObject(expected);
  });
});
