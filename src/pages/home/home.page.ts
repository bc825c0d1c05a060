/** The start page of a signed-in person: profile, locations, and installed apps. */
import { plainName } from "../../kit/input/name.ts";
import type { InstallPayment } from "../../marketplace/billing/platform/install-payment.queries.ts";
import { uninstallApp } from "../../marketplace/installs/install.operations.ts";
import type { InstallView } from "../../marketplace/installs/install.view.ts";
import { listApiKeys } from "../../tenancy/api-keys/api-key.operations.ts";
import { mayCarryOut } from "../../operation/permission.ts";
import type { SessionNotice } from "../../tenancy/sessions/session.service.ts";
import type { WorkplaceView } from "../../tenancy/users/workplace.queries.ts";
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import { shell } from "../layout/shell.ts";
import { icon } from "../parts/icon.ts";
import { isolatedEmail, isolatedName } from "../parts/name.ts";
import { keptNotice, notice } from "../parts/notice.ts";
import { initials, tile } from "../parts/tile.ts";
import { day } from "../parts/times.ts";
import type { Site } from "../site.ts";
import { paymentLine } from "./payment-line.ts";

interface Home {
  readonly formToken: string;
  readonly person: { readonly name: string; readonly email: string };
  readonly workplaces: readonly WorkplaceView[];
  /** Workspaces that require a second factor, which the person has not set up. */
  readonly withheld: readonly { readonly name: string }[];
  readonly installs: readonly InstallView[];
  /** Of apps with platform billing, by install id. */
  readonly payments: ReadonlyMap<number, InstallPayment>;
  readonly now: Date;
  readonly told?: SessionNotice | undefined;
}

export function homePage(site: Site, { formToken, person, workplaces, withheld, installs, told, ...paid }: Home): Html {
  const [only, ...others] = workplaces;
  const title = only === undefined || others.length > 0 ? "Where you work" : isolatedName(only.name);
  return shell(site, {
    title,
    person,
    formToken,
    content: html`
      ${told !== undefined && keptNotice(site, told)}
      <div class="page-head">
        <h1>${title}</h1>
        <p>${person.name !== person.email && [isolatedName(person.name), " · "]}${isolatedEmail(person.email)}</p>
      </div>
      ${withheld.length > 0 && withheldNotice(site, withheld)}
      ${workplaces.length === 0 && withheld.length === 0 && nowhere(site)}
      ${workplaces.map((workplace) => {
        const here = new Set(workplace.locations.map(({ id }) => id));
        const own = installs.filter(({ location }) => here.has(location.id));
        return html`<div class="columns">
          ${locationCard(site, workplace, workplaces.length > 1)} ${appCard(site, workplace, own, paid)}
        </div>`;
      })}
      ${
        workplaces.length > 0 &&
        html`<p class="hint">
          Contacts, conversations, opportunities and tasks have no pages yet: use the
          <a href="${site.path("/docs")}">API</a> or the command line.
        </p>`
      }
    `,
  });
}

function locationCard(site: Site, { id, role, locations, ...workspace }: WorkplaceView, isNamed: boolean): Html {
  return html`<section class="card" aria-labelledby="locations-${id}">
    <header>
      <h2 id="locations-${id}">${isNamed ? isolatedName(workspace.name) : "Locations"}</h2>
      <span class="badge">${role}</span>
    </header>
    ${
      mayCarryOut(listApiKeys, role) &&
      html`<a class="way" href="${site.path("/w/")}${id}/keys"
        >${icon(site, "sliders-horizontal")} Manage the workspace</a
      >`
    }
    ${
      locations.length === 0
        ? empty(site, "You have access to no location yet. An owner can give it to you.")
        : html`<ul class="rows">
            ${locations.map(
              (location) =>
                html`<li>
                  ${tile({ text: initials(location.name), seed: location.name, size: "small" })}
                  <span>
                    <b><a href="${site.path("/l/")}${location.id}/workflows">${isolatedName(location.name)}</a></b>
                    ${location.address !== "" && html`<small>${isolatedName(location.address)}</small>`}
                  </span>
                </li>`,
            )}
          </ul>`
    }
  </section>`;
}

