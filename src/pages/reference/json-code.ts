/** JSON as code with its keys and strings marked. */
import { html } from "../html.ts";
import type { Html } from "../html.ts";

/** A string with its colon, if it is a key; everything between strings. */
const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|[^"]+/g;

export function jsonCode(value: unknown): Html {
  const text = JSON.stringify(value, null, 2);
  return html`${[...text.matchAll(tokens)].map(([whole, string, colon]) => {
    if (string === undefined) return whole;
    return colon === undefined
      ? html`<span class="s">${string}</span>`
      : html`<span class="k">${string}</span>${colon}`;
  })}`;
}
