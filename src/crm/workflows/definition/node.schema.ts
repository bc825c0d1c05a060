/** The types of nodes that a workflow is made of, and what each says. */
import { z } from "zod";
import { flag, nullableId, nullableText, recordId, text } from "../../../kit/input/fields.ts";
import { name } from "../../../kit/input/name.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { contactFieldNames, contactFields } from "../../contacts/contact.fields.ts";
import type { ContactField } from "../../contacts/contact.fields.ts";
import { contactEvent, duration, filter, moment, next, nodeId } from "./parts.schema.ts";

const templates = "Takes {{contact.first_name}} and {{context.key}}.";

/** The name of a tag, folded, or its id. */
const tag = z.union([z.int().positive(), name(limits.tagName)], {
  error: "must be the name of a tag, or its id as a number.",
});

/** Texts may hold templates, so that what becomes of them is judged when the run is there. */
const settable = Object.fromEntries(
  contactFieldNames.map((field) => [
    field,
    { text: nullableText(), boolean: flag(), number: nullableId() }[contactFields[field].kind],
  ]),
) as unknown as { [Field in ContactField]: z.ZodOptional<z.ZodType<string | number | boolean | null>> };

const timeout = duration.optional().describe("How long it waits at the most; without it, for ever.");
const onTimeout = nodeId
  .optional()
  .describe("Where the run goes on when that time is over; without it where `next` says.");

/** What a node waits for: the member that says so → the node. */
export const waits = {
  for: z.strictObject({ type: z.literal("wait"), for: duration, next }),
  until: z.strictObject({ type: z.literal("wait"), until: moment, next }),
  reply: z.strictObject({
    type: z.literal("wait"),
    reply: z.literal(true, { error: "must be true." }),
    timeout,
    on_timeout: onTimeout,
    next: next.describe("The node that comes after a reply; without one the run ends as replied."),
  }),
  event: z.strictObject({
    type: z.literal("wait"),
    event: contactEvent,
    timeout,
    on_timeout: onTimeout,
    next,
  }),
} as const;

/** The nodes of all other types. */
export const nodes = {
  send_message: z
    .strictObject({
      type: z.literal("send_message"),
      channel_id: recordId(),
      body: text(limits.messageBody).describe(templates),
      subject: nullableText(limits.subject).describe(templates),
      next,
    })
    .describe("Sends the contact a message; the run of a contact that is not to be disturbed ends here."),
  add_tag: z.strictObject({ type: z.literal("add_tag"), tag, next }),
  remove_tag: z.strictObject({ type: z.literal("remove_tag"), tag, next }),
  create_task: z
    .strictObject({
      type: z.literal("create_task"),
      title: text(limits.taskTitle).describe(templates),
      due_in: duration.optional(),
      assignee_user_id: nullableId(),
      next,
    })
    .describe("Makes a task for the contact."),
  add_note: z.strictObject({ type: z.literal("add_note"), body: text(limits.noteBody).describe(templates), next }),
  update_contact: z
    .strictObject({
      type: z.literal("update_contact"),
      set: z
        .strictObject(settable)
        .refine((set) => Object.keys(set).length > 0, { error: "must name at least one field." })
        .describe(templates),
      next,
    })
    .describe("Sets fields of the contact."),
  move_stage: z
    .strictObject({ type: z.literal("move_stage"), pipeline_id: recordId(), stage_id: recordId(), next })
    .describe("Moves the contact's newest open opportunity."),
  branch: z
    .strictObject({ type: z.literal("branch"), when: filter, then: nodeId.optional(), else: nodeId.optional() })
    .refine((node) => node.then !== undefined || node.else !== undefined, {
      error: "is required where there is no else.",
      path: ["then"],
    })
    .describe("Goes on at `then` where the filter holds, else at `else`; where that one is left out, the run ends."),
  goal: z
    .strictObject({ type: z.literal("goal"), when: filter, next })
    .describe(
      "As soon as the filter holds, the run jumps here from whatever it waits for. Otherwise it is passed through.",
    ),
  webhook: z
    .strictObject({
      type: z.literal("webhook"),
      url: text(limits.workflow.url).meta({ format: "uri" }),
      on_error: nodeId.optional().describe("Where the run goes on when three attempts failed; without it, it fails."),
      next,
    })
    .describe("Posts the contact and the context to an address."),
  exit: z.strictObject({ type: z.literal("exit") }).describe("Ends the run."),
} as const;

type Nodes = { [Type in keyof typeof nodes]: z.output<(typeof nodes)[Type]> };
type Waits = { [Kind in keyof typeof waits]: z.output<(typeof waits)[Kind]> };

/** A node as it lies in a version that was published. */
export type WorkflowNode = Nodes[keyof Nodes] | Waits[keyof Waits];

export type NodeType = WorkflowNode["type"];

/** The nodes of one type. */
export type NodeOf<Type extends NodeType> = Extract<WorkflowNode, { type: Type }>;

export type WaitKind = keyof Waits;
