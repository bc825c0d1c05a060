/** `crm hooks` as the documents walk through it: real processes, a receiver in one terminal and a service in another. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createConsola } from "consola";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { loadSettings } from "../../config/settings.loading.ts";
import { openService } from "../../src/service.ts";
import { sendTest } from "../../src/webhooks/deliveries/delivery.service.ts";
import { sign, toSigningKey } from "../../src/webhooks/signature.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { runCrm, startCrm } from "../support/node-process.ts";
import { runInSession } from "../support/terminal-session.ts";
import { startReceiver, toLoopback } from "../support/receiver.ts";
import { createTerminal, setUpAcme } from "../support/terminal.ts";
import type { Terminal } from "../support/terminal.ts";

describe.each(sampleOf("commands: hooks", 1, databaseKinds))("the walk on %s", (kind) => {
  let terminal: Terminal;
  beforeEach(async () => {
    terminal = await createTerminal(kind);
    Object.assign(terminal.environment, toLoopback);
    await setUpAcme(terminal);
  });
  afterEach(() => terminal?.close());

  it(
    "listen, create, test, a contact: signed deliveries arrive, and SIGTERM ends the service",
    { timeout: 60_000 },
    async () => {
      const { json, environment, directory } = terminal;
      await using probe = await startReceiver();
      const hook = await json("hooks", "create", "contact.created", "--url", probe.url, "--location", "1");
      expect(hook).toEqual({
        id: 1,
        events: ["contact.created"],
        target_url: probe.url,
        location_id: 1,
        secret: expect.stringMatching(/^whsec_[\w-]{43}$/),
      });
      await using listen = startCrm(["hooks", "listen", "--port", "0", "--fail", "1", "--json"], {
        environment: { ...environment, CRM_HOOK_SECRET: hook.secret },
        directory,
      });
      const [, url] = (await listen.match(/"listening":"(http[^"]+)"/)) as unknown as [string, string];
      const second = await json("hooks", "create", "--all", "--url", url);
      expect(second.events).toBeNull();

      await using serve = startCrm(["serve", "--port", "0"], {
        environment: { ...environment, CRM_WEBHOOK_RETRY_DELAYS: "1,1,1,1" },
        directory,
      });
      await serve.match(/crm listening on/);
      const ping = await json("hooks", "test", "1");
      expect(ping).toMatchObject({ event: "ping", state: "pending" });
      await expect.poll(() => probe.arrivals.map(({ event }) => event), { timeout: 10_000 }).toEqual(["ping"]);
      await json("contacts", "create", "--first-name", "Ada", "--last-name", "Lovelace");
      await expect
        .poll(() => probe.arrivals.map(({ event }) => event), { timeout: 10_000 })
        .toEqual(["ping", "contact.created"]);
      // The other webhook has another secret, and its receiver failed once: told as such, and tried again.
      await listen.match(/"again":true/);
      expect(listen.printed().stdout).toContain('"valid":false,"reason":"No signature in the header matches');
      const deliveries = await json("hooks", "deliveries", "1");
      expect(deliveries.map(({ event, state }: { event: string; state: string }) => [event, state])).toEqual([
        ["contact.created", "delivered"],
        ["ping", "delivered"],
      ]);
      serve.signal("SIGTERM");
      expect((await serve.finished).code).toBe(0);
      listen.signal("SIGINT");
      expect((await listen.finished).code).toBe(0);
    },
  );

  it(
    "rotate-secret --grace signs with both; pause lets events wait; resume sends them; remove ends it",
    { timeout: 60_000 },
    async () => {
      const { json, run } = terminal;
      await using probe = await startReceiver();
      const work = () => json("worker", "--once");
      const { id } = await json("hooks", "create", "contact.created", "contact.updated", "--url", probe.url);
      expect(await json("hooks", "rotate-secret", String(id), "--grace", "24h")).toMatchObject({
        id,
        secret: expect.stringMatching(/^whsec_/),
        old_secret_until: expect.any(String),
      });
      expect(await json("hooks", "pause", String(id))).toMatchObject({ status: "paused" });
      await json("contacts", "create", "--first-name", "Ada", "--last-name", "Lovelace");
      await work();
      expect(probe.arrivals).toEqual([]);
      expect(await json("hooks", "show", String(id))).toMatchObject({ id, target_url: probe.url, status: "paused" });
      await json("hooks", "resume", String(id));
      await work();
      expect(probe.arrivals.map(({ headers }) => headers["x-service-signature"])).toEqual([
        expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/),
      ]);
      const [delivery] = await json("hooks", "deliveries", String(id));
      await json("hooks", "replay", String(delivery.id));
      expect(await json("hooks", "replay", "--failed-since", "24h", "--hook", String(id))).toEqual({
        hook_id: id,
        replayed: 0,
      });
      await work();
      expect(probe.arrivals.map(({ body }) => body)).toEqual([probe.arrivals[0]!.body, probe.arrivals[0]!.body]);
      expect((await run(["hooks", "remove", String(id)])).code).toBe(2);
      expect(await json("hooks", "remove", String(id), "--yes")).toEqual({ id, removed: true });
      expect(await json("hooks", "list")).toEqual([]);
    },
  );

  it(
    "list tells of a webhook that has failed at everything for three days, and of none that did so for less",
    { timeout: 60_000 },
    async () => {
      const { json, run, environment, directory } = terminal;
      await using probe = await startReceiver(() => 500);
      const settings = loadSettings({ environment, directory });
      const since: string[] = [];
      for (const hours of [71, 73]) {
        const { id } = await json("hooks", "create", "--all", "--url", probe.url);
        const then = new Date(Date.now() - hours * 3_600_000);
        const service = await openService(settings, { log: createConsola({ level: 0 }), clock: { now: () => then } });
        await service.inWorkspace(1).change((change) => sendTest(change, id));
        await service.worker.runOnce();
        await service.close();
        since.push(then.toISOString());
      }
      const { code, stdout } = await run(["hooks", "list"]);
      expect(code).toBe(0);
      expect(stdout.match(/^Webhook .*/gm)).toEqual([
        `Webhook 2 (${probe.url}) has failed every attempt since ${since[1]}: see crm hooks deliveries 2.`,
      ]);
      expect((await run(["hooks", "deliveries", "2"])).stdout).toMatch(/ retrying .* 1 +500 /);
      expect(await json("hooks", "list")).toMatchObject([
        { id: 1, status: "active", failing_since: since[0] },
        { id: 2, status: "active", failing_since: since[1] },
      ]);
    },
  );
});

