/**
 * One record of each noun, and one valid request of each operation. From these the matrix of tenants, hostile input and the plain
 * refusals are generated, so that the file of an operation holds only what is special to it. A new noun adds a line to `nouns`, a
 * new operation one to `inputs`, or without an address to `asked`; the tests name whatever is missing.
 */
import type { ChannelInput } from "../../src/crm/channels/channel.schema.ts";
import type { Endpoint } from "../../src/http/endpoint.ts";
import type { AnyOperation, Noun } from "../../src/operation/operation.ts";
import { createApiKey } from "../../src/tenancy/api-keys/api-key.service.ts";
import { givenDelivery, givenHook, someTarget } from "./given-hooks.ts";
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
import { givenPerson } from "./given-people.ts";
import { callback, givenApp, givenInstall } from "./marketplace.ts";
import { givenWorkflow } from "./workflows.ts";
import type { World } from "./world.ts";

/** What bodies name beside the nouns that paths look up. */
type Named = Noun | "pipeline" | "stage" | "mail_channel";

/** Ids of records of Acme's North. */
export type Records = Readonly<Partial<Record<Named, number>>>;

/** Makes one record of each noun, each on its own or hanging on those before it. */
const nouns: Readonly<Partial<Record<Named, (world: World, records: Records) => Promise<number>>>> = {
  contact: async (world) => (await givenContact(world)).id,
  async tag(world, { contact }) {
    const tag = await givenTag(world);
    await made(world.send("owner", "POST", `/contacts/${contact}/tags`, { location_id: world.north, tag_id: tag.id }));
    return tag.id;
  },
  pipeline: async (world) => (await pipelineOf(world)).id,
  stage: async (world) => (await pipelineOf(world)).stages[0]!.id,
  opportunity: async (world, { contact }) => (await givenOpportunity(world, { contact_id: contact })).id,
  task: async (world, { contact }) => (await givenTask(world, { contact_id: contact })).id,
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
  // Its specimen may be enrolled in it again and again.
  workflow: (world) => givenWorkflow(world, { wait: { type: "wait", reply: true } }, { allowReentry: true }),
  async workflow_run(world, { workflow }) {
    const body = { location_id: world.north, contact_id: (await givenContact(world)).id };
    return (await made(world.send("owner", "POST", `/workflows/${workflow}/enroll`, body))).id;
  },
  async api_key(world) {
    const caller = world.service.inWorkspace(world.acme);
    return (await caller.change((change) => createApiKey(change, { name: "Specimen" }))).id;
  },
  location: async (world) => world.north,
  user: (world) => givenPerson(world, "member", [world.north]).then(({ id }) => id),
  hook: async (world) => (await givenHook(world, { location_id: world.north })).id,
  delivery: (world, { hook }) => givenDelivery(world, hook!),
  app: async (world) => (await givenApp(world)).id,
  install: (world, { app }) => givenInstall(world, app!, world.north),
};

/** One for all of its kind: a location has 200 channels at the most. */
async function oneChannelOf(world: World, fields: Partial<ChannelInput>): Promise<number> {
  const { data } = await made(world.send("owner", "GET", `/channels?location_id=${world.north}`));
  const found = data.find(({ kind }: ChannelInput) => kind === fields.kind);
  return (found ?? (await givenChannel(world, fields))).id;
}

/** A valid body of each operation that has one, without location_id; what must be unique is so each time. */
const inputs: Readonly<Record<string, (records: Records) => Record<string, unknown>>> = {
  createContact: () => ({
    first_name: "Ada",
    last_name: `Specimen ${unique()}`,
    email: `specimen.${unique()}@example.com`,
  }),
  upsertContact: () => ({ first_name: "Ada", email: `specimen.${unique()}@example.com` }),
  bulkUpsertContacts: () => ({ contacts: [{ first_name: "Ada", email: `specimen.${unique()}@example.com` }] }),
  updateContact: () => ({ company: `Company ${unique()}` }),
  deleteContact: () => ({}),
  addNote: () => ({ body: "Asked for a price list.", pinned: true }),
  addContactTag: ({ tag }) => ({ tag_id: tag }),
  removeContactTag: () => ({}),
  reportEvent: ({ contact }) => ({
    event: "form.submitted",
    contact_id: contact,
    data: { form: `Form ${unique()}`, fields: { message: "Hello" } },
    occurred_at: "2026-03-01T12:00:00Z",
  }),
  createOpportunity: ({ contact, pipeline, stage }) => ({
    contact_id: contact,
    pipeline_id: pipeline,
    stage_id: stage,
    name: "Difference engine",
    value_cents: 125_000,
    owner_user_id: null,
    lost_reason: null,
  }),
  updateOpportunity: ({ stage }) => ({
    stage_id: stage,
    name: "Analytical engine",
    value_cents: 250_000,
    owner_user_id: null,
    lost_reason: null,
  }),
  createTask: ({ contact }) => ({
    contact_id: contact,
    title: "Send the price list",
    due_at: "2026-03-02T17:00:00.000Z",
    assignee_user_id: null,
  }),
  updateTask: () => ({
    title: "Send both price lists",
    due_at: "2026-03-03T17:00:00.000Z",
    assignee_user_id: null,
    completed: true,
  }),
  startConversation: ({ contact, channel }) => ({
    contact_id: contact,
    channel_id: channel,
    body: "Good morning!",
    subject: "Prices",
  }),
  updateConversation: ({ contact }) => ({
    status: "snoozed",
    snoozed_until: "2026-12-01T09:00:00.000Z",
    assignee_user_id: null,
    unread: false,
    contact_id: contact,
  }),
  sendMessage: () => ({ body: "Good morning!", html: "<p>Good morning!</p>", kind: "text", subject: "Prices" }),
  enroll: ({ contact }) => ({ contact_id: contact, context: { plan: "pro" } }),
  createTag: () => ({ name: `Tag ${unique()}`, color: "#112233" }),
  registerHook: () => ({ event: "contact.created", target_url: someTarget }),
};

