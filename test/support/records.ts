/** One record of each noun, and ids that lie elsewhere: what requests of the matrices name. A new noun adds a line to `nouns`. */
import { moveMessage } from "../../src/crm/conversations/messages/message-status.ts";
import { enqueueMessage } from "../../src/crm/conversations/sending/send-queue.ts";
import type { ChannelInput } from "../../src/crm/channels/channel.schema.ts";
import type { Noun } from "../../src/operation/operation.ts";
import { createApiKey } from "../../src/tenancy/api-keys/api-key.service.ts";
import { givenDelivery, givenHook } from "./given-hooks.ts";
import {
  givenChannel,
  givenContact,
  givenConversation,
  givenOpportunity,
  givenTag,
  givenTask,
  made,
  pipelineOf,
  unique,
} from "./given.ts";
import { givenPerson, inviteTo } from "./given-people.ts";
import { givenApp, givenInstall } from "./marketplace.ts";
import { specimenCharge } from "./stripe/fake-stripe.ts";
import { givenWorkflow } from "./workflows.ts";
import type { World } from "./world.ts";

/** What bodies name beside the nouns that paths look up. */
export type Named =
  | Noun
  | "sales_pipeline"
  | "invited_user"
  | "stage"
  | "mail_channel"
  | "draft_workflow"
  | "failed_run"
  | "queued_message"
  | "merged_contact";

/** Ids of records of Acme's North. */
export type Records = Readonly<Partial<Record<Named, number>>>;

/** Makes one record of each noun, each on its own or hanging on those before it. */
const nouns: Readonly<Partial<Record<Named, (world: World, records: Records) => Promise<number>>>> = {
  contact: async (world) => (await givenContact(world)).id,
  merged_contact: async (world) => (await givenContact(world)).id,
  async tag(world, { contact }) {
    const tag = await givenTag(world);
    await made(world.send("owner", "POST", `/contacts/${contact}/tags`, { location_id: world.north, tag_id: tag.id }));
    return tag.id;
  },
  async custom_field(world) {
    // The oldest makes room: a workspace has 100 at most.
    const { data } = await made(world.send("owner", "GET", "/custom-fields"));
    if (data.length > 50) await world.send("owner", "DELETE", `/custom-fields/${data[0].id}`);
    const body = { on: "contact", name: "Plan", key: `plan_${unique()}`, type: "select", options: ["Basic", "Pro"] };
    return (await made(world.send("owner", "POST", "/custom-fields", body))).id;
  },
  sales_pipeline: async (world) => (await pipelineOf(world)).id,
  stage: async (world) => (await pipelineOf(world)).stages[0]!.id,
  // Without opportunities, so that it can be deleted.
  async pipeline(world) {
    const body = { location_id: world.north, name: "Renewals", stages: [{ name: "Due", kind: "open" }] };
    return (await made(world.send("owner", "POST", "/pipelines", body))).id;
  },
  opportunity: async (world, { contact }) => (await givenOpportunity(world, { contact_id: contact })).id,
  task: async (world, { contact }) => (await givenTask(world, { contact_id: contact })).id,
  async note(world, { contact }) {
    const body = { location_id: world.north, body: "Call back" };
    return (await made(world.send("owner", "POST", `/contacts/${contact}/notes`, body))).id;
  },
  channel: (world) => oneChannelOf(world, { kind: "sms" }),
  // Nothing listens there.
  mail_channel: (world) =>
    oneChannelOf(world, {
      kind: "email",
      address: "desk@example.com",
      transport: "smtp",
      transport_url: "smtp://127.0.0.1:1",
    }),
  conversation: async (world, { contact, channel }) =>
    (await givenConversation(world, { contact_id: contact, channel_id: channel })).conversation.id,
  // Failed, so that it can be retried.
  async message(world, { conversation }) {
    const body = { location_id: world.north, body: "Good morning!" };
    const { id } = await made(world.send("owner", "POST", `/conversations/${conversation}/messages`, body));
    const caller = await world.service.inLocation(world.acme, world.north);
    const failure = { conversationId: conversation!, status: "failed", error: "The mailbox does not exist." } as const;
    await caller.change((change) => moveMessage(change, id, failure));
    return id;
  },
  queued_message: (world, { conversation }) => givenQueued(world, conversation!),
  async attachment(world) {
    const path = `/attachments?location_id=${world.north}&name=prices.txt`;
    return (await made(world.send("owner", "POST", path, "1 EUR", { "content-type": "text/plain" }))).id;
  },
  // Its specimen may be enrolled in it again and again.
  workflow: (world) => givenWorkflow(world, { wait: { type: "wait", reply: true } }, { allowReentry: true }),
  // Without runs, so that it is deleted in one step.
  async draft_workflow(world) {
    const definition = { entry: "note", nodes: { note: { type: "add_note", body: "Hello" } } };
    const body = { location_id: world.north, name: "Draft", definition };
    return (await made(world.send("owner", "POST", "/workflows", body))).id;
  },
  async workflow_run(world, { workflow }) {
    const body = { location_id: world.north, contact_id: (await givenContact(world)).id };
    return (await made(world.send("owner", "POST", `/workflows/${workflow}/enroll`, body))).id;
  },
  async failed_run(world, { workflow }) {
    const body = { location_id: world.north, contact_id: (await givenContact(world)).id };
    const { id } = await made(world.send("owner", "POST", `/workflows/${workflow}/enroll`, body));
    await world.service.database.transaction(({ rows }) =>
      rows(
        "update workflow_runs set status = 'failed', ended_reason = 'error', due_at = null, completed_at = ? where id = ?",
        [world.clock.now(), id],
      ),
    );
    return id;
  },
  async api_key(world) {
    const caller = world.service.inWorkspace(world.acme);
    return (await caller.change((change) => createApiKey(change, { name: "Specimen", scopes: ["contacts.readonly"] })))
      .id;
  },
  location: async (world) => world.north,
  user: (world) => givenPerson(world, "member", [world.north]).then(({ id }) => id),
  invited_user: (world) => inviteTo(world, "member", [world.north]).then(({ id }) => id),
  hook: async (world) => (await givenHook(world, { location_id: world.north })).id,
  delivery: (world, { hook }) => givenDelivery(world, hook!),
  app: async (world) => (await givenApp(world)).id,
  install: (world, { app }) => givenInstall(world, app!, world.north),
  charge: (world, { app }) => givenCharge(world, app!),
};