describe.each(sampleOf("commands: hooks 2", 1, databaseKinds))("refusals on %s", (kind) => {
  let terminal: Terminal;
  beforeAll(async () => {
    terminal = await createTerminal(kind);
    await setUpAcme(terminal);
  });
  afterAll(() => terminal?.close());

  it("update changes what is given, and nothing else", async () => {
    const { json, run } = terminal;
    const url = "https://192.0.3.1/";
    const { id } = await json("hooks", "create", "contact.created", "--url", url);
    const update = (...flags: string[]) => json("hooks", "update", String(id), ...flags);
    const events = ["task.created", "contact.updated"];
    expect(await update("--event", "task.created", "--event", "contact.updated")).toMatchObject({
      events,
      target_url: url,
      status: "active",
    });
    const moved = { events, target_url: "https://192.0.3.2/", status: "paused" };
    expect(await update("--target-url", "https://192.0.3.2/", "--status", "paused")).toMatchObject(moved);
    expect(await update("--all", "--status", "active")).toMatchObject({ ...moved, events: null, status: "active" });
    for (const [flags, code, sentence] of [
      [[], 2, /Nothing to change: give --event, --all, --target-url or --status\./],
      [["--all", "--event", "contact.created"], 2, /--all/],
      [["--event", "contact.crated"], 1, /--event must be the name of an event, such as contact\.created/],
      [["--target-url", "https://10.0.0.1/"], 1, /--target-url must be a public/],
      [["--status", "disabled"], 2, /--status is "disabled"; expected one of active, paused/],
    ] as const) {
      const ended = await run(["hooks", "update", String(id), ...flags]);
      expect([ended.code, ended.stderr]).toEqual([code, expect.stringMatching(sentence)]);
    }
  });

  test.each([
    [["hooks", "create", "--url", "https://192.0.3.1/"], 2, /Name at least one event/],
    [["hooks", "update", "99", "--all"], 1, /no such webhook/],
    [["hooks", "create", "contact.created", "--all", "--url", "https://192.0.3.1/"], 2, /Name at least one event/],
    [["hooks", "create", "contact.crated", "--url", "https://192.0.3.1/"], 1, /such as contact\.created/],
    [["hooks", "create", "contact.created", "--url", "https://10.0.0.1/"], 1, /--url must be a public/],
    [["hooks", "test", "99"], 1, /no such webhook/],
    [["hooks", "deliveries", "99"], 1, /no such webhook/],
    [["hooks", "replay"], 2, /Name one delivery/],
    [["hooks", "replay", "1", "--failed-since", "1h", "--hook", "1"], 2, /Name one delivery/],
    [["hooks", "replay", "--failed-since", "soon", "--hook", "1"], 2, /expected a time/],
  ] as const)("%j exits %i", async (parameters, code, sentence) => {
    const ended = await terminal.run(parameters);
    expect([ended.code, ended.stderr]).toEqual([code, expect.stringMatching(sentence)]);
  });
});

