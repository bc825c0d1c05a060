/** Fills the templates of a text, `{{contact.first_name}}` and `{{context.key}}`, once: what comes out of one is no template. */
import { template } from "../definition/template.ts";
import { valueAt } from "./value-at.ts";

/** More than any field takes, in characters: what is longer is refused by its field, and never put together. */
const longest = 1_000_000;

/** What templates may name. */
export interface Known {
  readonly contact: object;
  readonly context: object;
}

/** Whether a text asks for anything of the contact. */
export function asksForContact(text: string): boolean {
  return text.search(/\{\{\s*contact\./) !== -1;
}

/** A name that is not known, and one that is no text, number or truth value, is empty; a list of those is parted by commas. */
export function fillTemplates(text: string, known: Known): string {
  const parts: string[] = [];
  let length = 0;
  const add = (part: string): void => {
    if (length > longest) return;
    parts.push(part);
    length += part.length;
  };
  // A name is looked up once: a long list that is named thousands of times would be put together as often.
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
