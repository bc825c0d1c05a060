/** The input of contacts. */
import { z } from "zod";
import { describeInput } from "../../kit/input/described-input.ts";
import { creation } from "../../kit/input/creation.ts";
import { emptyableText, filledText, nullableId, sentencesOf } from "../../kit/input/fields.ts";
import { toId } from "../../kit/input/id.ts";
import { nullableName } from "../../kit/input/name.ts";
import { pageQuery } from "../../kit/page-shapes.ts";
import { isBlank } from "../../kit/text.ts";
import type { FieldErrors } from "../../vocabulary/errors.ts";
import { limits } from "../../vocabulary/limits.ts";
import { customFieldsInput as customFields } from "../custom-fields/custom-field.schema.ts";
import { describeFilters } from "./list/contact.filter-guide.ts";
import { contactFields } from "./contact.fields.ts";
import type { ContactField } from "./contact.fields.ts";

const inputs = Object.fromEntries(Object.entries(contactFields).map(([field, { input }]) => [field, input])) as {
  [Field in ContactField]: (typeof contactFields)[Field]["input"];
};

/** An example input. */
const person = {
  first_name: "Ada",
  last_name: "Lovelace",
  email: "ada@example.com",
  phone: "(415) 555-2671",
  company: "Analytical Engines",
};

/** POST /contacts. */
export const createContactInput = creation({ ...inputs, ...customFields }).meta({ examples: [person] });

/** PATCH accepts every field of create, and also an empty first name, since an upsert can create a contact without a name. */
export const updateContactInput = z
  .object(inputs)
  .partial()
  .extend({
    ...customFields,
    first_name: emptyableText(limits.contact.first_name).optional(),
  })
  .meta({ examples: [{ company: "Difference Engines", dnd: true }] });

/** Names are optional in an upsert. */
const upsertFields = creation({
  ...inputs,
  ...customFields,
  first_name: emptyableText(limits.contact.first_name).optional(),
  last_name: emptyableText(limits.contact.last_name).optional(),
});

/** A row of an export. Every field may be empty. */
export const exactContactInput = upsertFields;

/** The given fields; omitted fields are unchanged. */
export type ContactInput = z.output<typeof upsertFields>;

/**
 * A zod refinement would only run once every field is valid. This reports all invalid fields at once, including those of the rule between
 * email and phone.
 */
export const upsertContactInput = z
  .unknown()
  .transform((raw, context): ContactInput => {
    const parsed = upsertFields.safeParse(raw);
    if (!parsed.success) context.issues.push(...parsed.error.issues.map((issue) => ({ ...issue, input: undefined })));
    for (const [field, other] of [["email", "phone"] as const, ["phone", "email"] as const]) {
      if (!isMissing(raw, "email") || !isMissing(raw, "phone")) break;
      context.issues.push({
        code: "custom",
        path: [field],
        input: undefined,
        message: `is required when the ${other} is not given.`,
      });
    }
    return parsed.success ? parsed.data : z.NEVER;
  })
  .meta({ ...describeInput(upsertFields), examples: [person] });

function isMissing(raw: unknown, field: "email" | "phone"): boolean {
  const value = typeof raw === "object" && raw !== null ? (raw as Partial<Record<string, unknown>>)[field] : undefined;
  return value === undefined || value === null || (typeof value === "string" && isBlank(value));
}

/** One contact of a bulk request: its input, or its errors. */
export type BulkItem = { readonly input: ContactInput } | { readonly errors: FieldErrors };

/** Items are independent: an invalid one gets its own error and does not affect the others. */
const bulkItem = z
  .unknown()
  .transform((raw): BulkItem => {
    if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
      return { errors: { contact: ["The contact must be an object."] } };
    }
    const parsed = upsertContactInput.safeParse(raw);
    return parsed.success ? { input: parsed.data } : { errors: sentencesOf(parsed.error) };
  })
  .meta({ ...describeInput(upsertFields), id: "BulkContact", examples: [person] });

export const bulkContactsInput = z
  .object({ contacts: z.array(bulkItem).min(1).max(limits.bulkContacts) })
  .meta({ examples: [{ contacts: [person, { email: "grace@example.com", last_name: "Hopper" }] }] });

/** GET /contacts. */
export const contactListQuery = z.object({
  email: filledText().describe("Exactly this e-mail address, ignoring case."),
  phone: filledText().describe("Exactly this phone number and extension, in any notation."),
  search: filledText(limits.name).describe(
    "Parts of a name, an e-mail address or a phone number, separated by spaces. All must match: those of three or more characters anywhere, shorter ones at the beginning of a word.",
  ),
  filters: filledText(limits.filterText).meta({
    description: describeFilters(),
    examples: ['[{"field":"city","op":"eq","value":"Boston"},{"field":"tag","op":"eq","value":"VIP"}]'],
  }),
  ...pageQuery.shape,
});

/** No record has it as its ID. */
const unknownId = Number.MAX_SAFE_INTEGER;

/** Any integer may be sent: one that cannot be an ID, such as 0, names no tag either, which is 404 (specification, "Errors") and not 422. */
function readTagId(value: unknown): unknown {
  const isInteger = typeof value === "string" ? /^\s*-?[0-9]+\s*$/.test(value) : Number.isInteger(value);
  return isInteger && toId(typeof value === "string" ? value.trim() : value) === undefined ? unknownId : value;
}

/** POST /contacts/{id}/tags: the id takes precedence over the name. */
export const contactTagInput = z
  .object({ tag_id: z.preprocess(readTagId, nullableId()).optional(), name: nullableName(limits.tagName) })
  .transform(({ tag_id = null, name = null }, context) => {
    if (tag_id !== null) return { tag_id, name: null };
    if (name !== null) return { tag_id: null, name };
    context.issues.push(
      { code: "custom", path: ["tag_id"], input: tag_id, message: "is required when the name is not given." },
      { code: "custom", path: ["name"], input: name, message: "is required when the tag id is not given." },
    );
    return z.NEVER;
  })
  .meta({ examples: [{ name: "VIP" }] });

export type ContactTagInput = z.output<typeof contactTagInput>;
