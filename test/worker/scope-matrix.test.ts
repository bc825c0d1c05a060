/**
 * Field-level authorization: whatever a credential asks for, it is shown nothing of a noun whose scope it lacks. Each noun has texts of its own
 * here, which are looked for in every answer, in the event log, in runs' contexts and in what webhooks receive.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoints } from "../../src/operations.ts";
import type { Endpoint } from "../../src/http/endpoint.ts";
import type { NewChannelView } from "../../src/crm/channels/channel.view.ts";
import { rightsOf } from "../../src/operation/roles.ts";
import { createApiKey } from "../../src/tenancy/api-keys/api-key.service.ts";
import { events } from "../../src/vocabulary/events.ts";
import { grants, scopeNames } from "../../src/vocabulary/scopes.ts";
import type { ScopeName } from "../../src/vocabulary/scopes.ts";
import { sampleOf } from "../support/chance.ts";
import { request } from "../support/client.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenChannel, givenContact, givenTag, handIn, made, pipelineOf, unique } from "../support/given.ts";
import { givenPerson } from "../support/given-people.ts";
import { startReceiver, toLoopback } from "../support/receiver.ts";
import type { TestReceiver } from "../support/receiver.ts";
import type { Records } from "../support/records.ts";
import { givenQueued } from "../support/records.ts";
import { inputOf, pathOf, queryOf, jsonEndpoints } from "../support/specimens.ts";
import { givenWorkflow } from "../support/workflows.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

/** Texts that only a credential with the scope may see. The names of referenced records belong to their own nouns, and are not listed. */
const texts: Readonly<Partial<Record<ScopeName, readonly string[]>>> = {
  "contacts.readonly": ["secret@example.com", "555-0187", "Secret company", "Secret note"],
  "opportunities.readonly": ["Secret engine", "987654321", "Qualification"],
  "tasks.readonly": ["Secret task"],
  "conversations.readonly": ["Secret subject", "Secret message"],
  "events.readonly": ["Secret form"],
  "workflows.readonly": ["Secret workflow"],
};

/** What the specimen of an operation does beside its own scope: the node of a definition, and the role that a person has. */
const alsoNeeded: Readonly<Record<string, readonly ScopeName[]>> = {
  createWorkflow: ["contacts.write"],
  updateWorkflow: ["contacts.write"],
  publishWorkflow: ["contacts.write"],
  tryWorkflow: ["contacts.write"],
  openDossier: [
    "conversations.readonly",
    "events.readonly",
    "opportunities.readonly",
    "tasks.readonly",
    "workflows.readonly",
  ],
  inviteUser: rightsOf.member.scopes,
  updateUser: rightsOf.member.scopes,
  removeUser: rightsOf.member.scopes,
};

/** The texts in `answer` of nouns that none of `held` shows. Where a message came from and went to is its own. */
function leaks(text: string, held: readonly ScopeName[]): string[] {
  const answer = text.replaceAll(/\\?"(?:from|to)_address\\?":\\?"[^"]*"/g, "");
  return Object.entries(texts).flatMap(([scope, found]) =>
    grants(held, scope as ScopeName) ? [] : found.filter((text) => answer.includes(text)),
  );
}

const shown = (answer: string, scope: ScopeName) => (texts[scope] ?? []).filter((text) => answer.includes(text));

const readable = Object.keys(texts) as ScopeName[];
/** An event of each noun that has texts, and an event of its own. */
const told = ["contact.updated", "opportunity.created", "task.created", "message.received", "form.submitted"] as const;

const pairs = readable.map((scope) => [scope] as const);

const kinds = sampleOf("scopes of credentials", 1, databaseKinds);

