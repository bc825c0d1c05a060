/** Records that contract rows start from, made over the API itself. */
import type { ChannelInput } from "../../src/crm/channels/channel.schema.ts";
import { createChannel } from "../../src/crm/channels/channel.service.ts";
import type { NewChannelView } from "../../src/crm/channels/channel.view.ts";
import { request } from "./client.ts";
import type { HttpAnswer } from "./client.ts";
import type { OpportunityView } from "../../src/crm/opportunities/opportunity.view.ts";
import type { PipelineView } from "../../src/crm/pipelines/pipeline.view.ts";
import type { TaskView } from "../../src/crm/tasks/task.view.ts";
import type { Asker, World } from "./world.ts";

let serial = 0;

/** A number that no other record of this run was made with. */
export function unique(): number {
  serial += 1;
  return serial;
}

/** The body of a 2xx answer; throws for any other. */
// oxlint-disable-next-line typescript/no-explicit-any -- looked into freely
export async function made(answer: Promise<{ status: number; body: any; text: string }>): Promise<any> {
  const { status, body, text } = await answer;
  if (status >= 300) throw new Error(`what was to be given was answered ${status}: ${text}`);
  return body;
}

/** A contact in North with an e-mail, a phone and an external_ref of its own. */
export async function givenContact(world: World, fields: Record<string, unknown> = {}, as: Asker = "owner") {
  const number = unique();
  return made(
    world.send(as, "POST", "/contacts", {
      location_id: world.north,
      first_name: "Ada",
      last_name: `Number ${number}`,
      email: `ada.${number}@example.com`,
      phone: `+1212555${String(1000 + number).slice(-4)}`,
      external_ref: `ref-${number}`,
      ...fields,
    }),
  );
}

export async function givenTag(world: World, name = `Tag ${unique()}`) {
  return made(world.send("owner", "POST", "/tags", { name, color: "#112233" }));
}

/** A contact in North that carries a tag. */
export async function givenTaggedContact(world: World) {
  const contact = await givenContact(world);
  const tag = await givenTag(world);
  await made(world.send("owner", "POST", `/contacts/${contact.id}/tags`, { location_id: world.north, tag_id: tag.id }));
  return { contact, tag };
}

/** A channel of North, with its inbound URL. The terminal alone makes channels, so this one is made by what the terminal calls. */
export async function givenChannel(
  world: World,
  fields: Partial<ChannelInput> = {},
  location = world.north,
): Promise<NewChannelView> {
  const caller = await world.service.inLocation(world.acme, location);
  const input: ChannelInput = { name: `Channel ${unique()}`, kind: "sms", address: "(212) 555-0100", ...fields };
  return caller.change((change) => createChannel(change, input));
}

/** The pipeline with which a location began. */
export async function pipelineOf(world: World, location = world.north, as: Asker = "owner"): Promise<PipelineView> {
  return (await made(world.send(as, "GET", `/pipelines?location_id=${location}`))).data[0];
}

/** The stages of North's pipeline, by name. */
export async function stagesOf(world: World): Promise<Record<string, PipelineView["stages"][number]>> {
  const { stages } = await pipelineOf(world);
  return Object.fromEntries(stages.map((stage) => [stage.name, stage]));
}

/** An opportunity in North: of a contact of its own and in the first stage, unless `fields` say otherwise. */
export async function givenOpportunity(world: World, fields: Record<string, unknown> = {}): Promise<OpportunityView> {
  const pipeline = await pipelineOf(world);
  const body = {
    location_id: world.north,
    contact_id: fields["contact_id"] ?? (await givenContact(world)).id,
    pipeline_id: pipeline.id,
    stage_id: pipeline.stages[0]!.id,
    ...fields,
  };
  return made(world.send("owner", "POST", "/opportunities", body));
}

/** A task in North, unassigned unless `fields` set an assignee. */
export async function givenTask(world: World, fields: Record<string, unknown> = {}): Promise<TaskView> {
  return made(world.send("owner", "POST", "/tasks", { location_id: world.north, title: "Call back", ...fields }));
}

/** A conversation in North, with a contact and on a channel of its own unless `fields` say otherwise: what starting it answered. */
export async function givenConversation(world: World, fields: Record<string, unknown> = {}) {
  return made(
    world.send("owner", "POST", "/conversations", {
      location_id: world.north,
      contact_id: fields["contact_id"] ?? (await givenContact(world)).id,
      channel_id: fields["channel_id"] ?? (await givenChannel(world)).id,
      ...fields,
    }),
  );
}

/** Hands a message in at a channel, as its provider does. */
export function handIn(world: World, { inbound_url }: { inbound_url: string }, body: unknown): Promise<HttpAnswer> {
  return request(world.url, { method: "POST", path: new URL(inbound_url).pathname, body });
}

/** A conversation in which these texts were sent, the first one the oldest. */
export async function givenTexts(world: World, bodies: readonly string[]) {
  const { conversation } = await givenConversation(world);
  const sent = [];
  for (const body of bodies) {
    sent.push(
      await made(
        world.send("owner", "POST", `/conversations/${conversation.id}/messages`, { location_id: world.north, body }),
      ),
    );
  }
  return { id: conversation.id, sent };
}
