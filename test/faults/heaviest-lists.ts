/** Fills every list of the API with more than a page of the heaviest records: every text of maximum length, in characters that take the most bytes. */
import { createConsola } from "consola";
import { loadSettings } from "../../config/settings.loading.ts";
import { enroll } from "../../src/crm/workflow-runs/enrollment.service.ts";
import { publishWorkflow } from "../../src/crm/workflows/workflow.operations.ts";
import { createWorkflow } from "../../src/crm/workflows/workflow.service.ts";
import { openService } from "../../src/service.ts";
import type { Database } from "../../src/storage/database.ts";
import { limits } from "../../src/vocabulary/limits.ts";
import { copyRows } from "../support/copy-rows.ts";
import type { TestedSystem } from "./tested-system.ts";

/** Control characters take the most bytes in JSON, six each; a text must not consist of them only. Names have none, and take four each. */
const wide = (first: string, length: number): string => first + "\u0001".repeat(length - 1);
const name = (first: string): string => first + "😀".repeat(limits.name - first.length);

/** A page, plus one record so that another page follows. */
const most = limits.pageSize + 1;

/** Copies the rows of a table for which `where` holds. */
function copy(database: Database, table: string, where: string, differing: Record<string, string> = {}, times = most) {
  return copyRows((text) => database.transaction(({ rowsOnce }) => rowsOnce(text)), table, where, differing, times);
}

/** The paths (below /api/v1) of the lists and other large responses, by name. */
export type Heaviest = Readonly<Record<string, string>>;

