/** Checks the templates of a text: the names between `{{` and `}}`. */
import { z } from "zod";
import { nearest } from "../../../kit/nearest.ts";
import { customFieldKey } from "../../../vocabulary/custom-fields.ts";
import { contactRecordView } from "../../contacts/contact.view.ts";

/** Two braces, a name, two braces. */
export const template = /\{\{([^{}]*)\}\}/g;
const nested = /\{\{[^{}]*\{\{/;

/** The members of a contact that are texts, numbers or booleans, also nested: `owner.name`. */
const contactNames: readonly string[] = namesIn(contactRecordView);

function namesIn(shape: z.ZodObject): string[] {
  return Object.entries(shape.shape).flatMap(([name, schema]) => {
    const inner = schema instanceof z.ZodNullable ? schema.unwrap() : schema;
    if (inner instanceof z.ZodObject) return namesIn(inner).map((member) => `${name}.${member}`);
    return inner instanceof z.ZodArray ? [] : [name];
  });
}

/** `faults` prevent publishing, `warnings` do not; each is a predicate of the text. */
interface TemplateFindings {
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
}

/** The most warnings of one text. */
const mostWarnings = 10;

/** An unknown name is empty when the text is filled, so it is a warning. */
export function judgeTemplates(text: string): TemplateFindings {
  if (nested.test(text))
    return { faults: ["puts one template into another, and only one can be filled."], warnings: [] };
  const names = new Set([...text.matchAll(template)].map(([, name = ""]) => name.trim()));
  const warnings: string[] = [];
  for (const name of names) if (warnings.length < mostWarnings) warnings.push(...judgeName(name));
  if (text.replaceAll(template, "").includes("{{")) warnings.push("opens a template with {{ and never closes it.");
  return { faults: [], warnings };
}

/** Whether a text has a template, so that its value is known only in a run. */
export function hasTemplates(text: string): boolean {
  return text.search(template) !== -1;
}

function judgeName(name: string): string[] {
  const [root, ...path] = name.split(".");
  if (root === "contact" && path[0] === "custom" && path.length === 2 && customFieldKey.test(path[1]!)) return [];
  const isNamed = path.length > 0 && path.every((step) => /^\S+$/.test(step));
  if (isNamed && (root === "context" || (root === "contact" && contactNames.includes(path.join("."))))) return [];
  const meant =
    name.length > 64
      ? undefined
      : nearest(
          name,
          contactNames.map((known) => `contact.${known}`),
        );
  return [`names {{${name}}}, which is always empty.${meant === undefined ? "" : ` Did you mean {{${meant}}}?`}`];
}
