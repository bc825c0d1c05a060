/** Channels from the terminal: what is printed, what --json carries, what is refused. */
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { databaseKinds } from "../support/databases.ts";
import { createTerminal, setUpAcme } from "../support/terminal.ts";
import type { Terminal } from "../support/terminal.ts";

describe.each(databaseKinds)("on %s", (kind) => {
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
  const moved = { ...desk, name: "Front desk", inbound_address: "in@example.com" };
  // In this order: each row stands on those before it.
  test.each([
    [["create", "Desk", "--kind", "email", "--address", "desk@example.com"], { ...desk, inbound_url }],
    [["list"], [desk]],
    [["list", "--inbound-urls"], [{ ...desk, inbound_url }]],
    [["update", "1", "--name", "Front desk", "--inbound-address", "in@example.com"], moved],
    [["pause", "1"], { ...moved, status: "paused" }],
    [["resume", "1"], moved],
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

  test.each([
    [["create", "Fax", "--kind", "fax"], 2, /--kind.*call, email, sms/],
    [["create", "Desk", "--kind", "email", "--address", "desk"], 1, /address field must be a valid email address/],
    [["create", "Texts", "--kind", "sms", "--inbound-address", "a@b.example"], 1, /for email channels alone/],
    [["create", "", "--kind", "sms"], 1, /name field is required/],
    [["update", "1"], 2, /name at least one field/],
    [["pause", "99"], 1, /no such channel/],
  ])("%j is refused", async (parameters, code, sentence) => {
    const finished = await terminal.run(["channels", ...parameters]);
    expect(finished).toMatchObject({ code, stdout: "" });
    expect(finished.stderr).toMatch(sentence);
  });
});
