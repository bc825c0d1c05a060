/** Two-factor sign-in of oneself: set up, shown, turned off, and its recovery codes, which are shown once. */
import { plainName } from "../../kit/input/name.ts";
import type { SecondFactorView } from "../../tenancy/two-factor/second-factor.queries.ts";
import { toTotpUri } from "../../tenancy/two-factor/totp.ts";
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import { narrow } from "../layout/narrow.ts";
import { field } from "../parts/forms/field.ts";
import { isolatedName } from "../parts/name.ts";
import { notice } from "../parts/notice.ts";
import { qrCode } from "./qr-code.ts";
import type { Site } from "../site.ts";
import type { PageFaults } from "./me.route.ts";
import { day } from "../parts/times.ts";

const codeHint = "The six digits that your authenticator app shows, or a recovery code.";

interface SetUp {
  readonly formToken: string;
  readonly person: { readonly email: string };
  /** In base32, to type. */
  readonly secret: string;
  /** The same, sealed, which the form sends back. */
  readonly sealed: string;
  readonly continueTo: string;
  /** The workspaces that wait for it. */
  readonly withheld: readonly { readonly name: string }[];
  readonly faults?: PageFaults | undefined;
}

export function setUpPage(site: Site, given: SetUp): Html {
  const { formToken, person, secret, sealed, continueTo, withheld, faults = {} } = given;
  const title = "Set up two-factor sign-in";
  const uri = toTotpUri(secret, { issuer: site.host, account: plainName(person.email) });
  return narrow(site, {
    title,
    content: html`
      <div class="opening">
        <h1>${title}</h1>
        <p>You will sign in with your password and a code from an app on your phone.</p>
      </div>
      ${
        withheld.length > 0 &&
        notice(site, {
          kind: "info",
          title: "Required",
          text: html`${withheld.map(({ name }, place) => [place > 0 && ", ", isolatedName(name)])}
          ${withheld.length === 1 ? "requires" : "require"} it. You have no access there until it is set up.`,
        })
      }
      <form class="form" method="post" action="${site.path("/me/two-factor")}">
        <input type="hidden" name="form_token" value="${formToken}" />
        <input type="hidden" name="setup" value="${sealed}" />
        <input type="hidden" name="continue" value="${continueTo}" />
        <p>1. Scan this with an authenticator app, such as the one of your password manager.</p>
        ${qrCode(uri, { label: "QR code for an authenticator app; the key below is the same" })}
        <p class="hint">
          Or type this key into the app, as time-based:
          <code class="key">${secret.match(/.{1,4}/g)!.map((group, place) => [place > 0 && " ", group])}</code>
        </p>
        <p>2. Type your password, and the code that the app shows now.</p>
        ${passwordField(site, faults)}
        ${field(site, { id: "code", label: "Code", autocomplete: "one-time-code", fault: faults["code"] })}
        <button class="button primary wide">Turn on</button>
      </form>
      <p class="after"><a href="${site.path("/me")}">Not now</a></p>
    `,
  });
}

function passwordField(site: Site, faults: PageFaults): Html {
  return field(site, {
    id: "password",
    label: "Password",
    type: "password",
    autocomplete: "current-password",
    fault: faults["password"],
  });
}

interface ShownCodes {
  readonly codes: readonly string[];
  readonly continueTo: `/${string}`;
  readonly title: string;
}

export function recoveryCodesPage(site: Site, { codes, continueTo, title }: ShownCodes): Html {
  return narrow(site, {
    title,
    content: html`
      <div class="opening">
        <h1>${title}</h1>
        <p>Save these recovery codes. Each signs you in once, in place of a code of the app.</p>
      </div>
      <ol class="codes" aria-label="Recovery codes">
        ${codes.map((code) => html`<li><code>${code}</code></li>`)}
      </ol>
      <p class="hint">They are not stored in clear, and no page shows them again. Keep them apart from your phone.</p>
      <a class="button primary wide" href="${site.path(continueTo)}">I have saved them</a>
    `,
  });
}

export function secondFactorPage(site: Site, { since, recoveryCodesLeft }: SecondFactorView): Html {
  const title = "Two-factor sign-in";
  const left = recoveryCodesLeft === 1 ? "1 recovery code is" : `${recoveryCodesLeft || "No"} recovery codes are`;
  return narrow(site, {
    title,
    content: html`
      <div class="opening">
        <h1>${title}</h1>
        <p>On since ${day("UTC", since)}. ${left} left.</p>
      </div>
      <div class="form">
        <a class="button wide" href="${site.path("/me/two-factor/recovery-codes")}">New recovery codes</a>
        <a class="button wide" href="${site.path("/me/two-factor/off")}">Turn off</a>
        <a class="button primary wide" href="${site.path("/me")}">Back to your account</a>
      </div>
    `,
  });
}

interface FactorForm {
  readonly formToken: string;
  readonly faults?: PageFaults;
}

export function turnOffPage(site: Site, { formToken, faults = {} }: FactorForm): Html {
  const title = "Turn off two-factor sign-in?";
  return narrow(site, {
    title,
    content: html`
      <div class="opening">
        <h1>${title}</h1>
        <p>Your password alone will sign you in. Workspaces that require two-factor sign-in will be out of reach.</p>
      </div>
      <form class="form" method="post" action="${site.path("/me/two-factor/off")}">
        <input type="hidden" name="form_token" value="${formToken}" />
        ${passwordField(site, faults)}
        ${field(site, { id: "code", label: "Code", autocomplete: "one-time-code", hint: codeHint, fault: faults["code"] })}
        <button class="button danger wide">Turn off</button>
        <a class="button wide" href="${site.path("/me/two-factor")}">Keep it on</a>
      </form>
    `,
  });
}

export function renewCodesPage(site: Site, { formToken, faults = {} }: FactorForm): Html {
  const title = "New recovery codes";
  return narrow(site, {
    title,
    content: html`
      <div class="opening">
        <h1>${title}</h1>
        <p>The ones that you have stop working.</p>
      </div>
      <form class="form" method="post" action="${site.path("/me/two-factor/recovery-codes")}">
        <input type="hidden" name="form_token" value="${formToken}" />
        ${field(site, { id: "code", label: "Code", autocomplete: "one-time-code", hint: codeHint, fault: faults["code"] })}
        <button class="button primary wide">Show new codes</button>
        <a class="button wide" href="${site.path("/me/two-factor")}">Keep those I have</a>
      </form>
    `,
  });
}
