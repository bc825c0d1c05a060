/** Marketplace apps from the terminal: made as drafts, secrets shown once, published, changed. */
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { createTerminal, setUpAcme } from "../support/terminal.ts";
import type { Terminal } from "../support/terminal.ts";

const callback = "https://app.example.com/callback";
const secret = expect.stringMatching(/^crm_cs_[0-9A-Za-z]{36}$/);

describe.each(sampleOf("commands: apps", 1, databaseKinds))("crm apps on %s", (kind) => {
  let terminal: Terminal;
  beforeAll(async () => {
    terminal = await createTerminal(kind);
    await setUpAcme(terminal);
  });
  afterAll(() => terminal?.close());

  const create = (...flags: string[]) =>
    terminal.json("apps", "create", "Ledgerline", "--redirect-uri", callback, "--scope", "contacts.readonly", ...flags);

  it("makes a draft, with its scopes and redirect URIs once each", async () => {
    const more = ["--scope", "contacts.readonly", "--scope", "tags.write", "--redirect-uri", callback];
    expect(await create(...more)).toEqual({
      id: expect.any(Number),
      name: "Ledgerline",
      client_id: expect.stringMatching(/^crm_app_[0-9A-Za-z]{36}$/),
      client_secret: secret,
      status: "draft",
      redirect_uris: [callback],
      scopes: ["contacts.readonly", "tags.write"],
      billing: "none",
      install_type: "location",
      payment_page_url: null,
      price_cents: null,
      trial_days: null,
      webhook_url: null,
      webhook_id: null,
      published_at: null,
      created_at: expect.stringMatching(/Z$/),
    });
  });

  it("shows a secret once: no listing and no table has it", async () => {
    const { id, client_id, client_secret } = await create();
    const listed = await terminal.json("apps", "list");
    const { stdout } = await terminal.run(["apps", "list"]);
    expect(listed.find((app: { id: number }) => app.id === id)).toMatchObject({
      client_id,
      secret_last_four: client_secret.slice(-4),
    });
    expect(JSON.stringify(listed) + stdout).not.toContain(client_secret);
  });

  it("publishes once, and changes what is named alone", async () => {
    const { id, client_secret: _, ...made } = await create();
    const published = await terminal.json("apps", "publish", String(id));
    expect(published).toMatchObject({ status: "published", published_at: expect.stringMatching(/Z$/) });
    expect(await terminal.json("apps", "publish", String(id))).toEqual(published);
    expect(await terminal.json("apps", "update", String(id), "--name", "Ledgerline 2")).toEqual({
      ...published,
      name: "Ledgerline 2",
    });
    expect(published).toMatchObject({ redirect_uris: made.redirect_uris, scopes: made.scopes });
  });

  it("is paid for as the flags say", async () => {
    const page = "https://app.example.com/pay";
    const { id } = await create("--billing", "external", "--payment-page-url", page, "--install-type", "company");
    const listed = (await terminal.json("apps", "list")).find((app: { id: number }) => app.id === id);
    expect(listed).toMatchObject({ billing: "external", install_type: "company", payment_page_url: page });
    const platform = ["--billing", "platform", "--price-cents", "2900", "--trial-days", "14"];
    expect(await terminal.json("apps", "update", String(id), ...platform)).toMatchObject({
      billing: "platform",
      install_type: "company",
      payment_page_url: null,
      price_cents: 2900,
      trial_days: 14,
    });
    expect(await terminal.run(["apps", "publish", String(id)])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("this service has no payment processor. Set CRM_STRIPE_SECRET_KEY."),
    });
    expect(await terminal.run(["apps", "update", String(id), "--price-cents", "3900", "--existing"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("this service has no payment processor. Set CRM_STRIPE_SECRET_KEY."),
    });
    expect(await terminal.run(["billing", "refund", "7"])).toMatchObject({
      code: 1,
      stderr:
        "Error: Platform billing is unavailable: this service has no payment processor. Set CRM_STRIPE_SECRET_KEY.\n",
    });
    await terminal.json("apps", "update", String(id), "--billing", "none");
    expect(await terminal.json("apps", "update", String(id), "--existing")).toMatchObject({
      existing: { price_cents: null, subscriptions: 0 },
    });
  });

  it("has a webhook, whose secret is shown once, and whose deliveries are those of every webhook", async () => {
    const url = "https://app.example.com/hooks/crm";
    const made = await create("--webhook-url", url);
    expect(made).toMatchObject({ webhook_url: url, webhook_secret: expect.stringMatching(/^whsec_/) });
    const hook = String(made.webhook_id);
    expect(await terminal.json("hooks", "show", hook)).toMatchObject({
      target_url: url,
      events: ["app.installed", "app.uninstalled", "app.subscription_changed"],
    });
    await terminal.json("hooks", "test", hook);
    expect(await terminal.json("hooks", "deliveries", hook)).toMatchObject([{ event: "ping" }]);
    const update = (...flags: string[]) => terminal.json("apps", "update", String(made.id), ...flags);
    expect(await update("--no-webhook")).toMatchObject({ webhook_url: null, webhook_id: null });
    expect(await terminal.run(["hooks", "show", hook])).toMatchObject({ code: 1 });
    const { stdout } = await terminal.run(["apps", "update", String(made.id), "--webhook-url", url]);
    expect(stdout).toMatch(/^Updated app .*\nwebhook secret: whsec_\S+\nThe secret is shown only once\.\n$/);
    expect(JSON.stringify(await terminal.json("apps", "list"))).not.toContain(made.webhook_secret);
  });

  it("rotates: the same client id with another secret", async () => {
    const made = await create();
    const rotated = await terminal.json("apps", "rotate-secret", String(made.id));
    expect(rotated).toEqual({ ...made, client_secret: secret });
    expect(rotated.client_secret).not.toBe(made.client_secret);
  });

  test.each([
    [
      ["create", "x", "--redirect-uri", "http://app.example.com/", "--scope", "tags.write"],
      1,
      "--redirect-uri must begin with https://, or with http:// on localhost, 127.0.0.1 or [::1].",
    ],
    [["create", " ", "--redirect-uri", callback, "--scope", "tags.write"], 1, "NAME is required."],
    [
      ["update", "1"],
      2,
      "Nothing to change: give --name, --redirect-uri, --scope, --webhook-url, --billing or a flag of its billing.",
    ],
    [["update", "77", "--name", "x"], 1, "There is no such app."],
    [
      ["update", "1", "--price-cents", "free"],
      2,
      '--price-cents is "free"; expected a whole number from 0 to 999999999.',
    ],
    [
      ["create", "x", "--redirect-uri", callback, "--scope", "tags.write", "--webhook-url", "http://10.0.0.1/"],
      1,
      "--webhook-url must be an https:// address.",
    ],
    [["publish", "77"], 1, "There is no such app."],
    [["rotate-secret", "77"], 1, "There is no such app."],
  ])("crm apps %j exits %i with one sentence", async (parameters, code, sentence) => {
    expect(await terminal.run(["apps", ...parameters])).toMatchObject({
      code,
      stdout: "",
      stderr: `Error: ${sentence}\n`,
    });
  });
});
