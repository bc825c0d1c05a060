/** Every address of work pages: the matrices of tenancy, roles and forms, and the browser tests, run over these rows. */
import { createApiKey } from "../../src/tenancy/api-keys/api-key.service.ts";
import { createChannel } from "../../src/crm/channels/channel.service.ts";
import { createContact } from "../../src/crm/contacts/contact.operations.ts";
import { runOf } from "../../src/crm/workflow-runs/enrollment.view.ts";
import { enroll } from "../../src/crm/workflows/workflow-run.operations.ts";
import { createWorkflow } from "../../src/crm/workflows/workflow.operations.ts";
import { createApp } from "../../src/marketplace/apps/app.service.ts";
import { sendTest } from "../../src/webhooks/deliveries/delivery.service.ts";
import { registerHook } from "../../src/webhooks/hooks/hook.service.ts";
import { someTarget } from "./given-hooks.ts";
import { inviteUser } from "../../src/tenancy/users/user.service.ts";
import type { Role } from "../../src/vocabulary/states.ts";
import { someEvent, stampAll } from "./events.ts";
import { givenInstall } from "./marketplace.ts";
import type { World } from "./world.ts";

/** The records that paths name, by parameter. */
export type PathIds = Readonly<Record<string, number>>;

export interface ConsolePage {
  /** The path of its route: `/w/{workspace}/keys/{key}/revoke`. */
  readonly path: `/${"w" | "l"}/{${string}`;
  /** The least role that sees it, and may submit its form. */
  readonly least: Role;
  /** The valid fields of its form, if it has one. */
  readonly form?: Readonly<Record<string, string>>;
  /** Whether it is a form without a page of its own. */
  readonly isFormOnly?: true;
  /** Whether it is a download instead of a page. */
  readonly isFile?: true;
  /** Whether it is a live stream, which does not end. */
  readonly isStream?: true;
}

const anApp = {
  name: "Ledgerline",
  redirect_uris: "https://app.example.com/callback",
  scopes: "contacts.readonly",
  install_type: "location",
  billing: "none",
};

