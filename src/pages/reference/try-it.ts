/** The form that sends a request from the page; its element shows it, since it needs JavaScript. */
import { attributes, html } from "../html.ts";
import type { Html } from "../html.ts";
import type { Site } from "../site.ts";
import type { ApiDocument, Parameter } from "./api-document.ts";
import type { ListedOperation } from "./contents.ts";
import { exampleBody, exampleParameter, controlId, mediaOf, parametersOf } from "./operation-sample.ts";

/** Only for operations that take an API key. */
export function tryIt(site: Site, document: ApiDocument, listed: ListedOperation): Html | undefined {
  const { method, path, operation } = listed;
  if (!operation.security.some((one) => "bearer" in one)) return undefined;
  const parameters = parametersOf(document, operation).filter((one) => one.in === "path" || one.in === "query");
  const [, body] = method === "DELETE" ? [] : (mediaOf(operation.requestBody?.content) ?? []);
  return html`<try-it data-method="${method}" data-address="${site.path(path as `/${string}`)}" hidden>
    <form class="code-box" autocomplete="off">
      <header><span>Try it</span><span class="sub">sends to this service</span></header>
      <div class="fields">
        <div class="field">
          <label for="try-key">API key</label>
          <input id="try-key" type="password" placeholder="crm_key_…" autocomplete="off" spellcheck="false" required />
        </div>
        ${parameters.map((parameter) => field(document, parameter, method))}
        ${
          body !== undefined &&
          html`<div class="field">
            <label for="try-body">Body</label>
            <textarea id="try-body" rows="8" spellcheck="false" class="code">
${JSON.stringify(exampleBody(body), null, 2)}</textarea>
          </div>`
        }
        <button class="button small primary">Send</button>
        <p class="note-text">The key stays in this page, and is gone when you leave it.</p>
      </div>
    </form>
    <div class="code-box answer" hidden>
      <header role="status"><span class="badge"></span><span class="sub"></span></header>
      <pre tabindex="0" role="group" aria-label="Answer"><code></code></pre>
    </div>
  </try-it>`;
}

function field(document: ApiDocument, parameter: Parameter, method: string): Html {
  const { name, required = false } = parameter;
  const id = controlId("try", name);
  // An optional parameter begins empty, except for the location, which nearly every request needs.
  const value = required || (name === "location_id" && method !== "GET") ? exampleParameter(document, parameter) : "";
  return html`<div class="field">
    <label for="${id}">${name}</label>
    <input id="${id}" data-in="${parameter.in}" name="${name}" value="${value}" ${required && attributes`required`} />
  </div>`;
}
