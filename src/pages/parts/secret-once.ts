/** A secret that is shown once, in the response to the form that created it. */
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import type { Site } from "../site.ts";
import { codeBox, copyButton } from "./code-box.ts";

interface SecretOnce {
  /** Such as `API key`. */
  readonly label: string;
  readonly secret: string;
  /** A command that works with it. */
  readonly example?: { readonly title: string; readonly code: string };
  /** Where the person goes on. */
  readonly done: `/${string}`;
}

export function secretOnce(site: Site, { label, secret, example, done }: SecretOnce): Html {
  return html`<div class="secret">
      <copy-text class="once">
        <code aria-label="${label}" role="group">${secret}</code>
        ${copyButton(site, label)}
      </copy-text>
      <p class="hint">No page shows it again.</p>
    </div>
    ${example !== undefined && codeBox(site, example)}
    <p><a class="button primary" href="${done}">I have copied it</a></p>`;
}