export const consolePages: readonly ConsolePage[] = [
  { path: "/w/{workspace}/keys", least: "manager" },
  {
    path: "/w/{workspace}/keys/new",
    least: "manager",
    form: { once: "1", name: "Forms", scopes: "contacts.readonly", where: "all", expires: "never" },
  },
  { path: "/w/{workspace}/keys/{key}/rotate", least: "manager", form: { once: "1" } },
  { path: "/w/{workspace}/keys/{key}/revoke", least: "manager", form: {} },
  { path: "/w/{workspace}/apps", least: "manager" },
  { path: "/w/{workspace}/apps/installed", least: "manager" },
  { path: "/w/{workspace}/apps/new", least: "manager", form: { once: "1", ...anApp } },
  { path: "/w/{workspace}/apps/{app}", least: "manager", form: anApp },
  { path: "/w/{workspace}/apps/{app}/publish", least: "manager", form: {} },
  { path: "/w/{workspace}/apps/{app}/rotate", least: "manager", form: { once: "1" } },
  { path: "/w/{workspace}/apps/{app}/connect", least: "owner", form: {}, isFormOnly: true },
  { path: "/w/{workspace}/apps/installed/{install}/uninstall", least: "manager", form: {} },
  { path: "/w/{workspace}/events", least: "manager" },
  { path: "/w/{workspace}/events/{position}", least: "manager" },
  { path: "/w/{workspace}/webhooks", least: "manager" },
  {
    path: "/w/{workspace}/webhooks/new",
    least: "manager",
    form: { once: "2", target_url: someTarget, which: "some", event: "contact.created" },
  },
  { path: "/w/{workspace}/webhooks/{hook}", least: "manager" },
  { path: "/w/{workspace}/webhooks/{hook}/status", least: "manager", form: { status: "paused" }, isFormOnly: true },
  { path: "/w/{workspace}/webhooks/{hook}/test", least: "manager", form: {}, isFormOnly: true },
  { path: "/w/{workspace}/webhooks/{hook}/events", least: "manager", form: { which: "all" } },
  { path: "/w/{workspace}/webhooks/{hook}/secret", least: "manager", form: { once: "3", grace: "day" } },
  { path: "/w/{workspace}/webhooks/{hook}/replay", least: "manager", form: {} },
  { path: "/w/{workspace}/webhooks/{hook}/remove", least: "manager", form: {} },
  { path: "/w/{workspace}/deliveries/{delivery}", least: "manager" },
  { path: "/w/{workspace}/deliveries/{delivery}/replay", least: "manager", form: {}, isFormOnly: true },
  { path: "/w/{workspace}/live", least: "manager", isStream: true },
  { path: "/l/{location}/live", least: "member", isStream: true },
  { path: "/l/{location}/workflows", least: "member" },
  { path: "/l/{location}/workflows/{workflow}", least: "member" },
  { path: "/l/{location}/workflows/{workflow}/publish", least: "manager", form: {}, isFormOnly: true },
  { path: "/l/{location}/workflows/{workflow}/unpublish", least: "manager", form: {} },
  { path: "/l/{location}/workflows/{workflow}/secret", least: "manager", form: { once: "9", grace: "day" } },
  { path: "/l/{location}/workflows/{workflow}/enroll", least: "manager", form: { contact_id: "1" }, isFormOnly: true },
  { path: "/l/{location}/runs/{run}", least: "member" },
  { path: "/l/{location}/runs/{run}/retry", least: "manager", form: {}, isFormOnly: true },
  { path: "/l/{location}/runs/{run}/remove", least: "manager", form: {} },
  { path: "/l/{location}/channels", least: "manager" },
  {
    path: "/l/{location}/channels/new",
    least: "manager",
    form: { once: "4", name: "Front desk", kind: "sms", address: "(212) 555-0100", transport: "log" },
  },
  { path: "/l/{location}/channels/{channel}", least: "manager" },
  { path: "/l/{location}/channels/{channel}/status", least: "manager", form: { status: "paused" }, isFormOnly: true },
  { path: "/l/{location}/channels/{channel}/test", least: "manager", form: { to: "+12125550100" }, isFormOnly: true },
  { path: "/l/{location}/channels/{channel}/rotate", least: "manager", form: { once: "5" } },
  { path: "/w/{workspace}/audit", least: "owner" },
  { path: "/w/{workspace}/billing", least: "owner" },
  { path: "/w/{workspace}/billing/payouts", least: "owner" },
  { path: "/w/{workspace}/billing/payouts.csv", least: "owner", isFile: true },
  { path: "/w/{workspace}/billing/charges", least: "owner" },
  {
    path: "/w/{workspace}/billing/charges/{charge}/refund",
    least: "owner",
    form: { left_cents: "2900", amount: "29.00", reason: "Asked for it" },
  },
  { path: "/w/{workspace}/people", least: "manager" },
  {
    path: "/w/{workspace}/people/invite",
    least: "manager",
    form: { email: "jonas@acme.example", name: "Jonas", role: "member", where: "all" },
  },
  { path: "/w/{workspace}/people/{user}", least: "manager", form: { role: "manager", where: "all" } },
  { path: "/w/{workspace}/people/{user}/link", least: "manager", form: {}, isFormOnly: true },
  { path: "/w/{workspace}/people/{user}/sign-out", least: "owner", form: {}, isFormOnly: true },
  { path: "/w/{workspace}/people/{user}/remove", least: "manager", form: {} },
  { path: "/w/{workspace}/two-factor", least: "owner", form: { required: "false" } },
  { path: "/w/{workspace}/locations", least: "owner" },
  {
    path: "/w/{workspace}/locations/new",
    least: "owner",
    form: { once: "6", name: "Bend", timezone: "America/Los_Angeles", country: "US" },
  },
  {
    path: "/w/{workspace}/locations/{location}",
    least: "owner",
    form: { name: "Bend", timezone: "America/Los_Angeles", country: "US" },
  },
];

/** The tables that the forms change. */
export const consoleTables = [
  "api_keys",
  "hooks",
  "deliveries",
  "memberships",
  "membership_locations",
  "users",
  "account_links",
  "locations",
  "apps",
  "app_installs",
  "platform_charges",
  "workflows",
  "workflow_runs",
  "channels",
];