describe.each(kinds)("what a credential with few scopes is shown on %s", (kind) => {
  let world: World;
  let receiver: TestReceiver;
  let records: Records;
  let channel: NewChannelView;
  /** A run that each event started, and a webhook that was told of it. */
  let byEvent: { readonly event: (typeof told)[number]; readonly run: number; readonly hook: number }[];

  const keyWith = async (scopes: readonly ScopeName[]) =>
    (await world.service.inWorkspace(world.acme).change((change) => createApiKey(change, { name: "few", scopes }))).key;
  const send = (key: string, method: string, path: string, body?: unknown) =>
    request(world.url, { method, path: `/api/v1${path}`, key, body });
  const owned = (path: string, body: object) =>
    made(world.send("owner", "POST", path, { location_id: world.north, ...body }));

  /** Something of each noun, the change of the contact last: it knows of all the others. */
  async function happen(contact: number, channel: { inbound_url: string }) {
    const { id: pipeline, stages } = await pipelineOf(world);
    const stage = stages[0]!.id;
    const engine = { name: "Secret engine", value_cents: 987_654_321 };
    const opportunity = await owned("/opportunities", {
      contact_id: contact,
      pipeline_id: pipeline,
      stage_id: stage,
      ...engine,
    });
    const task = await owned("/tasks", { contact_id: contact, title: "Secret task" });
    await made(handIn(world, channel, { from: "secret@example.com", body: "Secret message, again" }));
    await owned("/events", { event: "form.submitted", contact_id: contact, data: { form: "Secret form" } });
    const company = { location_id: world.north, company: `Secret company ${unique()}` };
    await made(world.send("owner", "PATCH", `/contacts/${contact}`, company));
    await world.service.worker.runOnce();
    await world.service.worker.runOnce();
    return { pipeline, sales_pipeline: pipeline, stage, opportunity: opportunity.id, task: task.id };
  }

  beforeAll(async () => {
    world = await createWorld(kind, { environment: toLoopback });
    // It answers with what it was sent, and so keeps it in the log of its deliveries.
    receiver = await startReceiver((arrival) => (response) => response.writeHead(200).end(arrival.body));
    const waiting = { wait: { type: "wait", event: "page.viewed" } } as const;
    const given = [];
    for (const event of told) {
      const workflow = await givenWorkflow(world, waiting, { trigger: { event }, allowReentry: true });
      given.push({ event, workflow, hook: (await owned("/hooks", { event, target_url: receiver.url })).id });
    }
    const workflow = await givenWorkflow(world, waiting, { allowReentry: true });
    await world.service.database.transaction(({ rows }) =>
      rows("update workflows set name = 'Secret workflow' where id = ?", [workflow]),
    );
    const contact = (await givenContact(world, { email: "secret@example.com", phone: "+1 212 555-0187" })).id;
    const { id: note } = await owned(`/contacts/${contact}/notes`, { body: "Secret note" });
    channel = await givenChannel(world, { kind: "email", address: "desk@example.com" });
    // Nothing listens there.
    const nowhere = { transport: "smtp", transport_url: "smtp://127.0.0.1:1" } as const;
    const mailChannel = await givenChannel(world, { kind: "email", address: "other@example.com", ...nowhere });
    const draft = await owned("/workflows", { name: "Secret workflow", definition: { entry: "none", nodes: {} } });
    const secret = { subject: "Secret subject", body: "Secret message" };
    const { conversation } = await owned("/conversations", { contact_id: contact, channel_id: channel.id, ...secret });
    const { id: message } = await owned(`/conversations/${conversation.id}/messages`, secret);
    await world.service.database.transaction(({ rows }) =>
      rows("update messages set status = 'failed' where id = ?", [message]),
    );
    const context = { given: "by the caller" };
    const run = await owned(`/workflows/${workflow}/enroll`, { contact_id: contact, context });
    const tag = (await givenTag(world)).id;
    await owned(`/contacts/${contact}/tags`, { tag_id: tag });
    const happened = await happen(contact, channel);

    byEvent = [];
    for (const { event, workflow: triggered, hook } of given) {
      const { data } = await made(
        world.send("owner", "GET", `/workflows/${triggered}/runs?location_id=${world.north}`),
      );
      byEvent.push({ event, hook, run: data[0].id });
    }
    const { hook } = byEvent.find(({ event }) => event === "message.received")!;
    const { data } = await made(world.send("owner", "GET", `/hooks/${hook}/deliveries`));
    const delivery = data[0].id;
    const conversationId = conversation.id;
    const failed = await owned(`/workflows/${workflow}/enroll`, { contact_id: (await givenContact(world)).id });
    await world.service.database.transaction(({ rows }) =>
      rows("update workflow_runs set status = 'failed', ended_reason = 'error', due_at = null where id = ?", [
        failed.id,
      ]),
    );
    const upload = `/attachments?location_id=${world.north}&name=prices.txt`;
    const attachment = await made(world.send("owner", "POST", upload, "1 EUR", { "content-type": "text/plain" }));
    records = {
      ...happened,
      attachment: attachment.id,
      contact,
      note,
      tag,
      custom_field: (await owned("/custom-fields", { on: "contact", name: "Plan", type: "select", options: ["Pro"] }))
        .id,
      channel: channel.id,
      mail_channel: mailChannel.id,
      merged_contact: (await givenContact(world)).id,
      location: world.north,
      user: (await givenPerson(world, "member", [world.north])).id,
      conversation: conversationId,
      message,
      queued_message: await givenQueued(world, conversationId),
      workflow,
      draft_workflow: draft.id,
      workflow_run: run.id,
      failed_run: failed.id,
      hook,
      delivery,
    };
  });
  afterAll(async () => {
    await receiver?.[Symbol.asyncDispose]();
    await world?.close();
  });

  /** These delete what the others ask for; show what is made up; and need the scope of the event that they name. */
  const others = new Set(
    "deleteContact deleteConversation deleteNote deleteOpportunity deletePipeline unpublishWorkflow removeRun deleteTask deleteTag deleteCustomField removeHook getSampleEvent registerHook updateHook".split(
      " ",
    ),
  );
  const views = jsonEndpoints.filter(({ operation }) => !others.has(operation.name));

  /** The operation, asked for the records above by a credential with these scopes. */
  async function ask(endpoint: Endpoint, scopes: readonly ScopeName[]) {
    const key = await keyWith(scopes);
    const path = pathOf(endpoint, records);
    if (endpoint.method === "GET")
      return send(key, "GET", `${path}?location_id=${world.north}${queryOf(endpoint, records)}`);
    return send(key, endpoint.method, path, { location_id: world.north, ...inputOf(endpoint.operation, records) });
  }

  test("everything is found by who may read everything", async () => {
    const answers = await Promise.all(
      views.filter(({ method }) => method === "GET").map(async (endpoint) => (await ask(endpoint, scopeNames)).text),
    );
    for (const scope of readable) expect(shown(answers.join("\n"), scope), scope).toEqual(texts[scope]);
    const { text } = await ask(
      endpoints.find(({ operation }) => operation.name === "getContact")!,
      scopeNames,
    );
    for (const scope of readable) expect(shown(text, scope), scope).toEqual(texts[scope]);
  });

  test.each(views.map((endpoint) => [endpoint.operation.name, endpoint] as const))(
    "%s with its own scope",
    async (...[, endpoint]) => {
      const { scope } = endpoint.operation.may;
      const scopes = [
        ...(scope === "any" || scope === "none" ? [] : [scope]),
        ...(alsoNeeded[endpoint.operation.name] ?? []),
      ];
      const answer = await ask(endpoint, scopes);
      expect(answer.status, answer.text).toBeLessThan(300);
      expect(leaks(answer.text, scopes)).toEqual([]);
    },
  );

  test.each(pairs)("getContact with contacts.readonly and %s", async (scope) => {
    const scopes = ["contacts.readonly", scope] as const;
    const { text } = await ask(
      endpoints.find(({ operation }) => operation.name === "getContact")!,
      scopes,
    );
    expect(leaks(text, scopes)).toEqual([]);
    expect(shown(text, scope).length).toBeGreaterThan(0);
  });

  test.each(pairs)("the event log with events.readonly and %s", async (scope) => {
    const scopes = ["events.readonly", scope] as const;
    const { text } = await send(await keyWith(scopes), "GET", `/events?location_id=${world.north}`);
    expect(leaks(text, scopes)).toEqual([]);
    expect(shown(text, scope).length).toBeGreaterThan(0);
  });

  test.each(pairs)("the contexts of runs with workflows.readonly and %s", async (scope) => {
    const scopes = ["workflows.readonly", scope] as const;
    const key = await keyWith(scopes);
    for (const { event, run } of byEvent) {
      const answer = await send(key, "GET", `/workflow-runs/${run}?location_id=${world.north}`);
      expect(answer.body.trigger_event).toBe(event);
      expect(leaks(answer.text, scopes), event).toEqual([]);
      const { scope: needed } = events[event];
      const { context } = answer.body;
      if (grants(scopes, needed!)) expect(context.location_id).toBe(world.north);
      else expect(context).toEqual({});
    }
    const { body } = await send(key, "GET", `/workflow-runs/${records.workflow_run}?location_id=${world.north}`);
    expect(body).toMatchObject({ trigger_event: null, context: { given: "by the caller" } });
  });

  test.each(pairs)("what receivers answered with webhooks.readonly and %s", async (scope) => {
    const scopes = ["webhooks.readonly", scope] as const;
    const key = await keyWith(scopes);
    for (const { event, hook } of byEvent) {
      const { body, text } = await send(key, "GET", `/hooks/${hook}/deliveries`);
      expect(body.data.length, event).toBeGreaterThan(0);
      const { scope: needed } = events[event];
      if (!grants(scopes, needed!)) expect(leaks(text, scopes), event).toEqual([]);
      else {
        const delivery = body.data.find((one: { event: string }) => one.event === event);
        expect(delivery.attempts[0].body, event).toContain(event);
      }
    }
  });

  test.each(pairs)(
    "the body of a delivery, and what its receiver answered, with webhooks.readonly and %s",
    async (scope) => {
      const scopes = ["webhooks.readonly", scope] as const;
      const key = await keyWith(scopes);
      for (const { event, hook } of byEvent) {
        const { data } = await made(world.send("owner", "GET", `/hooks/${hook}/deliveries`));
        const { id } = data.find((one: { event: string }) => one.event === event);
        const path = `/hooks/deliveries/${id}`;
        const { body, text } = await send(key, "GET", path);
        expect(leaks(text, scopes), event).toEqual([]);
        if (grants(scopes, events[event].scope!)) expect(JSON.parse(body.body)).toMatchObject({ id, event });
        else expect([body.body, body.attempts[0].body]).toEqual([null, null]);
        const whole = await made(world.send("owner", "GET", path));
        expect(whole.body, event).toBe(whole.attempts[0].body);
      }
    },
  );

  test("what webhooks receive that were registered with one scope", async () => {
    const targets = new Map<string, ScopeName>();
    for (const scope of readable) {
      const key = await keyWith(["webhooks.write", scope]);
      for (const event of told) {
        const answer = await send(key, "POST", "/hooks", { event, target_url: receiver.url });
        if (answer.status === 201) targets.set(String(answer.body.id), scope);
        else expect(answer.status).toBe(403);
      }
    }
    expect(targets.size).toBe(5);
    receiver.arrivals.length = 0;
    await happen(records.contact!, channel);
    const deliveries = await world.service.database.rows<{ id: number; hook_id: number }>(
      "select id, hook_id from deliveries",
    );
    const hookOf = new Map(deliveries.map(({ id, hook_id }) => [id, String(hook_id)]));
    const heard = receiver.arrivals.flatMap(({ id, body }) => {
      const scope = targets.get(hookOf.get(id)!);
      return scope === undefined ? [] : [{ scope, body }];
    });
    expect(heard).toHaveLength(5);
    for (const { scope, body } of heard) {
      expect(leaks(body, [scope]), scope).toEqual([]);
      expect(shown(body, scope).length, scope).toBeGreaterThan(0);
    }
  });

  test.each([
    ["filters", "opportunities.readonly", '[{"field":"stage_id","op":"eq","value":1}]'],
    ["filters", "opportunities.readonly", '{"stage_kind":"open"}'],
    ["filters", "opportunities.readonly", '[{"any":[{"field":"value_cents","op":"gt","value":1}]}]'],
    ["filters", "tasks.readonly", '{"has_open_task":true}'],
  ] as const)(
    "a list of contacts is not narrowed by what is not shown: %s needs %s: %s",
    async (name, scope, value) => {
      const path = `/contacts?location_id=${world.north}&${name}=${encodeURIComponent(value)}`;
      const refused = await send(await keyWith(["contacts.readonly"]), "GET", path);
      expect([refused.status, refused.body]).toMatchObject([403, { required_scope: scope }]);
      expect((await send(await keyWith(["contacts.readonly", scope]), "GET", path)).status).toBe(200);
    },
  );

  test("conversations are not searched by an e-mail address that is not shown", async () => {
    const path = `/conversations?location_id=${world.north}&search=secret`;
    const refused = await send(await keyWith(["conversations.readonly"]), "GET", path);
    expect([refused.status, refused.body]).toMatchObject([403, { required_scope: "contacts.readonly" }]);
    const found = await send(await keyWith(["conversations.readonly", "contacts.readonly"]), "GET", path);
    expect(found.body.data).toHaveLength(1);
  });
});
