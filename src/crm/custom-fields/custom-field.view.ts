/** The response shape of a custom field. */
import { z } from "zod";
import { pageOf } from "../../kit/page-shapes.ts";
import { toTimestamp } from "../../kit/time/timestamp.ts";
import { customFieldSubjects, customFieldTypes } from "../../vocabulary/custom-fields.ts";
import type { CustomFieldSubject, CustomFieldType } from "../../vocabulary/custom-fields.ts";

const customFieldSpecimen = {
  id: 1,
  on: "contact" as const,
  key: "plan",
  name: "Plan",
  type: "select" as const,
  options: ["Basic", "Pro"],
  created_at: "2026-03-01T12:00:00.000Z",
};

export const customFieldView = z
  .object({
    id: z.int(),
    on: z.enum(customFieldSubjects),
    key: z.string().describe("The name of the field in `custom_fields`; it never changes."),
    name: z.string(),
    type: z.enum(customFieldTypes),
    options: z.array(z.string()).optional().describe("Of the types `select` and `multiselect` only."),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "CustomField", description: "A custom field of the workspace.", examples: [customFieldSpecimen] });

export type CustomFieldView = z.output<typeof customFieldView>;

export const customFieldListView = pageOf(customFieldView).meta({
  id: "CustomFieldList",
  description: "A page of custom fields, oldest first.",
});

const customValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()]);

/** The values of a record. */
export const customFieldsView = {
  custom_fields: z
    .record(z.string(), customValue)
    .optional()
    .describe("By key, null without a value; only where the workspace defines custom fields of this kind of record."),
};

export interface CustomFieldRow {
  readonly id: number;
  readonly subject: string;
  readonly key: string;
  readonly name: string;
  readonly type: CustomFieldType;
  /** A JSON list of texts. */
  readonly options: string | null;
  /** In milliseconds. */
  readonly created_at: number;
}

export function toCustomField(row: CustomFieldRow): CustomFieldView {
  return {
    id: row.id,
    on: row.subject as CustomFieldSubject,
    key: row.key,
    name: row.name,
    type: row.type,
    ...(row.options === null ? {} : { options: JSON.parse(row.options) as string[] }),
    created_at: toTimestamp(row.created_at),
  };
}
