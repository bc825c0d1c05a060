/** The page of an operation: what it takes and answers, and how to call it. */
import { attributes, html } from "../html.ts";
import type { Html } from "../html.ts";
import type { Links } from "../../kit/links.ts";
import type { Site } from "../site.ts";
import { codeBox, copyButton } from "../parts/code-box.ts";
import { resolve } from "./api-document.ts";
import type { ApiDocument, Parameter, ResponseObject } from "./api-document.ts";
import { languages } from "./code-samples.ts";
import type { ListedOperation } from "./contents.ts";
import { jsonCode } from "./json-code.ts";
import { sheet } from "./layout.ts";
import type { ReferenceIndex } from "./layout.ts";
import { renderText } from "./markdown.ts";
import { exampleBody, mediaOf, parametersOf, successResponses, toSample } from "./operation-sample.ts";
import { fieldRow, shapeFields, typeOf } from "./shape.ts";
import { tryIt } from "./try-it.ts";

export interface ReferenceDeps {
  readonly site: Site;
  readonly links: Links;
  readonly document: ApiDocument;
  readonly index: ReferenceIndex;
}

export function operationPage(deps: ReferenceDeps, listed: ListedOperation): Html {
  const { site, document, index } = deps;
  const { method, path, address, operation } = listed;
  const { summary, description } = operation;
  const parameters = parametersOf(document, operation);
  const of = (kind: Parameter["in"]) => parameters.filter((one) => one.in === kind);
  const [, body] = mediaOf(operation.requestBody?.content) ?? [];
  return sheet(site, index, {
    title: operation.operationId,
    address,
    head: html`<span class="verb ${method.toLowerCase()}">${method}</span><code class="path">${path}</code>`,
    content: html`<div class="columns">
      <div class="stack">
        <div class="prose">
          <h1>${summary.replace(/\.$/, "")}</h1>
          <p><code>${operation.operationId}</code></p>
          ${description !== undefined && renderText(description)}
        </div>
        ${rows(document, "Path", of("path"))} ${rows(document, "Query", of("query"))}
        ${rows(document, "Headers", of("header"))}
        ${
          body !== undefined &&
          html`<section>
            <h2>Body</h2>
            ${shapeFields(document, body.schema, { isSent: true })}
          </section>`
        }
        ${answers(site, document, listed)}
      </div>
      <div class="stack">
        ${samples(deps, listed)} ${tryIt(site, document, listed)}
        ${successResponses(document, operation)
          .slice(0, 1)
          .map(([status, response]) => answerExample(site, status, response))}
      </div>
    </div>`,
  });
}

function rows(document: ApiDocument, title: string, parameters: readonly Parameter[]): Html | false {
  if (parameters.length === 0) return false;
  return html`<section>
    <h2>${title}</h2>
    ${parameters.map(({ name, schema, required = false, description }) =>
      fieldRow(document, { name, schema, isRequired: required, description }, { isSent: true }),
    )}
  </section>`;
}

function answers(site: Site, document: ApiDocument, { operation }: ListedOperation): Html {
  const failures = Object.entries(operation.responses).filter(([status]) => !status.startsWith("2"));
  const successes = successResponses(document, operation);
  const codes = failures.flatMap(([, response]) => codesOf(resolve<ResponseObject>(document, response)));
  return html`<section>
    <h2>Answers</h2>
    ${successes.map(([status, { description, content }], place) => {
      const [, media] = mediaOf(content) ?? [];
      // Two successes share a shape: its fields appear once.
      const isFirst = place === 0;
      return html`<div class="param">
        <span class="line"
          ><code>${status}</code>${media !== undefined && html`<span class="sub">${typeOf(media.schema)}</span>`}</span
        >
        <p>${description}</p>
        ${
          media !== undefined &&
          isFirst &&
          html`<details>
            <summary>Every field</summary>
            ${shapeFields(document, media.schema, { isSent: false })}
          </details>`
        }
      </div>`;
    })}
    <div class="param">
      <span class="line"><code>${failures.map(([status]) => status).join(" · ")}</code></span>
      <p>
        As for every operation: <a href="${site.path("/docs/errors-and-limits")}">errors and limits</a>.${
          codes.length > 0 && html` Here also ${codes.map((code) => html`<code>${code}</code> `)}`
        }
      </p>
    </div>
  </section>`;
}

/** The codes that only this operation answers with. */
function codesOf({ content }: ResponseObject): string[] {
  return Object.keys(content?.["application/json"]?.examples ?? {});
}

/** One of the languages at a time, chosen without JavaScript. */
function samples({ site, links, document }: ReferenceDeps, listed: ListedOperation): Html {
  const request = toSample(document, listed, links.to);
  const entries = Object.entries(languages);
  return html`<div class="code-box samples">
    <header>
      <fieldset class="seg">
        <legend class="hidden-text">Language</legend>
        ${entries.map(
          ([name], place) =>
            html`<label
              ><input
                type="radio"
                name="language"
                value="${name}"
                ${place === 0 && attributes`checked`}
              />${name}</label
            >`,
        )}
      </fieldset>
    </header>
    ${entries.map(([name, write]) => {
      const title = `Request in ${name}`;
      return html`<copy-text data-language="${name}">
        <pre tabindex="0" role="group" aria-label="${title}"><code>${write(request)}</code></pre>
        ${copyButton(site, title)}
      </copy-text>`;
    })}
  </div>`;
}

function answerExample(site: Site, status: string, { content }: ResponseObject): Html | false {
  // A file has no example.
  const media = content?.["application/json"];
  return media !== undefined && codeBox(site, { title: `Answer ${status}`, code: jsonCode(exampleBody(media)) });
}
