/**
 * One valid request of each operation and the least role that may make it. From these, the matrix of tenants and roles, hostile input and
 * the plain refusals are generated, so that the file of an operation holds only what is special to it. A new operation adds its name to
 * `leastRoles` and, where it takes a body, a line to `inputs`; test/unit/operations.test.ts prints what is missing.
 */
import { endpoints } from "../../src/operations.ts";
import type { Endpoint } from "../../src/http/endpoint.ts";
import type { AnyOperation, Noun } from "../../src/operation/operation.ts";
import type { Role } from "../../src/vocabulary/states.ts";
import { someTarget } from "./given-hooks.ts";
import { unique } from "./given.ts";
import { callback } from "./marketplace.ts";
import type { Named, Records } from "./records.ts";

/** The least role that may carry each operation out: decided here a second time, and held against what the service does. */
const leastRoles: Readonly<Record<"operator" | Role, string>> = {
  operator: `
    getCredential
    setUp listWorkspaces createWorkspace
    resetPassword removeTwoFactor reconcileBilling`,
  owner: `
    updateWorkspace requireTwoFactor
    listAuditEntries
    createLocation getLocation updateLocation
    signOutUser
    listSubscriptions listLedger listPayouts listCharges getChargeOfApp refundCharge
    connectApp getAppAccount changeExistingPrices`,
  manager: `
    listPeople getPerson inviteUser makeInvitationLink updateUser removeUser
    listApiKeys getApiKey createApiKey rotateApiKey revokeApiKey
    importContacts uploadContacts exportContacts openDossier
    createTag updateTag countTagged deleteTag
    createCustomField updateCustomField deleteCustomField
    createPipeline updatePipeline deletePipeline
    listChannelSettings getChannelSettings createChannel updateChannel setChannelStatus rotateInboundUrl testChannel
    judgeDraft createWorkflow updateWorkflow publishWorkflow rotateWorkflowSecret setWorkflowSecret unpublishWorkflow deleteWorkflow tryDefinition tryWorkflow
    enroll enrollMatching removeRun retryRun retryFailedRuns
    readEventLog positionBefore reportEvent getSampleEvent
    listHooks browseHooks getHook updateHook registerHook createHook rotateHookSecret removeHook
    listDeliveries browseDeliveries countDeliveries getDelivery replayDelivery sendTest replayFailed
    listApps createApp updateApp publishApp rotateAppSecret
    listInstalls listInstalledApps getInstall showApp uninstallApp`,
  member: `
    updateAccount listSessions endSessions
    listLocations listUsers listTags listCustomFields listChannels listPipelines
    listContacts countContacts createContact upsertContact bulkUpsertContacts getContact updateContact deleteContact
    addContactTag removeContactTag mergeContacts listContactMerges listDuplicates
    search
    listNotes addNote getNote updateNote deleteNote
    listOpportunities createOpportunity getOpportunity updateOpportunity deleteOpportunity
    listTasks createTask getTask updateTask deleteTask
    listConversations startConversation getConversation updateConversation deleteConversation listMessages sendMessage retryMessage cancelMessage
    uploadAttachment getAttachment
    listWorkflows getWorkflow listWorkflowRuns getWorkflowRun countRunsOfChannel`,
};

/** Operation → the least role that may carry it out. */
export const leastRoleOf: ReadonlyMap<string, string> = new Map(
  Object.entries(leastRoles).flatMap(([role, names]) =>
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, role] as const),
  ),
);

const definition = { entry: "greet", nodes: { greet: { type: "add_note", body: "Hello" } } };

/** The rows of a file with one column. */
async function* rowsOf(...cells: readonly string[]) {
  for (const [place, cell] of cells.entries())
    yield { line: place + 1, cells: [cell], bytes: place + 1, delimiter: "," };
}

async function* oneCsv() {
  yield Buffer.from(`Email\nupload.${unique()}@example.com\n`);
}

async function* oneFile() {
  yield Buffer.from("1 EUR");
}

/** The endpoints whose body is JSON: from their specimens the matrices make requests. Uploads are in upload-attachment.test.ts. */
export const jsonEndpoints = endpoints.filter(({ fileBytes }) => fileBytes === undefined);

