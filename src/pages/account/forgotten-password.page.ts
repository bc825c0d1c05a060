/** Forgotten password: a link by mail, or from the operator. The pages do not reveal whether an account exists. */
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import { narrow } from "../layout/narrow.ts";
import { field } from "../parts/forms/field.ts";
import { notice } from "../parts/notice.ts";
import type { Site } from "../site.ts";

const title = "Forgotten password";

export function forgottenPasswordPage(site: Site, { formToken }: { readonly formToken: string }): Html {
  return narrow(site, {
    title,
    content: html`
      <div class="opening">
        <h1>${title}</h1>
        <p>We mail a link to the address that you sign in with. It lets you choose a new password.</p>
      </div>
      <form class="form" method="post" action="${site.path("/forgotten-password")}">
        <input type="hidden" name="form_token" value="${formToken}" />
        ${field(site, { id: "email", label: "E-mail", type: "email", autocomplete: "username", autofocus: true })}
        <button class="button primary wide">Mail me a link</button>
      </form>
      ${back(site)}
    `,
  });
}

export function linkMailedPage(site: Site): Html {
  return narrow(site, {
    title: "Check your e-mail",
    content: html`
      <div class="opening">
        <h1>Check your e-mail</h1>
        <p>If there is an account with that address, a link is on its way. It works once, for one day.</p>
      </div>
      ${back(site)}
    `,
  });
}

/** Without a mail server. */
export function askForLinkPage(site: Site): Html {
  return narrow(site, {
    title,
    content: html`
      <div class="opening">
        <h1>${title}</h1>
        <p>You need a link to choose a new password. The operator of this service can create it.</p>
      </div>
      ${notice(site, {
        kind: "info",
        title: "Ask the operator to run this command",
        text: html`<code>crm users reset-password <var>your e-mail</var></code> prints a link that works once, for a
          day.`,
      })}
      ${back(site)}
    `,
  });
}

function back(site: Site): Html {
  return html`<a class="button wide" href="${site.path("/sign-in")}">Back to sign-in</a>`;
}
