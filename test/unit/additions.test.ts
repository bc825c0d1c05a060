/** Operations of the specification have every member that it shows, and beside them only those that are listed here as additions. */
import { expect, test } from "vitest";
import { z } from "zod";
import { endpoints } from "../../src/operations.ts";
import type { Endpoint } from "../../src/http/endpoint.ts";

const contact =
  "id name first_name last_name email phone_display interest source owner tags stage value_cents last_activity_at next_task dnd " +
  "company address1 city state zip timezone created_at updated_at opportunities tasks notes conversations activities";
const person =
  "first_name last_name email phone company source interest address1 city state zip timezone dnd owner_user_id external_ref";
const note = "id body pinned user created_at updated_at";
const opportunity =
  "id contact pipeline stage name value_cents owner status lost_reason stage_entered_at closed_at created_at updated_at";
const conversation =
  "id contact kind channel status snoozed_until assignee preview last_message_at last_inbound_at unread unread_count subject possible_match";
const message =
  "id conversation_id direction kind body html subject from_address to_address status error author sent_at delivered_at created_at " +
  "ai_generated attachments";
const task = "id contact title due_at overdue completed_at assignee created_by created_at";
const run =
  "id workflow_id contact_id status current_node_id wait_reason wake_at ended_reason enrolled_at completed_at";

/** Operations of the specification: the members of what is sent and answered. */
const specified: Readonly<Record<string, { readonly sends?: string; readonly answers: string }>> = {
  "GET /locations": { answers: "data" },
  "GET /contacts": { sends: "email phone filters cursor", answers: "data next_cursor total" },
  "POST /contacts": { sends: person, answers: contact },
  "POST /contacts/upsert": { sends: person, answers: "contact created" },
  "GET /contacts/{id}": { answers: contact },
  "PATCH /contacts/{id}": { sends: person, answers: contact },
  "POST /contacts/{id}/notes": { sends: "body pinned", answers: note },
  "POST /contacts/{id}/tags": { sends: "tag_id name", answers: contact },
  "DELETE /contacts/{id}/tags/{tagId}": { answers: contact },
  "POST /opportunities": {
    sends: "contact_id pipeline_id stage_id name value_cents owner_user_id lost_reason",
    answers: opportunity,
  },
  "PATCH /opportunities/{id}": { sends: "stage_id lost_reason name value_cents owner_user_id", answers: opportunity },
  "GET /conversations": { sends: "status kind assignee_user_id search cursor", answers: "data next_cursor" },
  "POST /conversations": { sends: "contact_id channel_id body subject", answers: "conversation message" },
  "GET /conversations/{id}": { answers: "conversation messages" },
  "PATCH /conversations/{id}": { sends: "status snoozed_until assignee_user_id", answers: conversation },
  "POST /conversations/{id}/messages": { sends: "body kind subject", answers: message },
  "POST /tasks": { sends: "contact_id title due_at assignee_user_id", answers: task },
  "PATCH /tasks/{id}": { sends: "title due_at assignee_user_id completed", answers: task },
  "GET /channels": { answers: "data" },
  "POST /workflows/{id}/enroll": { sends: "contact_id context", answers: run },
  "POST /hooks": { sends: "event target_url", answers: "id event target_url" },
};

/** Members that it does not show; a client can ignore them. */
const additions: Readonly<Record<string, string>> = {
  "GET /contacts": "search",
  "POST /contacts/upsert": "possible_duplicates custom_fields",
  "POST /contacts": "external_ref custom_fields",
  "GET /contacts/{id}": "external_ref custom_fields",
  "PATCH /contacts/{id}": "external_ref custom_fields",
  "POST /contacts/{id}/tags": "external_ref custom_fields",
  "DELETE /contacts/{id}/tags/{tagId}": "external_ref custom_fields",
  "POST /opportunities": "custom_fields",
  "PATCH /opportunities/{id}": "custom_fields",
  "POST /conversations": "attachment_ids",
  "PATCH /conversations/{id}": "contact_id unread",
  "POST /conversations/{id}/messages": "attachment_ids html",
  "POST /workflows/{id}/enroll": "contact_ids data",
  "POST /hooks": "secret",
};

const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

function membersOf(schema: z.ZodType | null | undefined, io: "input" | "output"): string[] {
  if (schema === null || schema === undefined) return [];
  const { $ref, $defs = {}, ...whole } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  const named = $ref === undefined ? whole : $defs[$ref.replace(/^.*\//, "")]!;
  const alternatives = [named, ...(named.anyOf ?? []).map(({ $ref: to }) => $defs[to!.replace(/^.*\//, "")]!)];
  return alternatives.flatMap(({ properties = {} }) => Object.keys(properties));
}

function beyond(members: readonly string[], known: string): string[] {
  return members.filter((member) => !known.split(" ").includes(member));
}

test("every operation that the specification shows is there", () => {
  expect(Object.keys(specified).filter((name) => !endpoints.some((endpoint) => nameOf(endpoint) === name))).toEqual([]);
});

const shown = endpoints.filter((endpoint) => nameOf(endpoint) in specified);

test.each(shown.map((endpoint) => [nameOf(endpoint), endpoint] as const))("%s", (name, { operation }) => {
  const { sends = "", answers } = specified[name]!;
  const sent = membersOf(operation.query ?? operation.input, "input");
  const answered = membersOf(operation.gives, "output");
  const added = [...beyond(sent, sends), ...beyond(answered, answers)];
  expect(new Set(added)).toEqual(new Set(additions[name]?.split(" ")));
  expect(answers.split(" ").filter((member) => !answered.includes(member))).toEqual([]);
});