/** What `carryOut` is given beside the caller: an id for each record, the query and the input. */
export type Asking = Readonly<Partial<Record<Noun, number | undefined>>> & {
  readonly query?: Readonly<Record<string, unknown>>;
  readonly input?: Readonly<Record<string, unknown>>;
};

const definition = { entry: "greet", nodes: { greet: { type: "add_note", body: "Hello" } } };

/** The rows of a file with one column. */
async function* rowsOf(...cells: readonly string[]) {
  for (const [place, cell] of cells.entries())
    yield { line: place + 1, cells: [cell], bytes: place + 1, delimiter: "," };
}

/** What operations without an address are asked with. */
export const asked: Readonly<Record<string, (records: Records) => Asking>> = {
  listApiKeys: () => ({}),
  createApiKey: () => ({ input: { name: `Key ${unique()}` } }),
  rotateApiKey: ({ api_key }) => ({ api_key }),
  revokeApiKey: ({ api_key }) => ({ api_key }),
  listWorkspaces: () => ({}),
  createWorkspace: () => ({ input: { name: `Workspace ${unique()}` } }),
  updateWorkspace: () => ({ input: { name: "Acme" } }),
  createLocation: () => ({ input: { name: `Location ${unique()}`, timezone: "Europe/Berlin", country: "DE" } }),
  updateLocation: ({ location }) => ({ location, input: { website: "https://acme.example" } }),
  inviteUser: () => ({ input: { email: `someone${unique()}@acme.example`, role: "member", location_ids: [1] } }),
  updateUser: ({ user }) => ({ user, input: { role: "member" } }),
  removeUser: ({ user }) => ({ user }),
  resetPassword: ({ user }) => ({ user }),
  createHook: () => ({ input: { event: ["contact.created", "contact.updated"], target_url: someTarget } }),
  setHookStatus: ({ hook }) => ({ hook, input: { status: "paused" } }),
  rotateHookSecret: ({ hook }) => ({ hook, input: { grace_seconds: 3600 } }),
  sendTest: ({ hook }) => ({ hook }),
  replayFailed: ({ hook }) => ({ hook, input: { since: "2026-01-01T00:00:00Z" } }),
  listChannelSettings: () => ({ query: { urls: true } }),
  getChannelSettings: ({ channel }) => ({ channel }),
  createChannel: () => ({
    input: {
      kind: "sms",
      name: "Texts",
      transport: "http",
      transport_url: "https://192.0.3.1/send",
      transport_secret: "a-secret-of-a-gateway-that-signs",
    },
  }),
  updateChannel: ({ channel }) => ({ channel, input: { name: `Channel ${unique()}` } }),
  setChannelStatus: ({ channel }) => ({ channel, input: { status: "active" } }),
  rotateInboundUrl: ({ channel }) => ({ channel }),
  testChannel: ({ mail_channel }) => ({ channel: mail_channel, input: { to: "ada@example.com" } }),
  positionBefore: () => ({ query: { limit: 50, event: "contact.created" } }),
  getWorkflow: ({ workflow }) => ({ workflow }),
  judgeDraft: ({ workflow }) => ({ workflow }),
  createWorkflow: () => ({ input: { name: "Welcome", definition, allow_reentry: true, publish: true } }),
  updateWorkflow: ({ workflow }) => ({ workflow, input: { definition, publish: false } }),
  publishWorkflow: ({ workflow }) => ({ workflow }),
  unpublishWorkflow: ({ workflow }) => ({ workflow }),
  tryDefinition: ({ contact }) => ({
    input: { definition, contact_id: contact, context: { plan: "pro" }, reply: true },
  }),
  removeRun: ({ workflow_run }) => ({ workflow_run }),
  listApps: () => ({}),
  createApp: () => ({ input: { name: `App ${unique()}`, redirect_uris: [callback], scopes: ["contacts.readonly"] } }),
  updateApp: ({ app }) => ({ app, input: { scopes: ["contacts.readonly", "contacts.write"] } }),
  publishApp: ({ app }) => ({ app }),
  rotateAppSecret: ({ app }) => ({ app }),
  listInstalls: ({ app }) => ({ app }),
  uninstallApp: ({ install }) => ({ install }),
  listSubscriptions: () => ({}),
  listLedger: ({ location }) => ({ query: { cursor: null, app: undefined, paying_location_id: location } }),
  importContacts: () => ({ input: { records: rowsOf("Email", `import.${unique()}@example.com`), options: {} } }),
  searchContacts: () => ({ query: { search: "ada" } }),
  renameTag: ({ tag }) => ({ tag, input: { name: `Tag ${unique()}` } }),
  countTagged: ({ tag }) => ({ tag }),
  deleteTag: ({ tag }) => ({ tag }),
  createPipeline: () => ({
    input: {
      name: "Renewals",
      stages: [
        { name: "Due", kind: "open" },
        { name: "Renewed", kind: "won" },
      ],
    },
  }),
};

