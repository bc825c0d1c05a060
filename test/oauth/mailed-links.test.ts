/** Mailed links: the message that a real mail server gets, the cases without a message, and no disclosure of which accounts exist. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { removeTwoFactor } from "../../src/tenancy/users/user.operations.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { startMailServer } from "../support/mail-server.ts";
import type { MailServer, ReceivedMail } from "../support/mail-server.ts";
import { givenPasswords } from "../support/marketplace.ts";
import { createPerson, password } from "../support/person.ts";
import type { Page } from "../support/person.ts";
import { createTerminal, setUpAcme } from "../support/terminal.ts";
import { appWith, givenSecondFactor } from "../support/two-factor.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const from = "Acme <crm@acme.example>";

/** The link in a mail, as its reader sees it. */
function linkIn({ raw }: ReceivedMail): string {
  return /http:\/\/\S+/.exec(raw.replaceAll("=\r\n", ""))?.[0] ?? "";
}

describe.each(sampleOf("OAuth: mailed links", 1, databaseKinds))("a forgotten password on %s", (kind) => {
  let world: World;
  let server: MailServer;
  beforeAll(async () => {
    server = await startMailServer({ rcpt: (to) => (to.startsWith("otto@") ? [550, "No such user"] : undefined) });
    world = await createWorld(kind, {
      environment: { CRM_SMTP_URL: server.url, CRM_MAIL_FROM: from, CRM_TRUSTED_PROXIES: "127.0.0.1" },
      quiet: true,
    });
    await givenPasswords(world);
  });
  afterAll(async () => {
    await world?.close();
    await server?.[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    world.clock.advance({ minutes: 61 });
    server.mails.length = 0;
  });

  async function ask(email: string, address = "198.51.100.1"): Promise<Page> {
    const person = createPerson(world.url);
    return person.submit(await person.get("/forgotten-password"), { email }, { "x-forwarded-for": address });
  }

  test("is replaced by way of the mail, once", async () => {
    expect((await ask(" OLGA@acme.example ")).status).toBe(200);
    await expect.poll(() => server.mails.length).toBe(1);
    const [mail] = server.mails;
    expect(mail).toMatchObject({
      from: "crm@acme.example",
      to: ["olga@acme.example"],
      headers: { from: [from], to: ["Olga <olga@acme.example>"], subject: ["Choose a new password"] },
    });
    const link = new URL(linkIn(mail!));
    expect(link.origin).toBe(world.url);

    // The request alone changes nothing: the old password still works.
    await createPerson(world.url).signIn("olga@acme.example", password);
    const person = createPerson(world.url);
    const chosen = await person.submit(await person.get(link.pathname), { password: "another horse battery" });
    expect([chosen.status, chosen.location]).toEqual([303, "/"]);
    expect((await person.get(link.pathname)).status).toBe(404);
    await createPerson(world.url).signIn("olga@acme.example", "another horse battery");
  });

  test("nobody learns whether there is such an account, nor whether a mail arrived", async () => {
    const pages = [];
    for (const email of ["olga@acme.example", "nobody@acme.example", "otto@other.example", "", "no address", "\0"])
      pages.push(await ask(email));
    expect(new Set(pages.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    await expect.poll(() => server.mails.map(({ to }) => to)).toEqual([["olga@acme.example"]]);
  });

  test("nobody is mailed by the dozen, and no address asks for everybody", async () => {
    const statuses = [];
    for (let n = 1; n <= 5; n++) statuses.push((await ask("olga@acme.example", `198.51.100.${n}`)).status);
    for (let n = 1; n <= 21; n++) statuses.push((await ask(`${n}@acme.example`, "203.0.113.5")).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429, ...Array<number>(20).fill(200), 429]);
    await expect.poll(() => server.mails.length).toBe(3);
  });

  test("a person is told of every change of their second factor, and of a recovery code that was used", async () => {
    const email = "nora@acme.example";
    const nora = createPerson(world.url);
    await nora.signIn(email);
    const seen = async (subject: string, words: string) => {
      await expect
        .poll(() => server.mails.map(({ to, headers }) => [to, headers["subject"]]))
        .toEqual([[[email], [subject]]]);
      const [mail] = server.mails.splice(0);
      expect(mail!.raw.replaceAll(/=\r\n/g, "")).toContain(words);
      expect(linkIn(mail!)).toBe(`${world.url}/me`);
      return mail!.raw;
    };
    const page = await nora.get("/me/two-factor");
    const key = /class="key">([^<]+)</.exec(page.text)![1]!.replaceAll(/\s/g, "");
    const app = appWith(world, key);
    await nora.submit(page, { password: "wrong", code: app.code() });
    await nora.submit(page, { password, code: "000000" });
    const done = await nora.submit(page, { password, code: app.code() });
    const codes = [...done.text.matchAll(/<li><code>([^<]+)</g)].map(([, code]) => code!);
    const raw = await seen("Two-factor sign-in is on", "was turned on for your account");
    for (const secret of [key, password, ...codes]) expect(raw).not.toContain(secret);

    const other = createPerson(world.url);
    await other.signIn(email);
    await other.submit(await other.get("/sign-in/code"), { code: codes[0]! });
    await seen("A recovery code was used", "It does not work again.");
    await nora.submit(await nora.get("/me/two-factor/recovery-codes"), { code: codes[1]! });
    await seen("Your recovery codes were replaced", "The earlier ones no longer work.");
    world.clock.advance({ minutes: 1 });
    await nora.submit(await nora.get("/me/two-factor/off"), { password, code: app.code() });
    await seen("Two-factor sign-in is off", "was turned off for your account");

    await givenSecondFactor(world, world.users.nora);
    const { carryOut, inWorkspace } = world.service;
    for (const wasOn of [true, false])
      expect(await carryOut(removeTwoFactor, inWorkspace(world.acme), { user: world.users.nora })).toMatchObject({
        was_on: wasOn,
      });
    await seen("Two-factor sign-in is off", "The operator of this service");
  });

  test("a form of others asks for nothing", async () => {
    const answer = await createPerson(world.url).post("/forgotten-password", { email: "olga@acme.example" });
    expect(answer.status).toBe(403);
  });
});

test("the terminal mails a link, and prints it where the server does not take it", async () => {
  await using server = await startMailServer({ rcpt: (_to, number) => (number > 2 ? [451, "Try later"] : undefined) });
  const terminal = await createTerminal("sqlite");
  const environment = { ...terminal.environment, CRM_SMTP_URL: server.url, CRM_MAIL_FROM: from };
  async function run(...line: string[]) {
    const { code, stdout, stderr } = await terminal.run([...line, "--json"], { environment });
    expect({ line, code }).toEqual({ line, code: 0 });
    return { printed: JSON.parse(stdout) as object, stderr };
  }
  try {
    await setUpAcme(terminal);
    const invited = { id: 2, email: "grace@acme.example" };
    const mailed = [
      await run("users", "invite", "grace@acme.example", "--role", "member"),
      await run("users", "reset-password", "grace@acme.example"),
    ];
    expect(mailed).toEqual([
      { printed: { ...invited, role: "member", mailed: true }, stderr: "" },
      { printed: { ...invited, mailed: true }, stderr: "" },
    ]);
    expect(server.mails.map((mail) => [mail.headers["subject"], new URL(linkIn(mail)).pathname.split("/")[1]])).toEqual(
      [
        [["You are invited to Acme"], "invitation"],
        [["Choose a new password"], "reset"],
      ],
    );
    const refused = await run("users", "reset-password", "grace@acme.example");
    expect(refused).toEqual({
      printed: { ...invited, reset_url: expect.stringContaining("/reset/crm_reset_") },
      stderr: expect.stringContaining(
        "“Choose a new password” was not mailed to grace@acme.example. The mail server deferred it:",
      ),
    });
  } finally {
    await terminal.close();
  }
});
