/** Safe HTML templates: a tagged template that escapes values by context, and refuses unsafe uses. */

/** Values in a template; true, objects and functions do not compile. */
export type HtmlValue = Html | string | number | false | null | undefined | readonly HtmlValue[];

/** Values between attributes. */
type Between = Attributes | false | readonly (Attributes | false)[];

const key = Symbol("made by a template");

/** Safe markup; only the template creates it. */
export class Html {
  readonly #text: string;
  constructor(by: typeof key, text: string) {
    if (by !== key) throw new Error("expected the result of html`…` alone");
    this.#text = text;
  }
  toString(): string {
    return this.#text;
  }
}

/** Attributes of an element, to insert between literal ones. */
export class Attributes {
  readonly #text: string;
  constructor(by: typeof key, text: string) {
    if (by !== key) throw new Error("expected the result of attributes`…` alone");
    this.#text = text;
  }
  toString(): string {
    return this.#text;
  }
}

type EscapeContext = "text" | "value" | "address" | "part of an address" | "between attributes";

interface ReadTemplate {
  /** The literal parts, without indentation: a third of a page. */
  readonly texts: readonly string[];
  readonly kinds: readonly EscapeContext[];
}

const read = new WeakMap<TemplateStringsArray, ReadTemplate>();

/** Creates markup. Values are allowed in text, in quoted attributes, and, if Attributes, between attributes. */
export function html(strings: TemplateStringsArray, ...values: readonly (HtmlValue | Between)[]): Html {
  return new Html(key, fill(strings, values, "text"));
}

/** Creates attributes: attributes`aria-invalid="true" aria-describedby="${id}"`. */
export function attributes(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Attributes {
  return new Attributes(key, fill(strings, values, "between attributes"));
}

function fill(strings: TemplateStringsArray, values: readonly (HtmlValue | Between)[], begin: ParserState): string {
  let template = read.get(strings);
  if (template === undefined) {
    const texts = strings.map((part) => part.replaceAll(/\s*\n\s*/g, "\n"));
    read.set(strings, (template = { texts, kinds: readTemplate(strings, begin) }));
  }
  const { texts, kinds } = template;
  let text = texts[0]!;
  for (let place = 0; place < values.length; place++) {
    text += show(kinds[place]!, values[place]) + texts[place + 1]!;
  }
  return text;
}

function show(kind: EscapeContext, value: HtmlValue | Between): string {
  if (value === false || value === null || value === undefined) return "";
  if (kind === "between attributes") {
    if (value instanceof Attributes) return value.toString();
    if (Array.isArray(value)) return value.map((one: HtmlValue | Between) => show(kind, one)).join(" ");
    throw new Error("only attributes` may be between attributes…` alone");
  }
  if (kind === "text") {
    if (Array.isArray(value)) return value.map((one: HtmlValue) => show(kind, one)).join("");
    if (value instanceof Html) return value.toString();
  }
  if (typeof value !== "string" && typeof value !== "number") throw new Error(`${typeof value} is no ${kind}`);
  const given = String(value);
  if (kind === "part of an address") return encodeURIComponent(given.toWellFormed());
  if (kind === "address" && !isAddress(given))
    throw new Error("a URL must begin with /, ?, #, http(s):, mailto: or tel:");
  return escape(given);
}

/** Refuses `//host` and `/\host`, also with characters that browsers drop: an external URL must have a scheme. */
function isAddress(text: string): boolean {
  return !/[\0- \\]/.test(text) && /^(?:\/(?!\/)|[?#]|https?:|mailto:|tel:)/i.test(text);
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character]!);
}

const characters = new Map(Object.entries(entities).map(([character, entity]) => [entity, character]));

/** The text content of markup, for a title. */
export function textOf(markup: Html | string): string {
  if (typeof markup === "string") return markup;
  return markup
    .toString()
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters.get(entity)!);
}

type ParserState =
  | "text"
  | "tag name"
  | "between attributes"
  | "attribute name"
  | "attribute value"
  | "declaration"
  | "raw";

const addresses = new Set(["href", "src", "action", "formaction"]);
const forbidden = /^(?:on.*|style|srcset|srcdoc)$/i;

/**
 * The escape context of each value in a template, parsed once. Throws where a value would be unsafe or the markup is
 * malformed.
 */
function readTemplate(strings: readonly string[], begin: ParserState): EscapeContext[] {
  let state = begin;
  let tag = "";
  let name = "";
  let value = "";
  const kinds: EscapeContext[] = [];
  for (const [place, part] of strings.entries()) {
    for (let at = 0; at < part.length; at++) [state, tag, name, value] = step(state, tag, name, value, part, at);
    if (place === strings.length - 1) break;
    kinds.push(kindOf(state, name, value));
    if (state === "attribute value") value += "…";
  }
  const isWhole = state === begin || (begin === "between attributes" && state === "attribute name");
  if (!isWhole) throw new Error("a template must end in the state in which it began: text, or between attributes");
  return kinds;
}

function kindOf(state: ParserState, name: string, value: string): EscapeContext {
  if (state === "text" || state === "between attributes") return state;
  if (state !== "attribute value") throw new Error(`a value is not allowed in a ${state}`);
  if (!addresses.has(name.toLowerCase())) return "value";
  return value === "" ? "address" : "part of an address";
}

function step(
  state: ParserState,
  tag: string,
  name: string,
  value: string,
  part: string,
  at: number,
): [ParserState, string, string, string] {
  const character = part[at]!;
  switch (state) {
    case "text":
      if (character !== "<") return ["text", "", "", ""];
      if (part.startsWith("<!", at)) return ["declaration", "", "", ""];
      if (!/^<\/?[a-z]/i.test(part.slice(at, at + 3))) throw new Error("a < in text must be written &lt;");
      return ["tag name", "", "", ""];
    case "raw":
      return character === "<" ? ["tag name", "", "", ""] : [state, tag, name, value];
    case "declaration":
      return character === ">" ? ["text", "", "", ""] : [state, tag, name, value];
    case "tag name":
    case "between attributes":
      if (character === ">") return endOf(tag);
      if (/[\s/]/.test(character) && tag + character !== "/") return ["between attributes", tag, "", ""];
      if (state === "tag name") return [state, tag + character, "", ""];
      return ["attribute name", tag, character, ""];
    case "attribute name":
      if (forbidden.test(name)) throw new Error(`the attribute ${name} is not allowed`);
      if (character === "=") {
        if (part[at + 1] !== '"') throw new Error("attribute values must be in double quotes");
        return ["attribute value", tag, name, "="];
      }
      if (character === ">") return endOf(tag);
      return /[\s/]/.test(character) ? ["between attributes", tag, "", ""] : [state, tag, name + character, ""];
    case "attribute value":
      // The opening quote, directly after the equals sign.
      if (value === "=") return [state, tag, name, ""];
      return character === '"' ? ["between attributes", tag, "", ""] : [state, tag, name, value + character];
  }
}

/** After the end of a tag: scripts and styles are raw text. */
function endOf(tag: string): [ParserState, string, string, string] {
  return [/^(?:script|style)$/i.test(tag) ? "raw" : "text", "", "", ""];
}