/** One record per parameter of a path, in Acme and in Other. */
export async function givenConsoleRecords(world: World): Promise<{ readonly own: PathIds; readonly foreign: PathIds }> {
  const records = async (workspaceId: number, location: number): Promise<PathIds> => {
    const within = world.service.inWorkspace(workspaceId);
    const key = await within.change((change) => createApiKey(change, { name: "Website forms" }));
    const hook = await within.change((change) =>
      registerHook(change, {
        events: ["contact.created", "message.received"],
        targetUrl: `${someTarget}/${"long-".repeat(9)}`,
      }),
    );
    // Failing: the state with the longest words.
    await world.service.database.transaction(({ rows }) =>
      rows("update hooks set failing_since = ? where id = ?", [world.clock.now(), hook.id]),
    );
    const delivery = await within.change((change) => sendTest(change, hook.id));
    const user = await within.change((change) =>
      inviteUser(change, {
        email: `ines.${workspaceId}@acme.example`,
        name: "Ines",
        role: "member",
        locationIds: null,
      }),
    );
    const app = await within.change((change) =>
      createApp(change, { name: "Ledgerline", redirect_uris: [anApp.redirect_uris], scopes: ["contacts.readonly"] }),
    );
    const install = await givenInstall(world, app.id, location);
    const position = await recordEvent(world, workspaceId, location);
    return {
      workspace: workspaceId,
      location,
      key: key.id,
      hook: hook.id,
      delivery: delivery.id,
      user: user.id,
      app: app.id,
      install,
      position,
      charge: await insertCharge(world, workspaceId, location, app.id),
      ...(await createInLocation(world, workspaceId, location)),
    };
  };
  return { own: await records(world.acme, world.north), foreign: await records(world.other, world.foreign) };
}

/** A channel, and a workflow in which a contact waits. */
async function createInLocation({ service }: World, workspaceId: number, location: number) {
  const caller = await service.inLocation(workspaceId, location);
  const channel = await caller.change((change) =>
    createChannel(change, { name: "Texts", kind: "sms", address: "(212) 555-0100" }),
  );
  const { id: contact } = await service.carryOut(createContact, caller, {
    input: { first_name: "Ada", last_name: "Lovelace" } as never,
  });
  const definition = { entry: "listen", nodes: { listen: { type: "wait", reply: true } } };
  const workflow = await service.carryOut(createWorkflow, caller, {
    input: { name: "Welcome", definition, allow_reentry: true, publish: true },
  });
  const run = await service.carryOut(enroll, caller, {
    workflow: workflow.id,
    input: { contact_id: contact, context: undefined },
  });
  return { channel: channel.id, workflow: workflow.id, run: runOf(run).id };
}

/** A charge as Stripe's webhooks leave it; its id. */
async function insertCharge({ service, clock }: World, workspaceId: number, location: number, app: number) {
  return service.database.transaction(async ({ rows }) => {
    const [subscription] = await rows<{ id: number }>(
      "insert into app_subscriptions (app_id, workspace_id, location_id, created_at) values (?, ?, ?, ?) returning id",
      [app, workspaceId, location, clock.now()],
    );
    const [charge] = await rows<{ id: number }>(
      `insert into platform_charges
         (stripe_id, app_id, app_subscription_id, transfer_id, destination, amount_cents, taken_cents, charged_at)
       values (?, ?, ?, 'tr_1', 'acct_1', 2900, 0, ?) returning id`,
      [`ch_${workspaceId}`, app, subscription!.id, clock.now()],
    );
    return charge!.id;
  });
}

/** An event of a location; its position. */
async function recordEvent({ service }: World, workspaceId: number, location: number): Promise<number> {
  const caller = await service.inLocation(workspaceId, location);
  await caller.change(async (change) => change.record(someEvent));
  await stampAll(service.database);
  const [event] = await service.database.rows<{ position: number }>(
    "select max(position) as position from event_positions where location_id = ?",
    [location],
  );
  return event!.position;
}

/** The path of a page with these ids. */
export function pathWith(path: string, ids: Readonly<Record<string, number | string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name];
    if (id === undefined) throw new Error(`test/support/console-pages.ts gives no record for {${name}}`);
    return String(id);
  });
}

/** The parameters of a path. */
export function parametersOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
}

/** Calls every record by one name, past the rules for names: it may be older than they are. */
export async function nameEverything({ service }: World, name: string): Promise<void> {
  await service.database.transaction(async ({ rows }) => {
    for (const table of ["workspaces", "locations", "users", "apps", "api_keys"])
      await rows(`update ${table} set name = ?`, [name]);
  });
}
