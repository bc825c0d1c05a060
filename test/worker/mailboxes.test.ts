/** Mailboxes over IMAP: every mail once, by one worker, whatever breaks; nothing in the mailbox is marked or deleted. */
import { rm, writeFile } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ChannelPatch } from "../../src/crm/channels/channel.schema.ts";
import { findChannelSettings } from "../../src/crm/channels/channel.queries.ts";
import { createChannel, updateChannel } from "../../src/crm/channels/channel.operations.ts";
import { updateChannel as changeChannel } from "../../src/crm/channels/channel.service.ts";
import { testChannel } from "../../src/crm/channels/transports/transport-test.ts";
import { personCaller } from "../../src/operation/callers.ts";
import { openService } from "../../src/service.ts";
import type { Service } from "../../src/service.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenChannel, givenContact } from "../support/given.ts";
import { startImapServer } from "../support/imap-server.ts";
import type { ImapServer } from "../support/imap-server.ts";
import { startMailServer } from "../support/mail-server.ts";
import { filePart, mailOf, multipart, parts, plainPart } from "../support/mails/build-mail.ts";
import { givenRun, givenWorkflow } from "../support/workflows.ts";
import { createWorld, emptyTables } from "../support/world.ts";
import type { World } from "../support/world.ts";

const password = "mailbox-password";

