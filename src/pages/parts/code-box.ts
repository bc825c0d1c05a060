/** Code with a title and, with JavaScript, a button that copies it. */
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import type { Site } from "../site.ts";
import { icon } from "./icon.ts";

interface CodeBox {
  readonly title: string;
  readonly code: Html | string;
}

export function codeBox(site: Site, { title, code }: CodeBox): Html {
  return html`<copy-text class="code-box">
    <header><span>${title}</span>${copyButton(site, title)}</header>
    <pre tabindex="0" role="group" aria-label="${title}"><code>${code}</code></pre>
  </copy-text>`;
}

/** Hidden until the script is loaded, and where the clipboard is not available. */
export function copyButton(site: Site, what: string): Html {
  return html`<button type="button" class="button quiet small" hidden aria-label="Copy: ${what}">
    ${icon(site, "copy")} <span role="status">Copy</span>
  </button>`;
}
