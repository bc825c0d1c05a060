/** Quotes a value that a client sent, shortened, in an error message. */

/** Maximum length in characters, without the ellipsis. */
const longest = 60;
/** Nesting depth shown: JSON of a request may be thousands of levels deep. */
const deepest = 4;

/** The value as JSON, truncated with `…`; no more than that is serialized. */
export function showValue(value: unknown): string {
  let text = "";

  function write(part: string): void {
    text += part;
  }

  function walk(part: unknown, depth: number): void {
    if (typeof part !== "object" || part === null) return write(scalar(part));
    if (depth === deepest) return write(Array.isArray(part) ? "[…]" : "{…}");
    if (Array.isArray(part)) {
      write("[");
      for (let place = 0; place < part.length && text.length <= longest; place++) {
        if (place > 0) write(",");
        walk(part[place], depth + 1);
      }
      return write("]");
    }
    write("{");
    for (const [place, key] of Object.keys(part).entries()) {
      if (text.length > longest) break;
      write(`${place > 0 ? "," : ""}${scalar(key)}:`);
      walk((part as Record<string, unknown>)[key], depth + 1);
    }
    write("}");
  }

  walk(value, 0);
  return text.length > longest ? `${beginning(text)}…` : text;
}

function scalar(value: unknown): string {
  return JSON.stringify(typeof value === "string" ? value.slice(0, longest + 1) : value) ?? "nothing";
}

/** Never splits a surrogate pair. */
function beginning(text: string): string {
  const end = /[\uD800-\uDBFF]/.test(text[longest - 1]!) ? longest - 1 : longest;
  return text.slice(0, end);
}