describe("verify needs no database", () => {
  const secret = "whsec_of_the_test";
  const environment = { CRM_DATABASE_URL: "postgres://nobody@127.0.0.1:1/none", CRM_HOOK_SECRET: secret };
  const headerFor = (body: string | Buffer, at = Date.now()) => sign(body, [toSigningKey(secret)], at);
  const verify = async (parameters: readonly string[], options: { input?: string; secret?: string } = {}) => {
    const { input = "", secret: other = secret } = options;
    const ended = await runInSession(["hooks", "verify", ...parameters, "--json"], {
      environment: { ...environment, CRM_HOOK_SECRET: other },
      input,
    });
    return { code: ended.code, ...JSON.parse(ended.stdout) };
  };

  it("takes what was signed, from a pipe and from a file of ten mebibytes", async () => {
    const valid = { code: 0, valid: true, reason: null };
    const piped = await runCrm(["hooks", "verify", "--signature", headerFor('{"id":1}'), "--json"], {
      environment,
      input: '{"id":1}',
    });
    expect({ code: piped.code, ...JSON.parse(piped.stdout) }).toEqual(valid);
    expect(await verify(["--signature", headerFor("")])).toEqual(valid);
    const terminal = await createTerminal("sqlite");
    const file = join(terminal.directory, "body.json");
    const large = Buffer.alloc(10 << 20, "é");
    writeFileSync(file, large);
    expect(await verify([file, "--signature", headerFor(large)])).toEqual(valid);
    expect(await verify([file, "--signature", headerFor("")])).toMatchObject({ code: 1, valid: false });
    await terminal.close();
  });

  test.each([
    ["an empty body", ["--signature", headerFor("x")], {}, /No signature in the header matches/],
    ["another secret", ["--signature", headerFor("x")], { input: "x", secret: "whsec_x" }, /No signature/],
    ["an old one", ["--signature", headerFor("x", 0)], { input: "x" }, /too old/],
    ["one of tomorrow", ["--signature", headerFor("x", Date.now() + 86_400_000)], { input: "x" }, /too new/],
    ["an empty header", ["--signature", ""], { input: "x" }, /No signature: /],
    ["no header of ours", ["--signature", "sha256=abc"], { input: "x" }, /malformed/],
  ])("refuses %s, and says why", async (_what, parameters, options, reason) => {
    expect(await verify(parameters, options)).toEqual({ code: 1, valid: false, reason: expect.stringMatching(reason) });
  });

  it("tolerates as much as it is told to", async () => {
    const old = headerFor("x", Date.now() - 3_000_000);
    expect(await verify(["--signature", old, "--tolerance", "3600"], { input: "x" })).toMatchObject({ code: 0 });
  });

  test.each([
    [["hooks", "verify"], 2, /signature/],
    [["hooks", "verify", "/nowhere", "--signature", "x"], 1, /\/nowhere cannot be read \(ENOENT\)/],
    [["hooks", "verify", "body.json", "--signature", "x"], 1, /^Error: body\.json cannot be read \(ENOENT\)\.$/m],
  ])("%j exits %i with one sentence", async (parameters, code, sentence) => {
    const ended = await runInSession(parameters, { environment });
    expect([ended.code, ended.stderr]).toEqual([code, expect.stringMatching(sentence)]);
  });

  it("without a secret says where it comes from", async () => {
    const ended = await runInSession(["hooks", "verify", "--signature", "x"]);
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringMatching(/CRM_HOOK_SECRET/)]);
  });
});
