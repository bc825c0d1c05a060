/** Unsubscribing from a workflow's mail with one click (RFC 8058): what the mail says, what the link does, and what is sent afterwards. */
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { mergeContacts } from "../../src/crm/contacts/merging/merge.service.ts";
import type { WorkflowNode } from "../../src/crm/workflows/nodes/all.ts";
import { request } from "../support/client.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenChannel, givenContact, givenConversation, made } from "../support/given.ts";
import { startMailServer } from "../support/mail-server.ts";
import type { MailServer } from "../support/mail-server.ts";
import { givenRun, givenWorkflow, runOf } from "../support/workflows.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const oneClick = "List-Unsubscribe=One-Click";
const urlencoded = "application/x-www-form-urlencoded";
const multipart = `--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n`;

describe.each([...databaseKinds])("on %s", (kind) => {
  let world: World;
  let server: MailServer;
  let channel: { id: number };
  let workflow: number;
  let isBusy = false;
  beforeAll(async () => {
    world = await createWorld(kind, { quiet: true });
    server = await startMailServer({ rcpt: () => (isBusy ? [451, "Try again later"] : undefined) });
    const fields = { address: "desk@acme.example", transport: "smtp", transport_url: server.url } as const;
    channel = await givenChannel(world, { kind: "email", ...fields });
    const node: WorkflowNode = { type: "send_message", channel_id: channel.id, body: "Good morning!" };
    workflow = await givenWorkflow(world, { greet: node }, { allowReentry: true });
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await world?.close();
  });

  const work = () => world.service.worker.runOnce();
  const show = ({ id }: { id: number }) =>
    made(world.send("owner", "GET", `/contacts/${id}?location_id=${world.north}`));
  /** A contact whom a workflow has mailed, and the path that the mail names. */
  async function givenMailed() {
    const contact = await givenContact(world);
    await givenRun(world, workflow, contact.id);
    await work();
    const { headers } = server.mails.at(-1)!;
    const [, url = ""] = /^<(.+)>$/.exec(headers["list-unsubscribe"]?.[0] ?? "") ?? [];
    return { contact, headers, path: url === "" ? "" : new URL(url).pathname };
  }
  const click = (path: string, type = urlencoded, body: string = oneClick) =>
    request(world.url, { method: "POST", path, headers: { "content-type": type }, body });

  it("is offered by a mail of a workflow, and not by one that a person writes", async () => {
    const { contact, headers } = await givenMailed();
    expect(headers).toMatchObject({
      "list-unsubscribe": [expect.stringMatching(/^<https?:\/\/[^<>\s]+\/unsubscribe\/\d+-[\w-]{22}>$/)],
      "list-unsubscribe-post": [oneClick],
    });
    await givenConversation(world, { contact_id: contact.id, channel_id: channel.id, body: "It is me." });
    await work();
    expect(Object.keys(server.mails.at(-1)!.headers)).not.toContain("list-unsubscribe");
  });

  test.each<[how: string, type: string, body: string]>([
    ["urlencoded, as the page sends it", urlencoded, oneClick],
    ["multipart, as RFC 8058 prefers", "multipart/form-data; boundary=x", multipart],
  ])("one POST sets dnd, by the contact, once: %s", async (_how, type, body) => {
    const { contact, path } = await givenMailed();
    const { result, events } = await world.eventsDuring(async () => [
      await click(path, type, body),
      await click(path, type, body),
    ]);
    expect(result.map(({ status, text }) => [status, /You are unsubscribed/.test(text)])).toEqual([
      [200, true],
      [200, true],
    ]);
    expect(events).toMatchObject([
      {
        event: "contact.updated",
        contact_id: contact.id,
        changes: [{ field: "dnd", old: false, new: true }],
      },
    ]);
    const { dnd, activities } = await show(contact);
    expect(dnd).toBe(true);
    expect(activities[0]).toMatchObject({ kind: "contact.updated", actor: { type: "contact", id: contact.id } });
  });

  it("asks a person first: a GET shows a form and changes nothing", async () => {
    const { contact, path } = await givenMailed();
    const { result, events } = await world.eventsDuring(() => request(world.url, { method: "GET", path }));
    expect(result.status).toBe(200);
    expect(result.headers.getSetCookie()).toEqual([]);
    expect(result.text).toContain(`action="${path}"`);
    expect(result.text).toContain(contact.email);
    expect(events).toEqual([]);
    expect((await show(contact)).dnd).toBe(false);
  });

  it("holds for what a workflow has queued already and for what it will send; people can still write", async () => {
    const { contact, path } = await givenMailed();
    const before = server.mails.length;
    isBusy = true;
    await givenRun(world, workflow, contact.id);
    await work();
    isBusy = false;
    expect((await click(path)).status).toBe(200);
    world.clock.advance({ minutes: 1 });
    const { events } = await world.eventsDuring(work);
    expect(events.flatMap(({ event, data }) => (event === "message.failed" ? [data.error] : []))).toEqual([
      "The contact is set to do not disturb, and messages of workflows are not sent.",
    ]);
    const later = await givenRun(world, workflow, contact.id);
    await work();
    expect((await runOf(world, later)).ended_reason).toBe("dnd");
    expect(server.mails).toHaveLength(before);
    await givenConversation(world, { contact_id: contact.id, channel_id: channel.id, body: "Your order is ready." });
    await work();
    expect(server.mails).toHaveLength(before + 1);
  });

  it("holds after the conversation was deleted, with the mail", async () => {
    const { contact, path } = await givenMailed();
    const [{ id }] = (await show(contact)).conversations;
    await made(world.send("owner", "DELETE", `/conversations/${id}?location_id=${world.north}`));
    expect((await click(path)).status).toBe(200);
    expect((await show(contact)).dnd).toBe(true);
  });

  it("holds for a contact that is being merged, whose mails have not moved yet", async () => {
    const [{ contact, path }, remaining] = [await givenMailed(), await givenContact(world)];
    const caller = await world.service.inLocation(world.acme, world.north);
    await caller.change((change) => mergeContacts(change, remaining.id, contact.id, 0));
    expect((await click(path)).status).toBe(200);
    expect((await show(remaining)).dnd).toBe(true);
    await made(world.send("owner", "DELETE", `/contacts/${remaining.id}?location_id=${world.north}`));
    expect((await click(path)).status).toBe(200);
  });

  it("is no more than a page for a contact that was deleted, and 404 for a token of nobody", async () => {
    const { contact, path } = await givenMailed();
    await made(world.send("owner", "DELETE", `/contacts/${contact.id}?location_id=${world.north}`));
    expect((await click(path)).status).toBe(200);
    const [id, mac] = path.split("/").at(-1)!.split(/-(.*)/s);
    const forged = [`${Number(id) + 1}-${mac}`, `0${id}-${mac}`, `${id}-${"A".repeat(22)}`, `${id}`, "9".repeat(400)];
    for (const token of forged) expect((await click(`/unsubscribe/${token}`)).status, token).toBe(404);
  });
});
