/** What is told to somebody who came back from a payment page, where their install cannot be finished. */
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import { troublePage } from "../account/failure.page.ts";
import { narrow } from "../layout/narrow.ts";
import { icon } from "../parts/icon.ts";
import { isolatedEmail, isolatedName } from "../parts/name.ts";
import type { Site } from "../site.ts";

/** For an address that was used, is too old, or was never given to anybody. */
export function spentReturnPage(site: Site): Html {
  return troublePage(site, {
    sign: "clock",
    title: "There is no install to finish here",
    text: "It is already finished, or you allowed it more than a day ago. Nothing was shared.",
    more: "If the app does not work yet, go back to it and start again. Your payment is not lost.",
  });
}

/** For one that cannot be finished any more, whoever asks. */
export function lostInstallPage(site: Site, app: string): Html {
  return troublePage(site, {
    sign: "lock",
    title: html`${isolatedName(app)} cannot be installed now`,
    text: "You can no longer install apps in that location, or the app has changed since you allowed it. Nothing was shared.",
    more: html`Go back to ${isolatedName(app)} and start again. If you have paid, ask its makers.`,
  });
}

interface ForeignReturn {
  readonly formToken: string;
  readonly app: string;
  /** Who is signed in. */
  readonly person: { readonly email: string };
  /** The address of this page, for who signs in as somebody else. */
  readonly continueTo: string;
}

/** For somebody who is signed in and is not who allowed it. */
export function foreignReturnPage(site: Site, { formToken, app, person, continueTo }: ForeignReturn): Html {
  return narrow(site, {
    title: "Another person allowed this",
    content: html`
      <div class="opening">
        <span class="sign">${icon(site, "users")}</span>
        <h1>Another person allowed this</h1>
        <p>
          Only the person who allowed ${isolatedName(app)} can finish its install. You are signed in as
          <strong>${isolatedEmail(person.email)}</strong>.
        </p>
        <p class="hint">Nothing was shared.</p>
      </div>
      <form class="form" method="post" action="${site.path("/sign-out")}">
        <input type="hidden" name="form_token" value="${formToken}" />
        <input type="hidden" name="continue" value="${continueTo}" />
        <button class="button wide">Sign in as another person</button>
      </form>
    `,
  });
}
