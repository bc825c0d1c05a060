/** The start of the reference: every operation and event, or those that a search finds. */
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import { eventList, operationTable } from "./chapter.page.ts";
import { chapters } from "./contents.ts";
import { sheet } from "./layout.ts";
import type { ReferenceDeps } from "./operation.page.ts";

export function overviewPage({ site, index }: ReferenceDeps): Html {
  const link = (slug: string, text: string) => html`<a href="${site.path(`/docs/${slug}`)}">${text}</a>`;
  return sheet(site, index, {
    title: "Reference",
    address: "/docs",
    head: html`<span class="crumb">Reference</span>`,
    content: html`<div class="columns one">
      <div class="stack">
        <div class="prose">
          <h1>API reference</h1>
          <p>JSON over HTTP. Begin with your ${link("first-call", "first call")}.</p>
        </div>
        ${chapters.map((chapter) => {
          const own = index.operations.filter((one) => one.chapter === chapter);
          return (
            own.length > 0 &&
            html`<section>
              <h2>${link(chapter.slug, chapter.title)}</h2>
              ${operationTable(site, own)}
            </section>`
          );
        })}
        ${eventList(site, index.events)}
      </div>
    </div>`,
  });
}

/** The words must all appear in the name, the address or the summary. */
export function searchPage({ site, index }: ReferenceDeps, search: string): Html {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (...texts: readonly string[]) => words.every((word) => texts.join(" ").toLowerCase().includes(word));
  const operations = index.operations.filter(({ path, method, operation }) =>
    fits(method, path, operation.operationId, operation.summary),
  );
  const events = index.events.filter(({ event, operation }) => fits(event, operation.summary));
  const count = operations.length + events.length;
  return sheet(site, index, {
    title: "Search",
    address: "/docs?search",
    head: html`<span class="crumb">Reference</span>`,
    content: html`<div class="columns one">
      <div class="stack">
        <div class="prose">
          <h1>Search</h1>
          <p>
            ${count === 0 ? "Nothing matches" : `${count} ${count === 1 ? "match" : "matches"} for`}
            “<bdi>${search}</bdi>”.
          </p>
        </div>
        ${operations.length > 0 && operationTable(site, operations)} ${events.length > 0 && eventList(site, events)}
      </div>
    </div>`,
  });
}
