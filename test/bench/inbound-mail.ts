/** Inbound mails a second, of those that a server parses and commits without reading or keeping anything else. */
import { createConsola } from "consola";
import { loadSettings } from "../../config/settings.loading.ts";
import { createChannel } from "../../src/crm/channels/channel.operations.ts";
import { openService } from "../../src/service.ts";
import type { Setting } from "./against-raw.ts";
import { fill } from "./filled.ts";
import type { Filled } from "./filled.ts";
import { compareRates } from "./interleave.ts";
import { someContacts } from "./requests.ts";
import { seedEmail } from "./seed.ts";
import { secretKeys, startRawMails, startService } from "./servers.ts";

export async function measureInboundMail({ ground, load, plan, tell, profiles }: Setting): Promise<void> {
  const filled = await fill(ground, "mails", { contacts: plan.contacts / 10, locations: 1 });
  const path = await openChannel(filled, ground.folder);
  const rawUrl = await ground.create("raw_mails");
  await using raw = await startRawMails(rawUrl, { directory: ground.folder });
  await using service = await startService(filled.url, {
    directory: ground.folder,
    worker: false,
    nodeOptions: profiles === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profiles}`],
  });
  const requests = someContacts(filled).map(({ id }) => postMail(path, seedEmail(id)));
  tell({
    what: "receive a mail, 32 at once, of parsing it and a raw commit",
    target: { least: 0.3 },
    kind: ground.kind,
    value: await compareRates(load, plan, 201, { port: service.port, requests }, { port: raw.port, requests }),
  });
}

/** The path of the inbound URL of a new channel. */
async function openChannel({ url, workspaceId, firstLocation }: Filled, directory: string): Promise<string> {
  const settings = loadSettings({ environment: { CRM_DATABASE_URL: url, CRM_SECRET_KEYS: secretKeys }, directory });
  const service = await openService(settings, { log: createConsola({ level: 1 }) });
  try {
    const caller = await service.inLocation(workspaceId, firstLocation);
    const input = { kind: "email", name: "Mails", address: "mails@example.com" } as const;
    const { inbound_url: inbound } = await service.carryOut(createChannel, caller, { input });
    return new URL(inbound).pathname;
  } finally {
    await service.close();
  }
}

const sentence = "The panels on the south side have given four kilowatts since Monday. ";

/** A reply with a text, html and the quoted mail before it, from another contact each time. */
function postMail(path: string, from: string): string {
  const quoted = Array.from({ length: 20 }, () => `> ${sentence}`);
  const paragraphs = Array.from({ length: 20 }, () => `<p style="margin:0;color:#222">${sentence}<br></p>`);
  const mail = [
    `From: Ada Lovelace <${from}>`,
    "To: Front desk <mails@example.com>",
    "Subject: Re: Prices",
    "Message-ID: <{serial}@example.com>",
    "Date: Mon, 02 Mar 2026 12:00:00 +0000",
    "MIME-Version: 1.0",
    'Content-Type: multipart/alternative; boundary="parts"',
    "",
    "--parts",
    "Content-Type: text/plain; charset=utf-8",
    "",
    sentence.repeat(5),
    "",
    "On Monday at 10:00, Front desk wrote:",
    ...quoted,
    "--parts",
    "Content-Type: text/html; charset=utf-8",
    "",
    "<html><body>",
    `<div>${sentence.repeat(5)}</div><blockquote>`,
    ...paragraphs,
    "</blockquote></body></html>",
    "--parts--",
    "",
  ].join("\r\n");
  const length = mail.length - "{serial}".length + 7;
  return `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: message/rfc822\r\ncontent-length: ${length}\r\n\r\n${mail}`;
}
