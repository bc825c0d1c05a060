/** What comes in for a contact, by the names and limits of its fields. */
import { z } from "zod";
import { creation } from "../../kit/input/creation.ts";
import { emptyableText, filledText, nullableId, nullableText, sentencesOf } from "../../kit/input/fields.ts";
import { nullableName } from "../../kit/input/name.ts";
import { pageQuery } from "../../kit/page-shapes.ts";
import { isBlank } from "../../kit/text.ts";
import type { FieldErrors } from "../../vocabulary/errors.ts";
import { limits } from "../../vocabulary/limits.ts";
import { describeFilters } from "./list/contact.filter-guide.ts";
import { contactFields } from "./contact.fields.ts";
import type { ContactField } from "./contact.fields.ts";

const inputs = Object.fromEntries(Object.entries(contactFields).map(([field, { input }]) => [field, input])) as {
  [Field in ContactField]: (typeof contactFields)[Field]["input"];
};

/** A person as a client could send one. */
const person = {
  first_name: "Ada",
  last_name: "Lovelace",
  email: "ada@example.com",
  phone: "(415) 555-2671",
  company: "Analytical Engines",
};

/** POST /contacts. */
export const createContactInput = creation(inputs).meta({ examples: [person] });

/** PATCH takes every field of create, with the same limits, and what GET showed: an upsert may have made a contact without a name. */
export const updateContactInput = z
  .object(inputs)
  .partial()
  .extend({
    first_name: emptyableText(limits.contact.first_name).optional(),
  })
  .meta({ examples: [{ company: "Difference Engines", dnd: true }] });

/** Names may be left out of an upsert. */
const upsertFields = creation({
  ...inputs,
  first_name: emptyableText(limits.contact.first_name).optional(),
  last_name: emptyableText(limits.contact.last_name).optional(),
});

/** A row of an export: a contact may be known by nothing at all. */
export const exactContactInput = upsertFields;

/** The fields that are given; what is left out stays as it is. */
export type ContactInput = z.output<typeof upsertFields>;

/**
 * A refinement would be judged only where every field is in order; here each failing field is named at once, those of the
 * rule between email and phone as well.
 */
export const upsertContactInput = z
  .unknown()
  .transform((given, context): ContactInput => {
    const parsed = upsertFields.safeParse(given);
    if (!parsed.success) context.issues.push(...parsed.error.issues.map((issue) => ({ ...issue, input: undefined })));
    for (const [field, other] of [["email", "phone"] as const, ["phone", "email"] as const]) {
      if (!isMissing(given, "email") || !isMissing(given, "phone")) break;
      context.issues.push({
        code: "custom",
        path: [field],
        input: undefined,
        message: `is required when the ${other} is not given.`,
      });
    }
    return parsed.success ? parsed.data : z.NEVER;
  })
  .meta({ ...describe(upsertFields), examples: [person] });

function isMissing(given: unknown, field: "email" | "phone"): boolean {
  const value =
    typeof given === "object" && given !== null ? (given as Partial<Record<string, unknown>>)[field] : undefined;
  return value === undefined || value === null || (typeof value === "string" && isBlank(value));
}

/** For the documents: what a transform over anything would hide. */
function describe(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _dialect, ...described } = z.toJSONSchema(schema, { io: "input" });
  return described;
}

/** One contact of a bulk: what to write, or why it cannot be. */
export type BulkItem = { readonly input: ContactInput } | { readonly errors: FieldErrors };

/** Each item stands alone: one that is wrong is answered in its place and stops no other. */
const bulkItem = z
  .unknown()
  .transform((given): BulkItem => {
    if (typeof given !== "object" || given === null || Array.isArray(given)) {
      return { errors: { contact: ["The contact must be an object."] } };
    }
    const parsed = upsertContactInput.safeParse(given);
    return parsed.success ? { input: parsed.data } : { errors: sentencesOf(parsed.error) };
  })
  .meta({ ...describe(upsertFields), id: "BulkContact", examples: [person] });

export const bulkContactsInput = z
  .object({ contacts: z.array(bulkItem).min(1).max(limits.bulkContacts) })
  .meta({ examples: [{ contacts: [person, { email: "grace@example.com", last_name: "Hopper" }] }] });

/** GET /contacts, without what the kit reads itself. */
export const contactListQuery = z.object({
  email: filledText().describe("Exactly this e-mail address, letter case aside."),
  phone: filledText().describe("Exactly this phone number and extension, however they are written."),
  filters: nullableText(limits.filterText).meta({
    description: describeFilters(),
    examples: ['[{"field":"city","op":"eq","value":"Boston"},{"field":"tag","op":"eq","value":"VIP"}]'],
  }),
  ...pageQuery.shape,
});

/** The same for a person who looks for one. */
export const contactSearchQuery = contactListQuery.extend({
  search: filledText().describe("Parts of a name, of an e-mail address or of a phone number, each of which is found."),
});

/** POST /contacts/{id}/tags: the id wins over the name. */
export const contactTagInput = z
  .object({ tag_id: nullableId(), name: nullableName(limits.tagName) })
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