/** A valid body of each operation that takes one, without location_id; what must be unique is so each time. */
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
  mergeContacts: ({ merged_contact: merged }) => ({ contact_id: merged }),
  addNote: () => ({ body: "Asked for a price list.", pinned: true }),
  updateNote: () => ({ body: "Asked for both price lists.", pinned: false }),
  deleteNote: () => ({}),
  deleteOpportunity: () => ({}),
  deleteTask: () => ({}),
  deleteConversation: () => ({}),
  addContactTag: ({ tag }) => ({ tag_id: tag }),
  removeContactTag: () => ({}),
  reportEvent: ({ contact }) => ({
    event: "form.submitted",
    contact_id: contact,
    data: { form: `Form ${unique()}`, fields: { message: "Hello" } },
    occurred_at: "2026-03-01T12:00:00Z",
  }),
  createOpportunity: ({ contact, sales_pipeline: pipeline, stage }) => ({
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
  uploadContacts: () => ({ content_type: "text/csv", file: oneCsv() }),
  uploadAttachment: () => ({ name: "prices.txt", content_type: "text/plain", file: oneFile() }),
  sendMessage: () => ({
    attachment_ids: [],
    body: "Good morning!",
    html: "<p>Good morning!</p>",
    kind: "text",
    subject: "Prices",
  }),
  enrollMatching: () => ({ filters: [], dry_run: true }),
  enroll: ({ contact }) => ({ contact_id: contact, context: { plan: "pro" } }),
  createTag: () => ({ name: `Tag ${unique()}`, color: "#112233" }),
  registerHook: () => ({ event: "contact.created", target_url: someTarget }),
  // Without an address.
  importContacts: () => ({ records: rowsOf("Email", `import.${unique()}@example.com`), options: {} }),
  setUp: () => ({ workspace: "Acme", location: "North", owner_email: `owner${unique()}@acme.example` }),
  createApiKey: () => ({ name: `Key ${unique()}` }),
  createWorkspace: () => ({ name: `Workspace ${unique()}` }),
  updateWorkspace: () => ({ name: "Acme" }),
  requireTwoFactor: () => ({ required: false }),
  updateAccount: () => ({ name: "Ada Lovelace" }),
  endSessions: () => ({ id: 1 }),
  createLocation: () => ({ name: `Location ${unique()}`, timezone: "Europe/Berlin", country: "DE" }),
  updateLocation: () => ({ website: `https://${unique()}.example` }),
  inviteUser: () => ({ email: `someone${unique()}@acme.example`, role: "member", location_ids: [1] }),
  updateUser: () => ({ role: "member" }),
  createHook: () => ({ event: ["contact.created", "contact.updated"], target_url: someTarget }),
  updateHook: () => ({ events: ["contact.created"], target_url: someTarget, status: "paused" }),
  rotateHookSecret: () => ({ grace_seconds: 3600 }),
  rotateWorkflowSecret: () => ({ grace_seconds: 3600 }),
  setWorkflowSecret: () => ({ key: "gateway", value: "a-key-of-the-gateway", origin: "https://192.0.3.1" }),
  replayFailed: () => ({ since: "2026-01-01T00:00:00Z" }),
  retryFailedRuns: () => ({ since: "2026-03-01T12:00:00Z" }),
  createChannel: () => ({
    kind: "sms",
    name: "Texts",
    transport: "http",
    transport_url: "https://192.0.3.1/send",
    transport_secret: "a-secret-of-a-gateway-that-signs",
  }),
  updateChannel: () => ({ name: `Channel ${unique()}` }),
  setChannelStatus: () => ({ status: "active" }),
  testChannel: () => ({ to: "ada@example.com" }),
  createWorkflow: () => ({ name: "Welcome", definition, allow_reentry: true, publish: true }),
  updateWorkflow: () => ({ name: `Workflow ${unique()}`, definition, publish: false }),
  tryDefinition: ({ contact }) => ({ definition, contact_id: contact, context: { plan: "pro" }, reply: true }),
  tryWorkflow: ({ contact }) => ({ definition, contact_id: contact, reply: true }),
  createApp: () => ({ name: `App ${unique()}`, redirect_uris: [callback], scopes: ["contacts.readonly"] }),
  updateApp: () => ({ scopes: ["contacts.readonly", "contacts.write"] }),
  refundCharge: () => ({ amount_cents: 1, reason: "A mistake" }),
  updateTag: () => ({ name: `Tag ${unique()}`, color: "#332211" }),
  createCustomField: () => ({
    on: "contact",
    name: `Plan ${unique()}`,
    key: `plan_${unique()}`,
    type: "select",
    options: ["Basic", "Pro"],
  }),
  updateCustomField: () => ({ name: "Plan", options: ["Basic", "Pro", "Team"] }),
  updatePipeline: () => ({ name: `Pipeline ${unique()}` }),
  deletePipeline: () => ({}),
  createPipeline: () => ({
    name: "Renewals",
    stages: [
      { name: "Due", kind: "open" },
      { name: "Renewed", kind: "won" },
    ],
  }),
};

/** What a read is asked for, where it must be asked for something, or has no address of its own at which the defaults are tested. */
const queries: Readonly<Record<string, (records: Records) => Readonly<Record<string, unknown>>>> = {
  search: () => ({ q: "ada" }),
  getSampleEvent: () => ({ event: "contact.created" }),
  listChannelSettings: () => ({ urls: true }),
  positionBefore: () => ({ limit: 50, event: "contact.created" }),
  listLedger: ({ location }) => ({ cursor: null, app: undefined, paying_location_id: location }),
  listPayouts: () => ({ app: undefined, month: "2026-03" }),
};

/** Records that an operation needs in place of the first of their noun. */
const otherRecords: Readonly<Record<string, Readonly<Partial<Record<Noun, Named>>>>> = {
  testChannel: { channel: "mail_channel" },
  // Others hand messages in to the first channel, and start runs of the first workflow.
  rotateInboundUrl: { channel: "mail_channel" },
  deleteWorkflow: { workflow: "draft_workflow" },
  makeInvitationLink: { user: "invited_user" },
  retryRun: { workflow_run: "failed_run" },
  cancelMessage: { message: "queued_message" },
};

/** What `carryOut` is given beside the caller: an id for each record, the query and the input. */
export type Asking = Readonly<Partial<Record<Noun, number | undefined>>> & {
  readonly query?: Readonly<Record<string, unknown>>;
  readonly input?: Readonly<Record<string, unknown>>;
};

/** The valid request of an operation, as `carryOut` takes it. */
export function askingOf(operation: AnyOperation, records: Records): Asking {
  const { name, find, query, input } = operation;
  const ids = Object.fromEntries(find.map(({ noun }) => [noun, records[otherRecords[name]?.[noun] ?? noun]]));
  return {
    ...ids,
    ...(query === undefined ? {} : { query: queries[name]?.(records) ?? {} }),
    ...(input === undefined ? {} : { input: inputOf(operation, records) }),
  };
}

/** The body of the valid request, without location_id. */
export function inputOf(operation: AnyOperation, records: Records): Record<string, unknown> {
  const missing = missingInputOf(operation);
  if (missing !== undefined) throw new Error(missing);
  return inputs[operation.name]?.(records) ?? {};
}

/** What to add for an operation that takes a body and has none here; undefined where there is nothing to add. */
export function missingInputOf({ name, input }: AnyOperation): string | undefined {
  if (input === undefined || name in inputs) return undefined;
  const [example = {}] = (input.meta()?.["examples"] ?? []) as unknown[];
  return `test/support/specimens.ts has no body of ${name}. Add to inputs:  ${name}: () => (${JSON.stringify(example)}),`;
}

/** The path of an operation with the ids of `records` in it. */
export function pathOf(endpoint: Endpoint, records: Records): string {
  const nouns = new Map(endpoint.parameters);
  return endpoint.path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => {
    const noun = nouns.get(parameter)!;
    const id = records[otherRecords[endpoint.operation.name]?.[noun] ?? noun];
    if (id === undefined)
      throw new Error(`${endpoint.operation.name}: add to nouns of test/support/records.ts what {${parameter}} names`);
    return String(id);
  });
}

