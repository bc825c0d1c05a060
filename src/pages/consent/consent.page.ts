/**
 * The consent page: the scopes, the location and the payment of an install. Deny is the first button, so that Enter
 * never allows.
 */
import { toDollars } from "../../kit/input/money.ts";
import { scopes as sentences, withoutImplied } from "../../vocabulary/scopes.ts";
import type { ScopeName } from "../../vocabulary/scopes.ts";
import type { InstallType } from "../../vocabulary/states.ts";
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import { narrow } from "../layout/narrow.ts";
import { icon } from "../parts/icon.ts";
import { mark } from "../parts/mark.ts";
import { isolatedEmail, isolatedName } from "../parts/name.ts";
import { notice } from "../parts/notice.ts";
import { locationPicker } from "../parts/location-picker.ts";
import type { LocationOption } from "../parts/location-picker.ts";
import { initials, tile } from "../parts/tile.ts";
import type { Site } from "../site.ts";
import { counted } from "../../kit/text.ts";

interface AuthorizationProps {
  readonly formToken: string;
  /** The request that the form answers. */
  readonly requestId: number;
  readonly app: { readonly name: string; readonly maker: string; readonly isDraft: boolean };
  /** The host of the redirect URI: `app.ledgerline.example`. */
  readonly goesTo: string;
  readonly person: { readonly name: string; readonly email: string };
  /** The URL of this page, for signing in as another person. */
  readonly continueTo: string;
}

/** The payer and the payment page: the app's own, or Stripe's for platform billing. */
export type Payment =
  | { readonly payer: InstallType; readonly host: string }
  | {
      readonly payer: InstallType;
      readonly price: { readonly cents: number; readonly trialDays: number };
      /** The name of the payer, if known before the location is selected. */
      readonly payerName: string | null;
    };

interface ConsentProps extends AuthorizationProps {
  /** Null if nothing is due. */
  readonly payment: Payment | null;
  readonly scopes: readonly ScopeName[];
  /** The workspace, if there is only one. */
  readonly workspace: string | null;
  readonly locations: readonly LocationOption[];
  readonly fault?: string | undefined;
}

export function consentPage(site: Site, consent: ConsentProps): Html {
  const { app, locations, workspace, scopes, payment, fault } = consent;
  const where = workspace === null ? "your location" : isolatedName(workspace);
  const title = html`Allow ${isolatedName(app.name)} to work in ${where}?`;
  return narrow(site, {
    title,
    content: html`
      ${opening(site, app, title)}
      <section class="powers" aria-labelledby="powers">
        <h2 id="powers">It will be able to</h2>
        <ul>
          ${toPowers(scopes).map(
            ({ changes, sentence }) =>
              html`<li class="${changes ? "changes" : ""}">
                ${icon(site, changes ? "pencil" : "eye")}
                <span>${changes && html`<span class="hidden-text">Change:</span>`} ${sentence}</span>
              </li>`,
          )}
          <li class="never">${icon(site, "lock")} <span>It cannot see other locations or your password</span></li>
        </ul>
      </section>
      ${payment !== null && paymentNotice(site, payment)}
      <form class="form" method="post" action="${site.path("/oauth/authorize")}">
        ${hiddenFields(consent)}
        ${locationPicker(site, {
          legend: locations.length === 1 ? "In this location" : "In which location?",
          locations,
          fault,
        })}
        <div class="actions">
          <button class="button" name="answer" value="deny" formnovalidate>Deny</button>
          <button class="button primary" name="answer" value="allow">Allow</button>
        </div>
      </form>
      ${ending(site, consent, "You can uninstall it at any time on the start page.")}
    `,
  });
}

