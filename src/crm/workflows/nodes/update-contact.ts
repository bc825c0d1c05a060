/** update_contact: sets fields of the contact, with the limits and refusals of PATCH. */
import { z } from "zod";
import { flag, nullableId, nullableText, sentencesOf } from "../../../kit/input/fields.ts";
import { readInput } from "../../../kit/input/read-input.ts";
import { contactFieldNames, contactFields } from "../../contacts/contact.fields.ts";
import type { ContactField } from "../../contacts/contact.fields.ts";
import { updateContactInput } from "../../contacts/contact.schema.ts";
import type { ContactInput } from "../../contacts/contact.schema.ts";
import { updateContact } from "../../contacts/contact.service.ts";
import { keysOfInput } from "../../contacts/write/contact.write.ts";
import { quoted } from "../definition/excerpt.ts";
import { defineAction } from "../definition/node-type.ts";
import type { ActionContext, FieldFault, NodeField } from "../definition/node-type.ts";
import { next, templates } from "../definition/parts.schema.ts";
import { hasTemplates } from "../definition/template.ts";

/** Texts may hold templates, so their values are checked when the node is performed. */
const settable = Object.fromEntries(
  contactFieldNames.map((field) => [
    field,
    { text: nullableText(), boolean: flag(), number: nullableId() }[contactFields[field].kind],
  ]),
) as unknown as { [Field in ContactField]: z.ZodOptional<z.ZodType<string | number | boolean | null>> };

/** Checked against the definitions of the workspace when the node is performed. */
const customValues = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]),
);

const schema = z
  .strictObject({
    type: z.literal("update_contact"),
    set: z
      .strictObject({ ...settable, custom_fields: customValues.optional() })
      .refine((set) => Object.keys(set).length > 0, { error: "must name at least one field." })
      .describe(templates),
    next,
  })
  .describe("Changes fields of the contact.");

type ContactSet = z.output<typeof schema>["set"];

const lockedFields = ["email", "phone", "external_ref"] as const;

export const updateContactNode = defineAction({
  type: "update_contact",
  scopes: () => ["contacts.write"],
  schema,
  about: "changes the contact: `set` has fields as in `PATCH /contacts/{id}`",
  fields: ({ set }) => [
    ...Object.entries(set).flatMap(([field, value]): NodeField[] =>
      typeof value === "string" ? [{ field: `set.${field}`, holds: "template", value }] : [],
    ),
    ...Object.entries(set.custom_fields ?? {}).flatMap(([key, value]): NodeField[] =>
      typeof value === "string" ? [{ field: `set.custom_fields.${key}`, holds: "template", value }] : [],
    ),
    { field: "set.owner_user_id", holds: "user", value: toId(set.owner_user_id) },
  ],
  faults: ({ set }) => faultsOf(set),
  summary: ({ set }) =>
    `set ${Object.entries(set)
      .map(([field, value]) => `${field} to ${quoted(value)}`)
      .join(", ")}`,
  keyLocks: {
    areTaken: ({ set }) => lockedFields.some((field) => set[field] !== undefined),
    find: async (change, { set }, fill) => keysOfInput(change, await fillSet(set, fill)),
  },
  async perform(change, { set }, { contactId, fill }) {
    await updateContact(change, contactId, await fillSet(set, fill));
    return "done";
  },
});

async function fillSet(set: ContactSet, fill: ActionContext["fill"]): Promise<ContactInput> {
  const filled: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(set)) {
    filled[field] = typeof value === "string" ? await fill(value) : value;
  }
  if (set.custom_fields !== undefined) {
    const values: [string, unknown][] = [];
    for (const [key, value] of Object.entries(set.custom_fields))
      values.push([key, typeof value === "string" ? await fill(value) : value]);
    filled["custom_fields"] = Object.fromEntries(values);
  }
  return readInput(updateContactInput, filled);
}

/** A text with a template is checked when it is filled. */
function faultsOf(set: ContactSet): FieldFault[] {
  const known = Object.entries(set).filter(([, value]) => typeof value !== "string" || !hasTemplates(value));
  const { error } = updateContactInput.safeParse(Object.fromEntries(known));
  if (error === undefined) return [];
  return Object.entries(sentencesOf(error)).flatMap(([field, sentences]) =>
    sentences.map((sentence) => ({ field: `set.${field}`, predicate: sentence.replace(/^The .*? field /, "") })),
  );
}

function toId(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