/** A message that waits in the send queue, so that it can be canceled. */
export async function givenQueued(world: World, conversationId: number): Promise<number> {
  const body = { location_id: world.north, body: "Good morning!" };
  const { id } = await made(world.send("owner", "POST", `/conversations/${conversationId}/messages`, body));
  const { database } = world.service;
  const [{ channel_id: channelId }] = (await database.transaction(({ rows }) =>
    rows("update messages set status = 'queued', sent_at = null where id = ? returning channel_id", [id]),
  )) as [{ channel_id: number }];
  await database.transaction(async (writer) => enqueueMessage(writer, { messageId: id, channelId, conversationId }));
  return id;
}

/** One for all: a charge of the first app at North, which a fake Stripe knows by `specimenCharge`. */
async function givenCharge({ service, acme, north, clock }: World, app: number): Promise<number> {
  return service.database.transaction(async ({ rows }) => {
    const [subscription] = await rows<{ id: number }>(
      "insert into app_subscriptions (app_id, workspace_id, location_id, created_at) values (?, ?, ?, ?) returning id",
      [app, acme, north, clock.now()],
    );
    const { id, transfer, amount } = specimenCharge;
    const [charge] = await rows<{ id: number }>(
      `insert into platform_charges (stripe_id, app_id, app_subscription_id, transfer_id, destination, amount_cents, charged_at)
        values (?, ?, ?, ?, 'acct_specimen', ?, ?)
        on conflict (stripe_id) do update set charged_at = excluded.charged_at returning id`,
      [id, app, subscription!.id, transfer, amount, clock.now()],
    );
    return charge!.id;
  });
}

/** One for all of its kind: a location has 200 channels at the most. */
async function oneChannelOf(world: World, fields: Partial<ChannelInput>): Promise<number> {
  const { data } = await made(world.send("owner", "GET", `/channels?location_id=${world.north}`));
  const found = data.find(({ kind }: ChannelInput) => kind === fields.kind);
  return (found ?? (await givenChannel(world, fields))).id;
}

/** Fields of bodies that name a record: the id of one that lies in another workspace, or where the terminal alone makes them, in another location. */
export const foreignIds: Readonly<Record<string, (world: World) => number | Promise<number>>> = {
  owner_user_id: (world) => world.users.otto,
  assignee_user_id: (world) => world.users.otto,
  contact_id: async (world) => (await givenContact(world, { location_id: world.foreign }, "stranger")).id,
  pipeline_id: async (world) => (await pipelineOf(world, world.foreign, "stranger")).id,
  stage_id: async (world) => (await pipelineOf(world, world.foreign, "stranger")).stages[0]!.id,
  channel_id: async (world) => (await givenChannel(world, {}, world.south)).id,
  async event_id(world) {
    const contact = await givenContact(world, { location_id: world.foreign }, "stranger");
    const body = { location_id: world.foreign, event: "form.submitted", contact_id: contact.id, data: {} };
    return (await made(world.send("stranger", "POST", "/events", body))).id;
  },
};

/** Fields that name a record and whose absence is told otherwise than by 422 on the field. */
export const toldOtherwise = new Set(["location_id", "tag_id"]);

export async function makeRecords(world: World): Promise<Records> {
  const records: Partial<Record<Named, number>> = {};
  for (const [noun, make] of Object.entries(nouns) as [Named, NonNullable<(typeof nouns)[Named]>][]) {
    records[noun] = await make(world, records);
  }
  return records;
}
