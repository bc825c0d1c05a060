/** The page that asks for the second factor. It does not show what was typed: a code is a secret. */
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import { narrow } from "../layout/narrow.ts";
import { field } from "../parts/forms/field.ts";
import { isolatedName } from "../parts/name.ts";
import { notice } from "../parts/notice.ts";
import type { Site } from "../site.ts";

interface SecondStep {
  readonly formToken: string;
  readonly continueTo: string;
  /** The app to continue to. */
  readonly app?: string | undefined;
  readonly isWrong: boolean;
}

export function secondStepPage(site: Site, { formToken, continueTo, app, isWrong }: SecondStep): Html {
  return narrow(site, {
    title: "Two-factor sign-in",
    content: html`
      <div class="opening">
        <h1>Two-factor sign-in</h1>
        ${app !== undefined && html`<p>to continue to <strong>${isolatedName(app)}</strong></p>`}
      </div>
      ${
        isWrong &&
        notice(site, {
          kind: "danger",
          title: "That did not work",
          text: "The code is wrong, or was used already. Wait for the next one.",
        })
      }
      <form class="form" method="post" action="${site.path("/sign-in/code")}">
        <input type="hidden" name="form_token" value="${formToken}" />
        <input type="hidden" name="continue" value="${continueTo}" />
        ${field(site, {
          id: "code",
          label: "Code",
          autocomplete: "one-time-code",
          hint: "The six digits that your authenticator app shows. Without the app, a recovery code works once.",
          autofocus: true,
        })}
        <button class="button primary wide">Sign in</button>
      </form>
      <p class="after"><a href="${site.path("/sign-in")}">Sign in as another person</a></p>
    `,
  });
}
