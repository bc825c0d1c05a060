/** The types of custom fields, what they are on, and the form of their keys. */

export const customFieldTypes = [
  "text",
  "long_text",
  "number",
  "money",
  "date",
  "boolean",
  "select",
  "multiselect",
  "url",
] as const;

export type CustomFieldType = (typeof customFieldTypes)[number];

export const customFieldSubjects = ["contact", "opportunity"] as const;

export type CustomFieldSubject = (typeof customFieldSubjects)[number];

/** A key: a lower-case letter, then at most 39 letters, digits and underscores. */
export const customFieldKey = /^[a-z][a-z0-9_]{0,39}$/;

/** Whether values of the type are chosen from the options of the field. */
export function hasOptions(type: CustomFieldType): boolean {
  return type === "select" || type === "multiselect";
}
