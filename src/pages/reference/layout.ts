/** The layout of the reference: the contents at the side, and a sheet. */
import { attributes, html } from "../html.ts";
import type { Html } from "../html.ts";
import { toDocument } from "../layout/document.ts";
import { icon } from "../parts/icon.ts";
import { mark } from "../parts/mark.ts";
import type { Site } from "../site.ts";
import { parts } from "./contents.ts";
import type { Chapter, ListedEvent, ListedOperation } from "./contents.ts";

export interface ReferenceIndex {
  readonly operations: readonly ListedOperation[];
  readonly events: readonly ListedEvent[];
}

interface Sheet {
  readonly title: string;
  /** The address of the page. */
  readonly address: string;
  /** Left of the heading, such as the method. */
  readonly head: Html;
  readonly content: Html;
}

export function sheet(site: Site, index: ReferenceIndex, { title, address, head, content }: Sheet): Html {
  return toDocument(site, {
    title: `${title} · API`,
    layout: "reference",
    styles: ["reference.css"],
    scripts: ["filter-contents.js", "try-it.js"],
    content: html`
      <a class="skip" href="#main">Skip to the content</a>
      <nav class="contents" id="contents" aria-label="Reference" popover>
        <a class="brand" href="${site.path("/docs")}">${mark()} crm <span class="sub">API</span></a>
        <filter-contents>
          <form class="find" role="search" action="${site.path("/docs")}">
            <input type="search" name="search" placeholder="Find an operation" aria-label="Find an operation" />
          </form>
          ${parts.map(
            (part) => html`
              <h2>${part.title}</h2>
              <ul>
                ${part.chapters.map((chapter) => html`<li>${entry(site, index, chapter, address)}</li>`)}
              </ul>
            `,
          )}
        </filter-contents>
      </nav>
      <main id="main" tabindex="-1">
        <div class="head">
          <button type="button" class="contents-button" popovertarget="contents" aria-label="Contents">
            ${icon(site, "menu")}
          </button>
          ${head}
          <span class="end">
            <a class="button small" href="${site.path("/openapi.json")}">OpenAPI</a>
          </span>
        </div>
        ${content}
      </main>
    `,
  });
}

/** A chapter, with its operations and events folded below it. */
function entry(site: Site, { operations, events }: ReferenceIndex, chapter: Chapter, address: string): Html {
  const own = `/docs/${chapter.slug}` as const;
  const below = [
    ...operations
      .filter((one) => one.chapter === chapter)
      .map((one) => ({ address: one.address, text: one.operation.operationId })),
    ...(chapter.noun === "Events" ? events.map((one) => ({ address: one.address, text: one.event })) : []),
  ];
  if (below.length === 0) return link(site, own, chapter.title, address);
  const isHere = address === own || address.startsWith(`${own}/`);
  return html`<details ${isHere && open}>
    <summary>${chapter.title} <span class="count">${below.length}</span></summary>
    <ul>
      <li>${link(site, own, "Overview", address)}</li>
      ${below.map((one) => html`<li>${link(site, one.address, one.text, address)}</li>`)}
    </ul>
  </details>`;
}

const open = attributes`open`;

function link(site: Site, to: `/${string}`, text: string, address: string): Html {
  return html`<a href="${site.path(to)}" ${to === address && attributes`aria-current="page"`}>${text}</a>`;
}
