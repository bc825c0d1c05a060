/** The page of a chapter: its prose, and the operations of its noun. */
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import type { Site } from "../site.ts";
import type { Chapter, ListedEvent, ListedOperation } from "./contents.ts";
import { parts, slugOf } from "./contents.ts";
import { chapterWith, passagesOf } from "./excerpts.ts";
import type { SourceDocuments } from "./excerpts.ts";
import { sheet } from "./layout.ts";
import { renderMarkdown } from "./markdown.ts";
import type { ToLink } from "./markdown.ts";
import type { ReferenceDeps } from "./operation.page.ts";

export function chapterPage({ site, index }: ReferenceDeps, sources: SourceDocuments, chapter: Chapter): Html {
  const own = index.operations.filter((one) => one.chapter === chapter);
  return sheet(site, index, {
    title: chapter.title,
    address: `/docs/${chapter.slug}`,
    head: html`<span class="crumb">${parts.find((part) => part.chapters.includes(chapter))!.title}</span>`,
    content: html`<div class="columns one">
      <div class="stack">
        <div class="prose"><h1>${chapter.title}</h1></div>
        ${own.length > 0 && operationTable(site, own)}
        ${
          chapter.excerpts.length > 0 &&
          html`<div class="prose">
            ${passagesOf(sources, chapter).map(({ file, tokens, offset }) =>
              renderMarkdown(tokens, { offset, toLink: linksFrom(site, sources, file) }),
            )}
          </div>`
        }
        ${chapter.noun === "Events" && eventList(site, index.events)}
      </div>
    </div>`,
  });
}

/** Links of a document lead to the chapter that shows their target. */
function linksFrom(site: Site, sources: SourceDocuments, from: string): ToLink {
  return (href) => {
    if (/^https?:/.test(href)) return { href, title: undefined };
    const [path = "", anchor = ""] = href.split("#");
    const target = chapterWith(sources, path === "" ? from : path, anchor);
    if (target === undefined) return undefined;
    const address = site.path(`/docs/${target.slug}`);
    // The heading of the page itself has no anchor.
    const isWhole = anchor === "" || anchor === slugOf(target.title);
    return { href: isWhole ? address : `${address}#${anchor}`, title: target.title };
  };
}

export function operationTable(site: Site, operations: readonly ListedOperation[]): Html {
  return html`<ul class="operations">
    ${operations.map(
      ({ address, method, path, operation }) =>
        html`<li>
          <span class="verb ${method.toLowerCase()}">${method}</span>
          <span
            ><a href="${site.path(address)}"><code>${path}</code></a> <small>${operation.summary}</small></span
          >
        </li>`,
    )}
  </ul>`;
}

export function eventList(site: Site, events: readonly ListedEvent[]): Html {
  return html`<section>
    <h2 id="all-events">All events</h2>
    <ul class="operations">
      ${events.map(
        ({ event, address, operation }) =>
          html`<li>
            <span class="verb">EVENT</span>
            <span
              ><a href="${site.path(address)}"><code>${event}</code></a>
              <small>${operation.summary.slice(event.length + 2)}</small></span
            >
          </li>`,
      )}
    </ul>
  </section>`;
}
