/** One's own account: name, theme, password, two-factor sign-in and sessions. */
import type { SessionNotice } from "../../tenancy/sessions/session.service.ts";
import type { SecondFactorView } from "../../tenancy/two-factor/second-factor.queries.ts";
import { limits } from "../../vocabulary/limits.ts";
import { attributes, html } from "../html.ts";
import type { Html } from "../html.ts";
import { shell } from "../layout/shell.ts";
import { faultLine } from "../parts/forms/faults.ts";
import { field } from "../parts/forms/field.ts";
import { isolatedEmail } from "../parts/name.ts";
import { keptNotice } from "../parts/notice.ts";
import type { Site } from "../site.ts";
import { themeChoices } from "../theme.ts";
import type { ThemeChoice } from "../theme.ts";
import type { PageFaults, Me } from "./me.route.ts";
import { day } from "../parts/times.ts";

interface MePage {
  readonly factor: SecondFactorView | undefined;
  /** How many browsers are signed in. */
  readonly sessions: number;
  /** Of this browser. */
  readonly theme: ThemeChoice;
  /** The flash message of the form before. */
  readonly notice?: SessionNotice | undefined;
  /** The submitted name. */
  readonly name?: string;
  readonly faults?: PageFaults;
}

const themeTexts: Readonly<Record<ThemeChoice, string>> = {
  system: "As the system",
  light: "Light",
  dark: "Dark",
};

export function mePage(site: Site, { session, formToken }: Me, given: MePage): Html {
  const { factor, sessions, theme, name = session.name, faults = {}, notice } = given;
  const token = html`<input type="hidden" name="form_token" value="${formToken}" />`;
  return shell(site, {
    title: "Your account",
    person: session,
    formToken,
    content: html`
      ${notice !== undefined && keptNotice(site, notice)}
      <div class="page-head">
        <h1>Your account</h1>
        <p>${isolatedEmail(session.email)}</p>
      </div>
      <section class="card" aria-labelledby="name-title">
        <header><h2 id="name-title">Name</h2></header>
        <form class="form inside" method="post" action="${site.path("/me/name")}">
          ${token}
          ${field(site, {
            id: "name",
            label: "Your name",
            autocomplete: "name",
            value: name,
            hint: "Shown in every workspace.",
            fault: faults["name"],
          })}
          <button class="button">Save name</button>
        </form>
      </section>
      <section class="card" aria-labelledby="theme-title">
        <header><h2 id="theme-title">Theme</h2></header>
        <form class="form inside" method="post" action="${site.path("/me/theme")}">
          ${token}
          <fieldset class="group" id="theme">
            <legend>In this browser</legend>
            ${themeChoices.map(
              (one) =>
                html`<label class="choice"
                  ><input
                    type="radio"
                    class="plain"
                    name="theme"
                    value="${one}"
                    ${one === theme && attributes`checked`}
                  />
                  <span>${themeTexts[one]}</span></label
                >`,
            )}
            ${faultLine(site, "theme", faults["theme"])}
          </fieldset>
          <button class="button">Save theme</button>
        </form>
      </section>
      <section class="card" aria-labelledby="two-factor-title">
        <header>
          <h2 id="two-factor-title">Two-factor sign-in</h2>
          <span class="badge">${factor === undefined ? "off" : "on"}</span>
        </header>
        <div class="inside">
          <p>
            ${
              factor === undefined
                ? "A code from an app on your phone protects your account even if your password is known to others."
                : html`On since ${day("UTC", factor.since)}, with ${factor.recoveryCodesLeft} recovery
                  ${factor.recoveryCodesLeft === 1 ? "code" : "codes"} left.`
            }
          </p>
          <a class="button" href="${site.path("/me/two-factor")}">${factor === undefined ? "Set up" : "Change"}</a>
        </div>
      </section>
      <section class="card" aria-labelledby="sessions-title">
        <header>
          <h2 id="sessions-title">Sessions</h2>
          <span class="count">${sessions}</span>
        </header>
        <div class="inside">
          <p>The browsers in which you are signed in.</p>
          <a class="button" href="${site.path("/me/sessions")}">Show sessions</a>
        </div>
      </section>
      <section class="card" aria-labelledby="password-title">
        <header><h2 id="password-title">Password</h2></header>
        <form class="form inside" method="post" action="${site.path("/me/password")}">
          ${token}
          <input type="email" name="username" value="${session.email}" autocomplete="username" hidden readonly />
          ${field(site, {
            id: "current_password",
            label: "Current password",
            type: "password",
            autocomplete: "current-password",
            fault: faults["current_password"],
          })}
          ${field(site, {
            id: "password",
            label: "New password",
            type: "password",
            autocomplete: "new-password",
            hint: `At least ${limits.password.shortest} characters. You will be signed out everywhere else.`,
            fault: faults["password"],
          })}
          <button class="button">Change password</button>
        </form>
      </section>
    `,
  });
}
