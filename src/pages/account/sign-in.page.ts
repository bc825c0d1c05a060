/** The sign-in page, with one error for both fields. */
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import { narrow } from "../layout/narrow.ts";
import { field } from "../parts/field.ts";
import { isolatedName } from "../parts/name.ts";
import { notice } from "../parts/notice.ts";
import type { Site } from "../site.ts";

interface SignIn {
  readonly formToken: string;
  /** The app to continue to. */
  readonly app?: string | undefined;
  /** The redirect target after sign-in, kept in the form. */
  readonly continueTo: string;
  /** The submitted address after a failure. */
  readonly failed?: { readonly email: string };
}

export function signInPage(site: Site, { formToken, app, continueTo, failed }: SignIn): Html {
  return narrow(site, {
    title: "Sign in",
    content: html`
      <div class="opening">
        <h1>Sign in</h1>
        ${app !== undefined && html`<p>to continue to <strong>${isolatedName(app)}</strong></p>`}
      </div>
      ${
        failed !== undefined &&
        notice(site, {
          kind: "danger",
          title: "That did not work",
          text: "Wrong e-mail or password. Check both and try again.",
        })
      }
      <form class="form" method="post" action="${site.path("/sign-in")}">
        <input type="hidden" name="form_token" value="${formToken}" />
        <input type="hidden" name="continue" value="${continueTo}" />
        ${field(site, {
          id: "email",
          label: "E-mail",
          type: "email",
          autocomplete: "username",
          value: failed?.email ?? "",
          autofocus: failed === undefined,
        })}
        ${field(site, {
          id: "password",
          label: "Password",
          type: "password",
          autocomplete: "current-password",
          aside: html`<a href="${site.path("/forgotten-password")}">Forgot it?</a>`,
          autofocus: failed !== undefined,
        })}
        <button class="button primary wide">Sign in</button>
      </form>
    `,
  });
}
