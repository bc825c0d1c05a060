/** A forgotten password: a link to another one comes by mail, or from whoever runs the service. The pages tell nothing of any account. */
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import { narrow } from "../layout/narrow.ts";
import { field } from "../parts/field.ts";
import { notice } from "../parts/notice.ts";
import type { Site } from "../site.ts";

const title = "Forgotten password";

export function forgottenPasswordPage(site: Site, { formToken }: { readonly formToken: string }): Html {
  return narrow(site, {
    title,
    content: html`
      <div class="opening">
        <h1>${title}</h1>
        <p>A link lets you choose another one. It is mailed to the address that you sign in with.</p>
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
    title: "Look into your mailbox",
    content: html`
      <div class="opening">
        <h1>Look into your mailbox</h1>
        <p>If somebody signs in here with that address, a link is on its way. It works once, for a day.</p>
      </div>
      ${back(site)}
    `,
  });
}

/** Where no mail is sent. */
export function askForLinkPage(site: Site): Html {
  return narrow(site, {
    title,
    content: html`
      <div class="opening">
        <h1>${title}</h1>
        <p>A link lets you choose another one. Whoever runs this service can make it for you.</p>
      </div>
      ${notice(site, {
        kind: "info",
        title: "Send them this line",
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
