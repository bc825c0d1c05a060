/** Fills the templates of a text, `{{contact.first_name}}` and `{{context.key}}`, in one pass: the results are not expanded again. */
import { template } from "../definition/template.ts";
import { valueAt } from "./value-at.ts";

/** In characters, above the limit of every field. A longer result is cut off here, and refused by its field. */
const longest = 1_000_000;

/** The roots of the names in templates. */
export interface Known {
  readonly contact: object;
  readonly context: object;
}

/** Whether a text has a template of the contact. */
export function asksForContact(text: string): boolean {
  return text.search(/\{\{\s*contact\./) !== -1;
}

/** Unknown names and objects are empty; lists of texts, numbers and booleans are joined by commas. */
export function fillTemplates(text: string, known: Known): string {
  const parts: string[] = [];
  let length = 0;
  const add = (part: string): void => {
    if (length > longest) return;
    parts.push(part);
    length += part.length;
  };
  // Memoized: a long list that is named thousands of times is joined once.
  const texts = new Map<string, string>();
  const textOf = (name: string): string => {
    const found = texts.get(name) ?? toText(valueAt(known, name.split(".")));
    texts.set(name, found);
    return found;
  };
  let end = 0;
  for (const found of text.matchAll(template)) {
    add(text.slice(end, found.index));
    add(textOf(found[1]!.trim()));
    end = found.index + found[0].length;
  }
  add(text.slice(end));
  return parts.join("");
}

function toText(value: unknown): string {
  if (Array.isArray(value)) return value.filter(isScalar).map(String).join(", ");
  return isScalar(value) ? String(value) : "";
}

function isScalar(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}
