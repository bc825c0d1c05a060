/** Two workers on one mailbox, killed by turns: every mail becomes exactly one message. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { chanceOf, repetitions, sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { startImapServer } from "../support/imap-server.ts";
import { filePart, mailOf, multipart, parts, plainPart } from "../support/mails/build-mail.ts";
import { startCrm } from "../support/node-process.ts";
import { changeRows } from "./change-rows.ts";
import { openSystem } from "./tested-system.ts";
import { until } from "./until.ts";

const password = "mailbox-password";
const rounds = repetitions(3, 5);
const perRound = 20;

describe.each(sampleOf("Faults: mailboxes", 1, databaseKinds))("a mailbox on %s", (kind) => {
  test(`two workers, of which one is killed, ${rounds} times: each mail is one message`, async () => {
    const chance = chanceOf(`kill -9 of a worker that reads a mailbox on ${kind}`);
    await using server = await startImapServer({ password });
    await using system = await openSystem(kind);
    const made = await startCrm(
      [
        "channels",
        "create",
        "Desk",
        "--kind",
        "email",
        "--address",
        "desk@acme.example",
        "--imap-url",
        server.url,
        "--imap-password-stdin",
      ],
      { environment: system.environment, directory: system.place.directory, input: `${password}\n` },
    ).finished;
    expect([made.code, made.stderr]).toEqual([0, ""]);

    let sent = 0;
    const append = (): void => {
      sent += 1;
      const headers = { ...multipart("mixed", "m"), "Message-ID": `<${sent}@x.example>` };
      server.append(
        mailOf(
          headers,
          ...parts("m", plainPart(`Mail ${sent}`), filePart('filename="a.txt"', "text/plain", `${sent}`)),
        ),
      );
    };
    const bodies = () => system.rows<{ body: string }>("select body from messages order by id");
    /** The minute passes after which a mailbox is read without a notice of its server. */
    const hasten = () => changeRows(system, "update mailboxes set due_at = ?", [new Date(Date.now() - 1000)]);
    let one = system.start("worker");
    await one.match(/worker running/);
    await until("the mailbox is open", () => server.connections() > 0, 30_000);
    for (let round = 0; round < rounds; round++) {
      const other = system.start("worker");
      await other.match(/worker running/);
      const before = (await bodies()).length;
      for (let number = 0; number < perRound; number++) append();
      await hasten();
      await until("a mail has arrived", async () => (await bodies()).length > before, 60_000);
      await sleep(chance() * 150);
      one.signal("SIGKILL");
      await one.finished.catch(() => {});
      one = other;
      await hasten();
    }
    await until("all have arrived", async () => (await bodies()).length >= sent, 90_000);
    expect((await bodies()).map(({ body }) => body).toSorted()).toEqual(
      Array.from({ length: sent }, (_value, place) => `Mail ${place + 1}`).toSorted(),
    );
    expect(
      await system.rows(
        "select id from messages where 1 <> (select count(*) from attachments where message_id = messages.id)",
      ),
    ).toEqual([]);
    one.signal("SIGTERM");
    expect((await one.finished).code).toBe(0);
  });
});
