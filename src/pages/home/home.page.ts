/** The start page of a signed-in person: profile, locations, and installed apps. */
import { plainName } from "../../kit/input/name.ts";
import { uninstallApp } from "../../marketplace/installs/install.operations.ts";
import type { InstallView } from "../../marketplace/installs/install.view.ts";
import { mayCarryOut } from "../../operation/permission.ts";
import type { SessionNotice } from "../../tenancy/sessions/session.service.ts";
import type { WorkplaceView } from "../../tenancy/users/workplace.queries.ts";
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import { shell } from "../layout/shell.ts";
import { icon } from "../parts/icon.ts";
import { isolatedEmail, isolatedName } from "../parts/name.ts";
import { notice } from "../parts/notice.ts";
import { initials, tile } from "../parts/tile.ts";
import type { Site } from "../site.ts";

interface Home {
  readonly formToken: string;
  readonly person: { readonly name: string; readonly email: string };
  readonly workplaces: readonly WorkplaceView[];
  readonly installs: readonly InstallView[];
  readonly told?: SessionNotice | undefined;
}

export function homePage(site: Site, { formToken, person, workplaces, installs, told }: Home): Html {
  const [only, ...others] = workplaces;
  const title = only === undefined || others.length > 0 ? "Where you work" : isolatedName(only.name);
  return shell(site, {
    title,
    person,
    formToken,
    content: html`
      ${told !== undefined && toldNotice(site, told)}
      <div class="page-head">
        <h1>${title}</h1>
        <p>${person.name !== person.email && [isolatedName(person.name), " · "]}${isolatedEmail(person.email)}</p>
      </div>
      ${workplaces.length === 0 && nowhere(site)}
      ${workplaces.map((workplace) => {
        const here = new Set(workplace.locations.map(({ id }) => id));
        const own = installs.filter(({ location }) => here.has(location.id));
        return html`<div class="columns">
          ${locationCard(site, workplace, workplaces.length > 1)} ${appCard(site, workplace, own)}
        </div>`;
      })}
    `,
  });
}

/** Not for an older form. */
function toldNotice(site: Site, { uninstalled, from }: Partial<SessionNotice>): Html | false {
  if (uninstalled === undefined || from === undefined) return false;
  return notice(site, {
    kind: "ok",
    title: html`${isolatedName(uninstalled)} is uninstalled`,
    text: html`It no longer has access to ${isolatedName(from)}.`,
  });
}

/** A month name is unambiguous everywhere. Cached: creating a formatter costs more than a page. */
const day = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" });

function locationCard(site: Site, { id, role, locations, ...workspace }: WorkplaceView, isNamed: boolean): Html {
  return html`<section class="card" aria-labelledby="locations-${id}">
    <header>
      <h2 id="locations-${id}">${isNamed ? isolatedName(workspace.name) : "Locations"}</h2>
      <span class="badge">${role}</span>
    </header>
    ${
      locations.length === 0
        ? empty(site, "You have access to no location yet. An owner can give it to you.")
        : html`<ul class="rows">
            ${locations.map(
              (location) =>
                html`<li>
                  ${tile({ text: initials(location.name), seed: location.name, size: "small" })}
                  <span>
                    <b>${isolatedName(location.name)}</b>
                    ${location.address !== "" && html`<small>${isolatedName(location.address)}</small>`}
                  </span>
                </li>`,
            )}
          </ul>`
    }
  </section>`;
}

function appCard(site: Site, { id, role }: WorkplaceView, installs: readonly InstallView[]): Html {
  return html`<section class="card" aria-labelledby="apps-${id}">
    <header>
      <h2 id="apps-${id}">Apps</h2>
      ${installs.length > 0 && html`<span class="count">${installs.length}</span>`}
    </header>
    ${
      installs.length === 0
        ? empty(site, "No apps are installed. Apps you allow appear here, and you can uninstall them.")
        : html`<ul class="rows">
            ${installs.map(
              (install) =>
                html`<li>
                  ${tile({ text: initials(install.app.name), seed: install.app.name, size: "small" })}
                  <span>
                    <b>${isolatedName(install.app.name)}</b>
                    <small>
                      in ${isolatedName(install.location.name)}, by ${isolatedName(install.installed_by.name)},
                      <time datetime="${install.installed_at}">${day.format(Date.parse(install.installed_at))}</time>
                    </small>
                    ${
                      install.status === "inactive" &&
                      html`<small
                        ><b>No access.</b> The person who installed it has left, or it gave up its tokens. You can
                        install it again.</small
                      >`
                    }
                  </span>
                  ${
                    mayCarryOut(uninstallApp, role) &&
                    html`<a
                      class="button small"
                      href="${site.path("/")}apps/${install.id}/uninstall"
                      aria-label="Uninstall ${plainName(install.app.name)} from ${plainName(install.location.name)}"
                      >Uninstall</a
                    >`
                  }
                </li>`,
            )}
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

function nowhere(site: Site): Html {
  return html`<section class="card">
    ${empty(site, "You are in no workspace. An owner of one can invite you.")}
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
