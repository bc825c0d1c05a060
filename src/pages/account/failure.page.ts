/** Error pages: what happened, and what to do. */
import type { Failure } from "../../http/failures.ts";
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import { narrow } from "../layout/narrow.ts";
import { icon } from "../parts/icon.ts";
import type { IconName } from "../parts/icon.ts";
import type { Site } from "../site.ts";

interface Trouble {
  readonly sign?: IconName;
  readonly title: Html | string;
  readonly text: Html | string;
  /** Further details, in small print. */
  readonly more?: Html | string;
  readonly facts?: readonly (readonly [name: string, value: Html | string])[];
}

/** A card with an icon, a sentence, and a link to the start page. */
export function troublePage(site: Site, { sign = "circle-alert", title, text, more, facts = [] }: Trouble): Html {
  return narrow(site, {
    title,
    content: html`
      <div class="opening">
        <span class="sign">${icon(site, sign)}</span>
        <h1>${title}</h1>
        <p>${text}</p>
        ${more !== undefined && html`<p class="hint">${more}</p>`}
      </div>
      ${
        facts.length > 0 &&
        html`<dl class="facts">
          ${facts.map(
            ([name, value]) =>
              html`<div>
                <dt>${name}</dt>
                <dd>${value}</dd>
              </div>`,
          )}
        </dl>`
      }
      <a class="button wide" href="${site.path("/")}">To the start page</a>
    `,
  });
}

/** 403: a form of another site, or an expired one of ours. */
export function foreignFormPage(site: Site): Html {
  return troublePage(site, {
    sign: "shield",
    title: "This form was not accepted",
    text: "It came from another site, or you signed in or out while it was open. Nothing was changed.",
    more: "Go back, reload the page and send it again.",
  });
}

export function failurePage(site: Site, { status, code, message, requestId }: Failure): Html {
  const [title, text] = sentencesOf(status, code, message);
  return troublePage(site, { title, text, facts: [["Request", html`<code>${requestId}</code>`]] });
}

function sentencesOf(status: number, code: Failure["code"], message: string): [title: string, text: string] {
  if (code === "too_many_requests")
    return ["Too many attempts", `${message.replace("Too many requests. ", "")} Nothing was done.`];
  if (status === 404) return ["Page not found", "There is no page at this address."];
  if (code === "processor_unavailable") return ["One moment, please", message];
  if (status === 503) return ["One moment, please", "The service is unavailable. Try again shortly."];
  if (status >= 500)
    return [
      "Something went wrong on our side",
      "We logged it. Try again. If it happens again, tell the operator of this service.",
    ];
  return ["That did not work", message];
}