/** What `carryOut` is asked with, whether the operation has an address or not. Throws where nothing above says. */
export function askingOf({ name, find, input }: AnyOperation, records: Records): Asking {
  const { [name]: unaddressed } = asked;
  if (unaddressed !== undefined) return unaddressed(records);
  if (input !== undefined && inputs[name] === undefined)
    throw new Error(`${name}: nothing to ask it with in specimens.ts`);
  const ids = Object.fromEntries(find.map(({ noun }) => [noun, records[noun]]));
  const query = Object.fromEntries(new URLSearchParams(queries[name] ?? ""));
  return { ...ids, query, ...(input === undefined ? {} : { input: inputs[name]!(records) }) };
}

/** Operations whose answer does not show under the same names what they take, and where it is tested that they keep it. */
export const shownOtherwise: Readonly<Record<string, string>> = {
  createContact: "contact-fields.test.ts",
  upsertContact: "contact-fields.test.ts",
  bulkUpsertContacts: "contact-fields.test.ts",
  updateContact: "contact-fields.test.ts",
  addContactTag: "add-contact-tag.test.ts",
  reportEvent: "report-event.test.ts",
  createOpportunity: "create-opportunity.test.ts",
  updateOpportunity: "update-opportunity.test.ts",
  createTask: "create-task.test.ts",
  updateTask: "update-task.test.ts",
  enroll: "enroll.test.ts",
  startConversation: "start-conversation.test.ts",
  updateConversation: "update-conversation.test.ts",
};

/** Fields of bodies that name a record: the id of one that lies in another workspace, or where the terminal alone makes them, in another location. */
export const foreignIds: Readonly<Record<string, (world: World) => number | Promise<number>>> = {
  owner_user_id: (world) => world.users.otto,
  assignee_user_id: (world) => world.users.otto,
  contact_id: async (world) => (await givenContact(world, { location_id: world.foreign }, "stranger")).id,
  pipeline_id: async (world) => (await pipelineOf(world, world.foreign, "stranger")).id,
  stage_id: async (world) => (await pipelineOf(world, world.foreign, "stranger")).stages[0]!.id,
  channel_id: async (world) => (await givenChannel(world, {}, world.south)).id,
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

/** What an operation must be asked with, beside location_id. */
export const queries: Readonly<Record<string, string>> = { getSampleEvent: "&event=contact.created" };

/** The path of an operation with the ids of `records` in it. Throws where `nouns` makes none of what it names. */
export function pathOf(endpoint: Endpoint, records: Records): string {
  const nouns = new Map(endpoint.parameters);
  return endpoint.path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => {
    const id = records[nouns.get(parameter)!];
    if (id === undefined) throw new Error(`${endpoint.operation.name}: no record of specimens.ts for {${parameter}}`);
    return String(id);
  });
}

/** A valid body of an operation, without location_id. Throws where `inputs` has none and the operation takes one. */
export function inputOf(endpoint: Endpoint, records: Records): Record<string, unknown> {
  const make = inputs[endpoint.operation.name];
  if (make !== undefined) return make(records);
  if (endpoint.operation.input === undefined) return {};
  throw new Error(`${endpoint.operation.name}: no body in specimens.ts`);
}