describe.each(sampleOf("mailboxes", 1, databaseKinds))("mailboxes on %s", (kind) => {
  let world: World;
  let other: Service;
  beforeAll(async () => {
    world = await createWorld(kind, { quiet: true, environment: { CRM_MAIL_LIMIT: "100000" } });
    const { settings } = world.service;
    other = await openService(settings, { clock: world.clock, log: world.service.log });
  });
  afterAll(async () => {
    await other?.close();
    await world?.close();
  });
  // What one test connects, the worker of the next would read.
  afterEach(() => emptyTables(world, ["mailboxes"]));

  const work = async ({ worker } = world.service) => {
    world.clock.advance({ minutes: 1 });
    await worker.runOnce();
  };
  const connected = ({ url }: Pick<ImapServer, "url">, fields: Partial<ChannelPatch> = {}) =>
    givenChannel(world, {
      kind: "email",
      address: "desk@acme.example",
      imap_url: url,
      imap_password: password,
      ...fields,
    } as Parameters<typeof givenChannel>[1]);
  const operator = () => world.service.inLocation(world.acme, world.north);
  const settingsOf = async ({ id }: { id: number }) => findChannelSettings(await operator(), id);
  const bodiesOf = async ({ id }: { id: number }) =>
    (
      await world.service.database.rows<{ body: string }>(
        "select body from messages where channel_id = ? order by id",
        [id],
      )
    ).map(({ body }) => body);
  let serial = 0;
  const mail = (body: string): Buffer => {
    serial += 1;
    return mailOf({ "Message-ID": `<m${serial}.${kind}@x.example>` }, body);
  };

  it("every mail from now on is a message, and the mailbox stays as it is", async () => {
    await using server = await startImapServer();
    server.append(mail("Old"), "01-Jan-2020 00:00:00 +0000");
    const channel = await connected(server);
    server.append(mail("One"));
    await work();
    server.append(mail("Two"));
    server.append(mail("x".repeat(200_000)));
    server.append(mail("Three"));
    await work();
    await work();
    expect(await bodiesOf(channel)).toEqual(["One", "Two", "Three"]);
    expect([server.count(), server.flags().flat(), server.connections()]).toEqual([5, [], 1]);
    expect(await settingsOf(channel)).toMatchObject({ status: "active", imap_url: server.url, imap_move_to: null });
  });

  it("received mails are moved, if a folder is given", async () => {
    await using server = await startImapServer();
    const channel = await connected(server, { imap_move_to: "Done" });
    server.append(mail("One"));
    server.append(mail("Two"));
    await work();
    expect([await bodiesOf(channel), server.count(), server.count("Done")]).toEqual([["One", "Two"], 0, 2]);
  });

  it("mails that cannot be moved are received as usual, and the channel says why they stay", async () => {
    await using server = await startImapServer();
    const channel = await connected(server, { imap_move_to: "Missing" });
    for (let round = 1; round <= 6; round += 1) {
      server.append(mail(`One of ${round}`));
      server.append(mail(`Two of ${round}`));
      await work();
      expect((await bodiesOf(channel)).slice(-2)).toEqual([`One of ${round}`, `Two of ${round}`]);
    }
    expect([server.count(), await settingsOf(channel)]).toMatchObject([
      12,
      { status: "error", error: "The mail server cannot move mails to the folder Missing." },
    ]);
    const caller = await operator();
    await caller.change((change) => changeChannel(change, channel.id, { imap_move_to: "Done" }));
    server.append(mail("At last"));
    await work();
    expect([server.count("Done"), await settingsOf(channel)]).toMatchObject([1, { status: "active", error: null }]);
  });

  it("a mail arrives within seconds, by IDLE, without a poll", async () => {
    await using server = await startImapServer();
    const channel = await connected(server);
    const { worker } = world.service;
    await worker.start();
    try {
      await expect.poll(() => server.connections(), { timeout: 5000 }).toBe(1);
      await expect.poll(async () => (await marks(channel)).length, { timeout: 5000 }).toBe(1);
      server.append(mail("Now"));
      await expect.poll(() => bodiesOf(channel), { timeout: 5000 }).toEqual(["Now"]);
    } finally {
      await worker.stop();
    }
  });

  const marks = ({ id }: { id: number }) =>
    world.service.database.rows<{ last_uid: number; leased_by: number }>(
      "select last_uid, leased_by from mailboxes where channel_id = ? and uid_validity is not null",
      [id],
    );

  it("two workers: one reads it, and each mail is one message", async () => {
    await using server = await startImapServer();
    const channel = await connected(server);
    const bodies = Array.from({ length: 20 }, (_value, index) => `Mail ${index}`);
    for (const body of bodies) server.append(mail(body));
    world.clock.advance({ minutes: 1 });
    await Promise.all([world.service.worker.runOnce(), other.worker.runOnce()]);
    expect([await bodiesOf(channel), server.connections()]).toEqual([bodies, 1]);
  });

  it("a worker that stops leaves the mailbox to another at once", async () => {
    await using server = await startImapServer();
    const channel = await connected(server);
    const { worker } = world.service;
    await worker.start();
    await expect.poll(() => server.connections()).toBe(1);
    await expect.poll(() => marks(channel)).toHaveLength(1);
    await worker.stop();
    server.append(mail("One"));
    await other.worker.runOnce();
    expect(await bodiesOf(channel)).toEqual(["One"]);
  });

  it("a worker that dies leaves the mailbox to another when its lease has ended", async () => {
    await using server = await startImapServer();
    const channel = await connected(server);
    await work();
    await world.service.database.transaction(async ({ send }) => send("update mailboxes set due_at = leased_until"));
    server.append(mail("One"));
    await work(other);
    expect(await bodiesOf(channel)).toEqual([]);
    world.clock.advance({ minutes: 2 });
    await work(other);
    expect(await bodiesOf(channel)).toEqual(["One"]);
  });

  it("the mailbox of a process that has ended is read at once, not at its next poll", async () => {
    await using server = await startImapServer();
    const channel = await connected(server);
    await work();
    const leaseTo = (worker: string) =>
      world.service.database.transaction(async ({ send }) => send(`update mailboxes set leased_by = (${worker})`));
    server.append(mail("One"));
    await other.worker.runOnce();
    expect(await bodiesOf(channel)).toEqual([]);
    await world.service.database.transaction(async ({ send }) =>
      send(
        "insert into workers (machine, pid, started_at, seen_at) select machine, 99999999, 1, seen_at from workers limit 1",
      ),
    );
    await leaseTo("select id from workers where pid = 99999999");
    await other.worker.runOnce();
    expect(await bodiesOf(channel)).toEqual(["One"]);
  });

  it("a kill between the commit of a mail and its UID, and mails that are numbered anew, repeat nothing", async () => {
    await using server = await startImapServer();
    const channel = await connected(server);
    server.append(mail("One"));
    server.append(mailOf({ "Message-ID": undefined }, "Two"));
    await work();
    await world.service.database.transaction(async ({ send }) => send("update mailboxes set last_uid = 0"));
    await work();
    server.renumber();
    server.append(mail("Three"));
    await work();
    await work();
    expect(await bodiesOf(channel)).toEqual(["One", "Two", "Three"]);
  });

  it("a lost server sets the channel to error, with the reason, and it recovers by itself", async () => {
    const server = await startImapServer();
    const channel = await connected(server);
    await work();
    await server[Symbol.asyncDispose]();
    await work();
    expect(await settingsOf(channel)).toMatchObject({
      status: "error",
      error: `The connection to the mail server failed (ECONNREFUSED 127.0.0.1:${server.port}).`,
    });
    await using again = await startImapServer({ port: server.port });
    again.append(mail("One"));
    await work();
    expect(await settingsOf(channel)).toMatchObject({ status: "active", error: null });
    expect(await bodiesOf(channel)).toEqual(["One"]);
  });

  it("mails whose files cannot be stored are tried again for as long as that lasts", async () => {
    await using server = await startImapServer();
    const channel = await connected(server);
    const folder = world.service.settings.blobUrl.slice("fs:".length);
    const file = parts("b", plainPart("Two, with a file"), filePart("filename=a.txt", "text/plain", "a"));
    server.append(mail("One"));
    server.append(mailOf({ "Message-ID": `<file.${kind}@x.example>`, ...multipart("mixed", "b") }, ...file));
    // No file can be written below a file.
    await rm(folder, { recursive: true, force: true });
    await writeFile(folder, "");
    for (let attempt = 0; attempt < 8; attempt += 1) {
      world.clock.advance({ minutes: 20 });
      await work();
    }
    expect(await bodiesOf(channel)).toEqual(["One"]);
    const error = "The service cannot store a mail of the mailbox at the moment.";
    expect(await settingsOf(channel)).toMatchObject({ status: "error", error });
    await rm(folder);
    world.clock.advance({ minutes: 20 });
    await work();
    expect(await bodiesOf(channel)).toEqual(["One", "Two, with a file"]);
    expect(await settingsOf(channel)).toMatchObject({ status: "active", error: null });
  });

  it("a wrong password is an error until the right one is set, and both directions are tested", async () => {
    await using server = await startImapServer();
    await using smtp = await startMailServer();
    const channel = await connected(server, {
      imap_password: "wrong",
      transport: "smtp",
      transport_url: smtp.url,
    });
    const tested = async () =>
      testChannel(await operator(), world.service.outside, { id: channel.id, to: "a@b.example" });
    const reason = expect.stringMatching(/^The mail server rejected the user name or password\./);
    await work();
    expect(await settingsOf(channel)).toMatchObject({ status: "error", error: reason });
    expect(await tested()).toMatchObject({ reason: null, imap_reason: reason });
    expect(await settingsOf(channel)).toMatchObject({ status: "error", error: reason });
    await (await operator()).change((change) => changeChannel(change, channel.id, { imap_password: password }));
    await work();
    expect(await settingsOf(channel)).toMatchObject({ status: "active", error: null });
    expect(await tested()).toMatchObject({ reason: null, imap_reason: null });
  });

  it("a mailbox that cannot be read holds back no messages of workflows; one that cannot be sent does", async () => {
    await using server = await startImapServer();
    const smtp = await startMailServer();
    const channel = await connected(server, { imap_password: "wrong", transport: "smtp", transport_url: smtp.url });
    await work();
    expect(await settingsOf(channel)).toMatchObject({ status: "error" });
    const workflow = await givenWorkflow(world, {
      greet: { type: "send_message", channel_id: channel.id, body: "Hello" },
    });
    const greet = async () => {
      for (let count = 0; count < 5; count += 1) await givenRun(world, workflow, (await givenContact(world)).id);
      await work();
    };
    await greet();
    expect(smtp.mails).toHaveLength(5);
    expect(await settingsOf(channel)).toMatchObject({ status: "error", error: expect.stringMatching(/rejected/) });

    await smtp[Symbol.asyncDispose]();
    await greet();
    // Read again without success: why it cannot send is still known.
    await work();
    expect(await settingsOf(channel)).toMatchObject({ status: "error", error: expect.stringMatching(/ECONNREFUSED/) });
    await greet();
    const [waiting] = await world.service.database.rows<{ count: number }>(
      "select count(*) as count from workflow_runs where awaited_channel_id = ?",
      [channel.id],
    );
    expect(Number(waiting!.count)).toBeGreaterThanOrEqual(5);
  });

  it("a folder that is not there is named", async () => {
    await using server = await startImapServer();
    const channel = await connected({ url: `${server.url}/Nowhere` });
    await work();
    expect((await settingsOf(channel))!.error).toMatch(/^The mail server cannot open the folder Nowhere\./);
  });

  it("the password is stored encrypted, and shown nowhere", async () => {
    await using server = await startImapServer();
    const channel = await connected(server);
    const rows = await world.service.database.rows("select * from mailboxes", []);
    expect(JSON.stringify([rows, channel, await settingsOf(channel)])).not.toContain(password);
  });

  it.each<[what: string, fields: Partial<ChannelPatch>, errors: object]>([
    [
      "a password in the URL",
      { imap_url: "imaps://a:b@x.example", imap_password: "c" },
      { imap_url: [expect.stringMatching(/must not carry a password/)] },
    ],
    [
      "no user",
      { imap_url: "imaps://x.example", imap_password: "c" },
      { imap_url: [expect.stringMatching(/must be imaps:\/\/USER@HOST/)] },
    ],
    ["no password", { imap_url: "imaps://a@x.example" }, { imap_password: [expect.any(String)] }],
    ["another scheme", { imap_url: "pop3://a@x.example", imap_password: "c" }, { imap_url: [expect.any(String)] }],
    [
      "a private address, chosen by a manager",
      { imap_url: "imap://a@10.0.0.1", imap_password: "c" },
      { imap_url: [expect.stringMatching(/must be a public address/)] },
    ],
  ])("%s is refused", async (_what, fields, errors) => {
    const manager = { id: world.acme, role: "manager", locationIds: [world.north] } as const;
    const person = personCaller({ userId: world.users.nora, name: "Nora" }, manager);
    const caller = world.service.callAs({ ...person, location: (await operator()).location });
    const input = { kind: "email" as const, name: "Mail", address: "desk@x.example" };
    const { carryOut } = world.service;
    await expect(carryOut(createChannel, caller, { input: { ...input, ...fields } })).rejects.toMatchObject({ errors });
    const { id: channel } = await givenChannel(world, input);
    await expect(carryOut(updateChannel, caller, { channel, input: fields })).rejects.toMatchObject({ errors });
  });
});
