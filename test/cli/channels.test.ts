/** Channels from the terminal: what is printed, what --json carries, what is refused. */
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { sampleOf } from "../support/chance.ts";
import { startMailServer } from "../support/mail-server.ts";
import { databaseKinds } from "../support/databases.ts";
import { createTerminal, setUpAcme } from "../support/terminal.ts";
import type { Terminal } from "../support/terminal.ts";

describe.each(sampleOf("commands: channels", 1, databaseKinds))("on %s", (kind) => {
  let terminal: Terminal;
  beforeAll(async () => {
    terminal = await createTerminal(kind);
    await setUpAcme(terminal);
  });
  afterAll(() => terminal?.close());

  const inbound_url = expect.stringMatching(/^http:\/\/127\.0\.0\.1:3000\/inbound\/crm_in_\w{36}$/);
  const desk = {
    id: 1,
    kind: "email",
    name: "Desk",
    address: "desk@example.com",
    status: "active",
    created_at: expect.stringMatching(/Z$/),
    inbound_address: "desk@example.com",
    outbound_address: "desk@example.com",
  };
  const kept = { transport: "log", transport_url: null, imap_url: null, imap_move_to: null, error: null };
  const moved = { ...desk, name: "Front desk", inbound_address: "in@example.com" };
  // In this order: each row stands on those before it.
  test.each([
    [["create", "Desk", "--kind", "email", "--address", "desk@example.com"], { ...desk, inbound_url }],
    [["list"], [{ ...desk, ...kept }]],
    [["list", "--inbound-urls"], [{ ...desk, ...kept, inbound_url }]],
    [["show", "1"], { ...desk, ...kept }],
    [["update", "1", "--name", "Front desk", "--inbound-address", "in@example.com"], moved],
    [["pause", "1"], { ...moved, status: "paused", waiting_runs: 0 }],
    [["resume", "1"], { ...moved, waiting_runs: 0 }],
    [["rotate", "1"], { ...moved, inbound_url }],
    [["update", "1", "--inbound-address", ""], { ...moved, inbound_address: "desk@example.com" }],
  ])("%j", async (parameters, expected) => {
    expect(await terminal.json("channels", ...parameters)).toEqual(expected);
  });

  it("prints the inbound URL again, and another one after it was rotated", async () => {
    const { inbound_url: first } = await terminal.json("channels", "create", "Texts", "--kind", "sms");
    const shown = async () => (await terminal.run(["channels", "list", "--inbound-urls"])).stdout;
    expect(await shown()).toContain(first);
    const { inbound_url: second } = await terminal.json("channels", "rotate", "2");
    expect(second).not.toBe(first);
    expect(await shown()).toContain(second);
    expect(await shown()).not.toContain(first);
  });

  it("mail: the password comes by stdin, and is in no output; a test goes out at once", async () => {
    await using server = await startMailServer({ password: "a-password" });
    const create = ["channels", "create", "Mail", "--kind", "email", "--address", "mail@example.com", "--json"];
    const url = server.url.replace("smtp://", "smtp://desk@");
    const made = await terminal.run(
      [...create, "--transport", "smtp", "--transport-url", url, "--transport-secret-stdin"],
      {
        input: "a-password\n",
      },
    );
    expect([made.code, made.stderr]).toEqual([0, ""]);
    const { id } = JSON.parse(made.stdout);
    const listed = await terminal.run(["channels", "list", "--inbound-urls", "--json"]);
    for (const { stdout } of [made, listed]) expect(stdout).not.toContain("a-password");
    expect(JSON.parse(listed.stdout)).toContainEqual(
      expect.objectContaining({ id, transport: "smtp", transport_url: url }),
    );
    const test = await terminal.json("channels", "test", String(id), "--to", "ada@example.com");
    expect(test).toEqual({ id, transport: "smtp", to: "ada@example.com", taken: true });
    expect(server.mails).toMatchObject([{ to: ["ada@example.com"], user: "desk" }]);
    const refusedSecret = [
      "channels",
      "update",
      String(id),
      "--transport-url",
      "smtp://127.0.0.1",
      "--transport-secret-stdin",
    ];
    expect((await terminal.run(refusedSecret, { input: "another" })).stderr).toMatch(
      /must name the user whose password/,
    );
    await terminal.run(["channels", "update", String(id), "--transport-secret-stdin"], { input: "another" });
    const refused = await terminal.run(["channels", "test", String(id), "--to", "ada@example.com"]);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toMatch(/rejected the user name or password.*535/);
    // The password goes with its user: a server that asks for none gets none.
    const relay = ["channels", "update", String(id), "--transport-url", "smtp://127.0.0.1:1025"];
    expect(await terminal.run(relay)).toMatchObject({ code: 0, stderr: "" });
  });

  it("one that cannot deliver says why, and a test that fails says where", async () => {
    const create = ["create", "Away", "--kind", "email", "--address", "away@example.com", "--transport", "smtp"];
    const { id } = await terminal.json("channels", ...create, "--transport-url", "smtp://127.0.0.1:1");
    const test = await terminal.run(["channels", "test", String(id), "--to", "ada@example.com"]);
    expect([test.code, test.stderr]).toEqual([1, expect.stringContaining("ECONNREFUSED 127.0.0.1:1")]);
    const contact = await terminal.json("contacts", "create", "--first-name", "Ada", "--email", "ada@example.com");
    const body = [String(contact.id), "Good morning!", "--channel", String(id)];
    await terminal.json("conversations", "start", ...body);
    expect((await terminal.run(["worker", "--once"])).code).toBe(0);
    const error = "The connection to the mail server failed (ECONNREFUSED 127.0.0.1:1).";
    const [shown, listed] = [
      await terminal.run(["channels", "show", String(id)]),
      await terminal.run(["channels", "list"]),
    ];
    expect(shown.stdout).toMatch(
      /status: +error\n[^]*transport url: +smtp:\/\/127\.0\.0\.1:1\n +error: +The connection/,
    );
    expect(listed.stdout).toContain(error);
  });

  it("a gateway: the secret that signs is shown once, and where it tells what became of messages", async () => {
    const create = ["create", "Gateway", "--kind", "sms", "--transport", "http"];
    const made = await terminal.json("channels", ...create, "--transport-url", "https://192.0.3.1/send");
    expect(made).toMatchObject({
      transport_secret: expect.stringMatching(/^whsec_/),
      receipts_url: made.inbound_url.replace("/inbound/", "/receipts/"),
    });
    const again = await terminal.json(
      "channels",
      "update",
      String(made.id),
      "--transport-url",
      "https://192.0.3.1/other",
    );
    expect(again).not.toHaveProperty("transport_secret");
    expect(await terminal.json("channels", "list")).toContainEqual(
      expect.objectContaining({ id: made.id, transport: "http", transport_url: "https://192.0.3.1/other" }),
    );
    const kept = await terminal.json("channels", "update", String(made.id), "--transport", "log");
    expect(kept).not.toHaveProperty("transport_secret");
    const beginAnew = ["--transport", "http", "--transport-url", "https://192.0.3.1/send"];
    const anew = await terminal.json("channels", "update", String(made.id), ...beginAnew);
    expect(anew.transport_secret).not.toBe(made.transport_secret);
  });

  it("prints both new URLs of a gateway when they are rotated", async () => {
    const create = ["create", "Gateway", "--kind", "sms", "--transport", "http"];
    const made = await terminal.json("channels", ...create, "--transport-url", "https://192.0.3.1/send");
    const { code, stdout } = await terminal.run(["channels", "rotate", String(made.id)]);
    const urls = stdout.split("\n").filter((line) => line.startsWith("http"));
    expect({ code, urls }).toEqual({
      code: 0,
      urls: [inbound_url, expect.stringMatching(/^http:\/\/127\.0\.0\.1:3000\/receipts\/crm_in_\w{36}$/)],
    });
    expect(urls).not.toContain(made.inbound_url);
  });

  const gateway = ["create", "Texts", "--kind", "sms", "--transport", "http"];
  test.each([
    [["create", "Fax", "--kind", "fax"], 2, /--kind.*call, email, sms/],
    [["create", "Desk", "--kind", "email", "--address", "desk"], 1, /--address must be a valid email address/],
    [["create", "Texts", "--kind", "sms", "--inbound-address", "a@b.example"], 1, /for email channels alone/],
    [["create", "", "--kind", "sms"], 1, /NAME is required/],
    [[...gateway, "--transport-url", "https://127.0.0.1/"], 1, /must be a public address/],
    [["test", "1", "--to", "a@b.example"], 1, /its transport is log/],
    [["test", "99", "--to", "a@b.example"], 1, /no such channel/],
    [["show", "99"], 1, /no such channel/],
    [["update", "1"], 2, /give at least one field/],
    [["pause", "99"], 1, /no such channel/],
  ])("%j is refused", async (parameters, code, sentence) => {
    const finished = await terminal.run(["channels", ...parameters]);
    expect(finished).toMatchObject({ code, stdout: "" });
    expect(finished.stderr).toMatch(sentence);
  });
});
