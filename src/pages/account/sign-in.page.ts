/** The sign-in page, with one error for both fields. */
import { placeholderEmail } from "../../tenancy/invitations/setup-link.service.ts";
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import { narrow } from "../layout/narrow.ts";
import { field } from "../parts/forms/field.ts";
import { isolatedName } from "../parts/name.ts";
import { notice } from "../parts/notice.ts";
import type { Site } from "../site.ts";

interface SignIn {
  readonly formToken: string;
  /** The app to continue to. */
  readonly app?: string | undefined;
  /** The redirect target after sign-in, kept in the form. */
  readonly continueTo: string;
  /** On the start page: the version of the service, beside a link to the API reference. */
  readonly version?: string;
  /** Whether no person can sign in yet, since the setup is not finished. */
  readonly awaitsSetup?: boolean;
  /** The submitted address after a failure. */
  readonly failed?: { readonly email: string };
}

export function signInPage(
  site: Site,
  { formToken, app, continueTo, version, awaitsSetup = false, failed }: SignIn,
): Html {
  return narrow(site, {
    title: "Sign in",
    content: html`
      <div class="opening">
        <h1>Sign in</h1>
        ${app !== undefined && html`<p>to continue to <strong>${isolatedName(app)}</strong></p>`}
      </div>
      ${
        awaitsSetup &&
        notice(site, {
          kind: "info",
          title: "This service is not set up yet",
          text: html`Open the link that its first start printed on the terminal. For a new one, run
            <code>crm users reset-password ${placeholderEmail}</code>.`,
        })
      }
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
      ${
        version !== undefined &&
        html`<p class="after">
          <span><a href="${site.path("/docs")}">API reference</a> · Version ${version}</span>
        </p>`
      }
    `,
  });
}