/** For a member, whose role cannot install apps. `whom` names users that can; null for a member without locations. */
export function askSomebodyPage(site: Site, asked: AuthorizationProps, whom: readonly string[] | null): Html {
  const { app } = asked;
  const title = html`${isolatedName(app.name)} needs an owner or manager`;
  return narrow(site, {
    title,
    content: html`
      <div class="opening">
        <div class="marks">
          ${tile({ text: initials(app.name), seed: app.name })} ${icon(site, "arrow-right")} ${mark()}
        </div>
        <h1>${title}</h1>
        <p>
          ${
            whom === null
              ? "You have access to no location."
              : [
                  "Only they can install an app. Ask ",
                  whom.length === 0 ? "one of them" : listed(whom),
                  " to install it.",
                ]
          }
        </p>
      </div>
      <form class="form" method="post" action="${site.path("/oauth/authorize")}">
        ${hiddenFields(asked)}
        <button class="button wide" name="answer" value="deny"><span>Back to ${isolatedName(app.name)}</span></button>
      </form>
      ${ending(site, asked, "Nothing is shared with it.")}
    `,
  });
}

function opening(site: Site, app: AuthorizationProps["app"], title: Html): Html {
  return html`<div class="opening">
    <div class="marks">
      ${tile({ text: initials(app.name), seed: app.name })} ${icon(site, "arrow-right")} ${mark()}
    </div>
    <h1>${title}</h1>
    <p>
      ${isolatedName(app.name)} is made by ${isolatedName(app.maker)}, not by us.${app.isDraft && " It is a draft."}
    </p>
  </div>`;
}

function hiddenFields({ formToken, requestId }: AuthorizationProps): Html {
  return html`<input type="hidden" name="form_token" value="${formToken}" />
    <input type="hidden" name="request" value="${requestId}" />`;
}

/** The payment, shown before the location is selected. */
function paymentNotice(site: Site, payment: Payment): Html {
  const { payer } = payment;
  if ("host" in payment) {
    return notice(site, {
      kind: "info",
      title: `The ${payer} pays for this app`,
      text: html`You go to <b>${payment.host}</b> first, unless the ${payer} pays already.`,
    });
  }
  const { price, payerName } = payment;
  return notice(site, {
    kind: "info",
    title: html`${priceSentence(price)}, paid by ${payerName === null ? `the ${payer}` : isolatedName(payerName)} by
    card at Stripe`,
    text: `You go to Stripe first, unless the ${payer} pays already.${price.trialDays === 0 ? "" : " The free days are granted once per workspace."}`,
  });
}

/** `14 days free, then $29.00 a month` */
function priceSentence({ cents, trialDays }: { readonly cents: number; readonly trialDays: number }): string {
  const monthly = `${toDollars(cents)} a month`;
  return trialDays === 0 ? monthly : `${counted(trialDays, "day")} free, then ${monthly}`;
}

function ending(site: Site, { goesTo, person, formToken, continueTo }: AuthorizationProps, then: string): Html {
  return html`<div class="after">
    <p>You then go to <strong>${goesTo}</strong>. ${then}</p>
    <div class="person">
      ${tile({ text: initials(person.name), seed: person.email, size: "round" })}
      <span>${isolatedEmail(person.email)}</span>
      <form method="post" action="${site.path("/sign-out")}">
        <input type="hidden" name="form_token" value="${formToken}" />
        <input type="hidden" name="continue" value="${continueTo}" />
        <button class="link-button">Not you?</button>
      </form>
    </div>
  </div>`;
}

/** Write scopes first; a readonly scope that a write scope implies is omitted. */
function toPowers(scopes: readonly ScopeName[]): { changes: boolean; sentence: string }[] {
  return withoutImplied(scopes)
    .map((scope) => ({ changes: scope.endsWith(".write"), sentence: sentences[scope].replace(/\.$/, "") }))
    .toSorted((a, b) => Number(b.changes) - Number(a.changes));
}

const either = new Intl.ListFormat("en", { type: "disjunction" });

/** `Ada, Grace or Maria`. */
function listed(names: readonly string[]): Html[] {
  return either
    .formatToParts(names)
    .map(({ type, value }) => (type === "element" ? isolatedName(value) : html`${value}`));
}
