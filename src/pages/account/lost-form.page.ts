/**
 * 403: a form of ours whose session has ended, or that is older than the session. What was typed is shown, and sent again
 * after the person has signed in and looked at it.
 */
import { plainName } from "../../kit/input/name.ts";
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import { narrow } from "../layout/narrow.ts";
import type { Site } from "../site.ts";

interface LostForm {
  /** Where it was sent. */
  readonly action: `/${string}`;
  readonly fields: URLSearchParams;
  /** The CSRF token of the present session; null without one. */
  readonly formToken: string | null;
}

/** Never shown, and never in a page: passwords, codes, and the old CSRF token. */
const secret = /password|code|^form_token$/;
const hidden = /^once$/;

export function lostFormPage(site: Site, { action, fields, formToken }: LostForm): Html {
  const kept = [...fields].filter(([name]) => !secret.test(name));
  const typed = kept.filter(([name, value]) => !hidden.test(name) && value !== "");
  const title = formToken === null ? "You were signed out" : "Check what you typed";
  return narrow(site, {
    title,
    content: html`
      <div class="opening">
        <h1>${title}</h1>
        <p>
          ${
            formToken === null
              ? "Nothing was changed, and what you typed is below. Sign in in another tab, come back to this one, and continue."
              : "You signed in again after this form was opened. Nothing was changed yet."
          }
        </p>
      </div>
      ${
        typed.length > 0 &&
        html`<dl class="facts">
          ${typed.map(
            ([name, value]) =>
              html`<div>
                <dt>${plainName(name).replaceAll("_", " ")}</dt>
                <dd><bdi>${value}</bdi></dd>
              </div>`,
          )}
        </dl>`
      }
      ${
        formToken === null &&
        html`<a class="button primary wide" href="${site.path("/sign-in")}" target="_blank">Sign in (new tab)</a>`
      }
      <form class="form" method="post" action="${action}">
        ${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
        <input type="hidden" name="form_token" value="${formToken ?? ""}" />
        <button class="button wide ${formToken === null ? "" : "primary"}">
          ${formToken === null ? "Continue" : "Send it"}
        </button>
      </form>
    `,
  });
}
