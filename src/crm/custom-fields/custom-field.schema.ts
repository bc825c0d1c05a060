/** The input of a custom field. */
import { z } from "zod";
import { creation } from "../../kit/input/creation.ts";
import { nullableText } from "../../kit/input/fields.ts";
import { name } from "../../kit/input/name.ts";
import { fold } from "../../kit/text.ts";
import { customFieldKey, customFieldSubjects, customFieldTypes } from "../../vocabulary/custom-fields.ts";
import { limits } from "../../vocabulary/limits.ts";

const options = z
  .array(name(limits.customField.option))
  .min(1)
  .max(limits.customField.options)
  .refine((given) => new Set(given.map(fold)).size === given.length, {
    error: "must not contain an option twice, ignoring case and spacing.",
  });

export const customFieldInput = creation({
  on: z.enum(customFieldSubjects),
  name: name(limits.name),
  type: z.enum(customFieldTypes),
  key: nullableText()
    .refine((key) => typeof key !== "string" || customFieldKey.test(key), {
      error: "must be a lower-case letter followed by at most 39 lower-case letters, digits and underscores.",
    })
    .meta({ pattern: customFieldKey.source, description: "Made from the name, unless given." }),
  options: options
    .optional()
    .describe("Required for the types `select` and `multiselect`, and refused for all others."),
}).meta({ examples: [{ on: "contact", name: "Plan", type: "select", options: ["Basic", "Pro"] }] });

export type CustomFieldInput = z.output<typeof customFieldInput>;

/** PATCH /custom-fields/{id}: omitted fields are unchanged. */
export const customFieldPatch = z.object({ name: name(limits.name).optional(), options: options.optional() }).meta({
  examples: [{ name: "Subscription", options: ["Basic", "Pro", "Team"] }],
});

export type CustomFieldPatch = z.output<typeof customFieldPatch>;

/** zod leaves this key out of every record: it is refused like any other that is unknown. */
function refuseProto(given: unknown, context: z.RefinementCtx): unknown {
  if (typeof given === "object" && given !== null && Object.hasOwn(given, "__proto__"))
    context.addIssue({ code: "custom", message: 'has the unknown key "__proto__".' });
  return given;
}

/** The values of a record's input, validated against the definitions of the workspace (custom-input.ts). */
export const customFieldsInput = {
  custom_fields: z
    .preprocess(refuseProto, z.record(z.string(), z.unknown()))
    .nullable()
    .optional()
    .describe("Values by key. Only the given keys change; null clears."),
};
