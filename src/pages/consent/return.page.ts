/** Pages for a return from a payment page whose install cannot be completed. */
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import { troublePage } from "../account/failure.page.ts";
import { narrow } from "../layout/narrow.ts";
import { icon } from "../parts/icon.ts";
import { isolatedEmail, isolatedName } from "../parts/name.ts";
import type { Site } from "../site.ts";

/** For a URL that is used, expired or unknown. */
export function spentReturnPage(site: Site): Html {
  return troublePage(site, {
    sign: "clock",
    title: "There is no install to finish here",
    text: "It is already finished, or you allowed it more than a day ago. Nothing was shared.",
    more: "If the app does not work yet, go back to it and start again. Your payment is not lost.",
  });
}

/** For an install that can no longer be completed. */
export function lostInstallPage(site: Site, app: string): Html {
  return troublePage(site, {
    sign: "lock",
    title: html`${isolatedName(app)} cannot be installed now`,
    text: "You can no longer install apps in that location, or the app has changed since you allowed it. Nothing was shared.",
    more: html`Go back to ${isolatedName(app)} and start again. If you have paid, contact its developer.`,
  });
}

/** The same with platform billing: the payment is refunded. */
export function refundedInstallPage(site: Site, app: string): Html {
  return troublePage(site, {
    sign: "lock",
    title: html`${isolatedName(app)} cannot be installed now`,
    text: "You can no longer install apps in that location, or the app has changed since you allowed it. Nothing was shared.",
    more: "Your subscription is ended, and what was charged is refunded.",
  });
}

export interface UnpaidInstall {
  readonly formToken: string;
  readonly app: string;
  /** Of this page. */
  readonly path: `/${string}`;
  /** left: the checkout was abandoned or canceled. unreachable: Stripe is unreachable. closed: another tab has a newer checkout. */
  readonly fault: keyof typeof unpaidSentences;
}

const unpaidSentences = {
  left: "You left the payment before it was finished.",
  unreachable: "Stripe is unreachable. Try again in a moment.",
  closed: "The payment was opened in another tab, or changed meanwhile.",
} as const;

/** For an install whose checkout at Stripe is not complete. */
export function unpaidInstallPage(site: Site, { formToken, app, path, fault }: UnpaidInstall): Html {
  return narrow(site, {
    title: "Your payment is not finished",
    content: html`
      <div class="opening">
        <span class="sign">${icon(site, "clock")}</span>
        <h1>Your payment is not finished</h1>
        <p>${unpaidSentences[fault]}</p>
        <p class="hint">Nothing was charged, and ${isolatedName(app)} is not installed.</p>
      </div>
      <form class="form" method="post" action="${path}">
        <input type="hidden" name="form_token" value="${formToken}" />
        <button class="button primary wide">Try again</button>
      </form>
      <a class="button wide" href="${site.path("/")}">To the start page</a>
    `,
  });
}

interface ForeignReturn {
  readonly formToken: string;
  readonly app: string;
  /** The signed-in user. */
  readonly person: { readonly email: string };
  /** The URL of this page, for signing in as another person. */
  readonly continueTo: string;
}

/** For a signed-in user other than the one who consented. */
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