/** What its URL says beside location_id. */
export function queryOf({ operation: { name } }: Endpoint, records: Records): string {
  const query = Object.entries(queries[name]?.(records) ?? {});
  return query.map(([field, value]) => `&${field}=${encodeURIComponent(String(value))}`).join("");
}

/** Operations whose answer does not show under the same names what they take, and where it is tested that they keep it. */
export const shownOtherwise: Readonly<Record<string, string>> = {
  createContact: "contact-fields.test.ts",
  upsertContact: "contact-fields.test.ts",
  bulkUpsertContacts: "contact-fields.test.ts",
  updateContact: "contact-fields.test.ts",
  mergeContacts: "merge-contacts.test.ts",
  addContactTag: "add-contact-tag.test.ts",
  reportEvent: "report-event.test.ts",
  createOpportunity: "create-opportunity.test.ts",
  updateOpportunity: "update-opportunity.test.ts",
  createPipeline: "pipelines.test.ts",
  updatePipeline: "pipelines.test.ts",
  createTask: "create-task.test.ts",
  updateTask: "update-task.test.ts",
  enroll: "enroll.test.ts",
  rotateHookSecret: "rotate-hook-secret.test.ts",
  rotateWorkflowSecret: "rotate-workflow-secret.test.ts",
  setWorkflowSecret: "workflow-secrets.test.ts",
  startConversation: "start-conversation.test.ts",
  createLocation: "locations.test.ts",
  updateLocation: "locations.test.ts",
  createChannel: "channels.test.ts",
  updateChannel: "channels.test.ts",
  testChannel: "channels.test.ts",
  inviteUser: "users.test.ts",
  updateUser: "users.test.ts",
  createWorkflow: "write-workflows.test.ts",
  updateWorkflow: "write-workflows.test.ts",
  tryWorkflow: "write-workflows.test.ts",
  updateConversation: "update-conversation.test.ts",
};
