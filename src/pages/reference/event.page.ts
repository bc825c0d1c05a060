/** The page of an event: when it is raised, and what its webhook carries. */
import { events } from "../../vocabulary/events.ts";
import type { EventName } from "../../vocabulary/events.ts";
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import { codeBox } from "../parts/code-box.ts";
import type { ListedEvent } from "./contents.ts";
import { jsonCode } from "./json-code.ts";
import { sheet } from "./layout.ts";
import type { ReferenceDeps } from "./operation.page.ts";
import { exampleBody, mediaOf, parametersOf } from "./operation-sample.ts";
import { fieldRow, shapeFields } from "./shape.ts";

export function eventPage({ site, document, index }: ReferenceDeps, { event, address, operation }: ListedEvent): Html {
  const { raisedBy, scope, outside } = events[event as EventName];
  const [, media] = mediaOf(operation.requestBody?.content)!;
  return sheet(site, index, {
    title: event,
    address,
    head: html`<span class="verb">EVENT</span><code class="path">${event}</code>`,
    content: html`<div class="columns">
      <div class="stack">
        <div class="prose">
          <h1>${event}</h1>
          <p>${outside ? "Reported by" : "Raised by"} ${raisedBy}.</p>
          ${scope !== null && html`<p>A webhook needs the scope <code>${scope}</code> to receive it.</p>`}
          <p>
            <a href="${site.path("/docs/webhooks")}">Register a webhook</a>, and
            <a href="${site.path("/docs/verify-a-signature")}">verify its signature</a>.
          </p>
        </div>
        <section>
          <h2>Headers</h2>
          ${parametersOf(document, operation).map(({ name, schema, description }) =>
            fieldRow(document, { name, schema, isRequired: false, description }, { isSent: false }),
          )}
        </section>
        <section>
          <h2>Body</h2>
          ${shapeFields(document, media.schema, { isSent: false })}
        </section>
      </div>
      <div class="stack">${codeBox(site, { title: "Sample of a webhook", code: jsonCode(exampleBody(media)) })}</div>
    </div>`,
  });
}
