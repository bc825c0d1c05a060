/** The layout of a single decision: the logo, a card, and the host. */
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import { brand } from "../parts/mark.ts";
import type { Site } from "../site.ts";
import { toDocument } from "./document.ts";

export function narrow(
  site: Site,
  { title, content }: { readonly title: Html | string; readonly content: Html },
): Html {
  return toDocument(site, {
    title,
    layout: "narrow",
    content: html`
      <header>${brand(site)}</header>
      <main><div class="card-body">${content}</div></main>
      <footer>${site.host} · <a href="${site.path("/docs")}">Documentation</a></footer>
    `,
  });
}