/** `url`: the address of a service of the system. */
export async function fillLists(system: TestedSystem, url: string): Promise<Heaviest> {
  const { key, location } = system;
  async function send(method: string, path: string, body: object): Promise<number> {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ location_id: location, ...body }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
    return Number(/^\{(?:"conversation":\{)?"id":(\d+)/.exec(text)?.[1]);
  }

  /** By the terminal, since the API cannot create them. */
  async function run(...parameters: readonly string[]): Promise<unknown> {
    const { code, stdout, stderr } = await system.run(...parameters, "--json");
    if (code !== 0)
      throw new Error(`crm ${parameters.join(" ").slice(0, 100)}: ${stdout.slice(0, 500)} ${stderr.slice(0, 500)}`);
    return JSON.parse(stdout);
  }

  const texts = Object.entries(limits.contact).map(([field, length]) => [field, wide("c", length)]);
  const contact = await send("POST", "/contacts", {
    ...Object.fromEntries(texts),
    email: `${"e".repeat(limits.contact.email - 5)}@x.co`,
    phone: `no ${wide("p", limits.contact.phone - 3)}`,
  });
  const tag = await send("POST", "/tags", { name: name("t"), color: "#aabbcc" });
  await send("POST", `/contacts/${contact}/tags`, { tag_id: tag });
  await send("POST", `/contacts/${contact}/notes`, { body: wide("n", limits.noteBody) });
  const stages = Array.from({ length: limits.pipelineStages }, (_, place) => `${name(`s${place}-`)}:lost:#aabbcc`);
  const flags = stages.flatMap((stage) => ["--stage", stage]);
  const pipeline = (await run("pipelines", "create", name("p"), ...flags)) as { id: number; stages: { id: number }[] };
  const opportunity = { pipeline_id: pipeline.id, stage_id: pipeline.stages[0]!.id, name: wide("o", limits.name) };
  await send("POST", "/opportunities", {
    contact_id: contact,
    lost_reason: wide("l", limits.lostReason),
    ...opportunity,
  });
  await send("POST", "/tasks", { contact_id: contact, title: wide("t", limits.taskTitle), due_at: "2026-03-01" });
  const desk = ["--kind", "email", "--address", "desk@example.com"];
  const { id: channel } = (await run("channels", "create", name("c"), ...desk)) as { id: number };
  const conversation = await send("POST", "/conversations", {
    contact_id: contact,
    channel_id: channel,
    subject: wide("s", limits.subject),
    body: wide("m", limits.messageBody),
  });
  await send("POST", `/conversations/${conversation}/messages`, { body: wide("m", limits.messageBody), html: "h" });
  const data = { text: "x".repeat(limits.reportedEventBytes - 100) };
  await send("POST", "/events", { event: "form.submitted", contact_id: contact, data });
  const target = `https://192.0.3.1/${"h".repeat(2000)}`;
  const hook = await send("POST", "/hooks", { event: "contact.created", target_url: target });
  await run(
    "users",
    "invite",
    "mia@acme.example",
    "--name",
    name("u"),
    "--role",
    "member",
    "--location",
    String(location),
  );

  const settings = loadSettings({ environment: system.environment, directory: system.place.directory });
  const service = await openService(settings, { log: createConsola({ level: -999 }) });
  const { database } = service;
  try {
    const [{ workspace_id: workspace } = { workspace_id: 0 }] = await database.rows<{ workspace_id: number }>(
      "select workspace_id from locations where id = ?",
      [location],
    );
    const caller = await service.inLocation(workspace, location);
    const node = "n".repeat(limits.workflow.nodeId);
    const definition = { entry: node, nodes: { [node]: { type: "wait" as const, reply: true as const } } };
    const workflow = await caller.change((change) =>
      createWorkflow(change, { name: name("w"), definition, allow_reentry: true }),
    );
    await service.carryOut(publishWorkflow, caller, { workflow: workflow.id });
    const context = { text: "x".repeat(limits.workflowRun.contextBytes - 100) };
    const run = await caller.change((change) =>
      enroll(change, { workflowId: workflow.id, contactId: contact, context }),
    );

    const address = `'${"😀".repeat(limits.channelAddress)}'`;
    const addresses = { address, inbound_address: address, outbound_address: address };
    const numbered = (first: string) => `'${first}' || n || name`;
    await copy(database, "tags", `id = ${tag}`, {
      name: numbered("t"),
      name_key: "'t' || n || name_key",
      long_key: "long_key",
    });
    await copy(database, "contact_tags", `contact_id = ${contact}`, { tag_id: `${tag} + n` }, limits.contactTags - 1);
    await copy(database, "contacts", `id = ${contact}`, { external_ref: "null" });
    await copy(database, "contact_tags", `contact_id = ${contact}`, { contact_id: `${contact} + n` });
    await copy(database, "notes", `contact_id = ${contact}`);
    await copy(database, "opportunities", `contact_id = ${contact}`);
    await copy(database, "tasks", `contact_id = ${contact}`);
    await copy(database, "conversations", `id = ${conversation}`);
    // As JSON it would exceed the body limit.
    const html = wide("h", limits.messageHtml);
    await database.transaction(({ rows }) => rows("update messages set html = ? where html is not null", [html]));
    await copy(database, "messages", `conversation_id = ${conversation}`);
    await copy(
      database,
      "channels",
      `id = ${channel}`,
      { ...addresses, inbound_hash: "inbound_hash || n" },
      limits.channels - 1,
    );
    await copy(database, "pipelines", `id = ${pipeline.id}`);
    await copy(database, "stages", `pipeline_id = ${pipeline.id}`, { pipeline_id: `${pipeline.id} + n` });
    await copy(database, "locations", `id = ${location}`, { website: `'${"w".repeat(limits.name)}'` });
    const elsewhere = { external_ref: "null", location_id: `${location} + 1` };
    await copy(database, "contacts", `id = ${contact}`, elsewhere);
    const [person] = await database.rows<{ id: number }>("select max(id) as id from users");
    const [member] = await database.rows<{ id: number }>("select max(id) as id from memberships");
    await copy(database, "users", `id = ${person!.id}`, { email: "n || email", email_key: "n || email_key" });
    await copy(database, "memberships", `id = ${member!.id}`, { user_id: `${person!.id} + n` });
    await copy(database, "membership_locations", `membership_id = ${member!.id}`, { location_id: `${location} + n` });
    await copy(database, "membership_locations", `membership_id = ${member!.id}`, {
      membership_id: `${member!.id} + n`,
    });
    await copy(database, "hooks", `id = ${hook}`);
    await copy(database, "workflows", `id = ${workflow.id}`, { trigger_event: "null" });
    await copy(database, "workflow_runs", `id = ${run.id}`);
    await copy(database, "events", "event = 'form.submitted'");
    await database.transaction(({ rows }) =>
      rows(`insert into unstamped_events (event_id, workspace_id, location_id) select id, workspace_id, location_id from events
        where id not in (select event_id from event_positions) and id not in (select event_id from unstamped_events)`),
    );
    const [event] = await database.rows<{ id: number }>("select min(id) as id from events");
    await database.transaction(({ rows }) =>
      rows(
        `insert into deliveries (hook_id, event_id, state, attempt, round_start, attempt_open, crashed, fence, created_at)
         select ${hook}, ${event!.id}, 'failed', 10, 0, false, false, 0, created_at from events where id = ${event!.id}`,
      ),
    );
    await database.transaction(({ rows }) =>
      rows(
        `insert into delivery_attempts (delivery_id, number, at, duration_ms, status, error, body)
         select id, 1, created_at, 1, 500, 'http_5xx', ? from deliveries`,
        ["\u0001".repeat(4096)],
      ),
    );
    const [delivery] = await database.rows<{ id: number }>("select max(id) as id from deliveries");
    await copy(database, "delivery_attempts", `delivery_id = ${delivery!.id}`, { number: "n + 1" }, 9);
    await copy(database, "deliveries", `id = ${delivery!.id}`);
    await copy(database, "delivery_attempts", `delivery_id = ${delivery!.id}`, { delivery_id: `${delivery!.id} + n` });
    await service.worker.runOnce();

    const here = `location_id=${location}`;
    return {
      contacts: `/contacts?${here}`,
      "contacts, filtered": `/contacts?${here}&filters=${encodeURIComponent('{"dnd":false}')}`,
      "contacts without tags": `/contacts?location_id=${location + 1}`,
      contact: `/contacts/${contact}?${here}`,
      notes: `/contacts/${contact}/notes?${here}`,
      opportunities: `/opportunities?${here}`,
      tasks: `/tasks?${here}`,
      conversations: `/conversations?${here}`,
      "conversations, searched": `/conversations?${here}&search=eee`,
      conversation: `/conversations/${conversation}?${here}`,
      messages: `/conversations/${conversation}/messages?${here}`,
      channels: `/channels?${here}`,
      pipelines: `/pipelines?${here}`,
      tags: "/tags",
      users: "/users",
      locations: "/locations",
      workflows: `/workflows?${here}`,
      runs: `/workflows/${workflow.id}/runs?${here}`,
      run: `/workflow-runs/${run.id}?${here}`,
      events: "/events",
      "events of one name": "/events?event=contact.tag_removed",
      hooks: "/hooks",
      deliveries: `/hooks/${hook}/deliveries`,
      "failed deliveries": `/hooks/${hook}/deliveries?state=failed`,
    };
  } finally {
    await service.close();
  }
}