function appCard(
  site: Site,
  { id, role }: WorkplaceView,
  installs: readonly InstallView[],
  { payments, now }: Pick<Home, "payments" | "now">,
): Html {
  const mayPay = mayCarryOut(uninstallApp, role);
  return html`<section class="card" aria-labelledby="apps-${id}">
    <header>
      <h2 id="apps-${id}">Apps</h2>
      ${installs.length > 0 && html`<span class="count">${installs.length}</span>`}
    </header>
    ${
      installs.length === 0
        ? empty(
            site,
            mayPay
              ? "No apps are installed. Apps you allow appear here, and you can uninstall them."
              : "No apps are installed. Owners and managers can install them.",
          )
        : html`<ul class="rows">
            ${installs.map((install) => {
              const payment = payments.get(install.id);
              return html`<li>
                ${tile({ text: initials(install.app.name), seed: install.app.name, size: "small" })}
                <span>
                  <b>${isolatedName(install.app.name)}</b>
                  <small>
                    in ${isolatedName(install.location.name)}, by ${isolatedName(install.installed_by.name)},
                    ${day("UTC", install.installed_at)}
                  </small>
                  ${
                    install.status === "inactive" &&
                    html`<small
                      ><b>No access.</b> The person who installed it has left, or it gave up its tokens. You can install
                      it again.</small
                    >`
                  }
                  ${payment !== undefined && paymentLine(site, { install, payment, mayPay, now })}
                </span>
                ${
                  mayPay &&
                  html`<a
                    class="button small"
                    href="${site.path("/")}apps/${install.id}/uninstall"
                    aria-label="Uninstall ${plainName(install.app.name)} from ${plainName(install.location.name)}"
                    >Uninstall</a
                  >`
                }
              </li>`;
            })}
          </ul>`
    }
  </section>`;
}

function empty(site: Site, text: string): Html {
  return html`<div class="empty">
    ${icon(site, "puzzle")}
    <p>${text}</p>
  </div>`;
}

function withheldNotice(site: Site, withheld: Home["withheld"]): Html {
  return notice(site, {
    kind: "warn",
    title: "Set up two-factor sign-in",
    text: html`${withheld.map(({ name }, place) => [place > 0 && ", ", isolatedName(name)])}
      ${withheld.length === 1 ? "requires" : "require"} it, and you have no access there before.
      <a href="${site.path("/me/two-factor")}">Set it up</a>`,
  });
}

function nowhere(site: Site): Html {
  return html`<section class="card">
    ${empty(site, "You are in no workspace. To join one, open the link of your invitation, or ask an owner for it.")}
  </section>`;
}

interface Uninstall {
  readonly formToken: string;
  readonly person: { readonly name: string; readonly email: string };
  readonly install: InstallView;
}

/** The confirmation page, which names the app and the consequences. */
export function uninstallPage(site: Site, { formToken, person, install }: Uninstall): Html {
  const title = html`Uninstall ${isolatedName(install.app.name)}?`;
  return shell(site, {
    title,
    person,
    formToken,
    content: html`
      <section class="card confirm">
        <div class="page-head">
          <h1>${title}</h1>
          <p>
            It loses access to ${isolatedName(install.location.name)} at once. What it has written stays. You can
            install it again.
          </p>
        </div>
        <form method="post" action="${site.path("/")}apps/${install.id}/uninstall">
          <input type="hidden" name="form_token" value="${formToken}" />
          <div class="actions">
            <button class="button danger">Uninstall</button>
            <a class="button" href="${site.path("/")}">Keep it</a>
          </div>
        </form>
      </section>
    `,
  });
}
