/** The page behind the link of `List-Unsubscribe`: it asks first, since scanners of mails open links too. */
import type { MailRecipient } from "../../crm/contacts/unsubscribe.service.ts";
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import { narrow } from "../layout/narrow.ts";
import { isolatedEmail, isolatedName } from "../parts/name.ts";
import type { Site } from "../site.ts";

type Shown = Pick<MailRecipient, "location" | "address">;

export function unsubscribePage(site: Site, { location, address }: Shown, action: string): Html {
  return narrow(site, {
    title: "Unsubscribe",
    content: html`
      <div class="opening">
        <h1>Unsubscribe</h1>
        <p>
          ${isolatedName(location)} will send no more automated
          messages${
            address !== null &&
            html` to
              <strong>${isolatedEmail(address)}</strong>`
          }.
        </p>
      </div>
      <form class="form" method="post" action="${action}">
        <input type="hidden" name="List-Unsubscribe" value="One-Click" />
        <button class="button primary wide">Unsubscribe</button>
      </form>
    `,
  });
}

export function unsubscribedPage(site: Site, { location }: Shown): Html {
  return narrow(site, {
    title: "You are unsubscribed",
    content: html`
      <div class="opening">
        <h1>You are unsubscribed</h1>
        <p>${isolatedName(location)} sends you no more automated messages. People there can still answer you.</p>
      </div>
    `,
  });
}
