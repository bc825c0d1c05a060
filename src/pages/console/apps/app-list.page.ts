/** The apps that a workspace makes, and those that are installed in its locations. */
import { toDollars } from "../../../kit/input/money.ts";
import type { AppView } from "../../../marketplace/apps/app.view.ts";
import type { InstallView } from "../../../marketplace/installs/install.view.ts";
import { html } from "../../html.ts";
import type { Html } from "../../html.ts";
import type { WorkView } from "../../as-person.ts";
import { work } from "../../layout/work.ts";
import { badge } from "../../parts/badge.ts";
import { icon } from "../../parts/icon.ts";
import { empty } from "../../parts/lists/empty.ts";
import { rowMenu } from "../../parts/lists/row-menu.ts";
import { segment } from "../../parts/lists/segment.ts";
import { pager, table } from "../../parts/lists/table.ts";
import { isolatedName } from "../../parts/name.ts";
import { day } from "../../parts/times.ts";
import { summaryOf } from "../scope.texts.ts";
import { appState } from "./app-form.page.ts";

interface PagedList {
  readonly isContinued: boolean;
  readonly nextCursor: string | null;
}

interface AppList extends PagedList {
  readonly apps: readonly AppView[];
}

export function appListPage(here: WorkView, { apps, ...page }: AppList): Html {
  const create = html`<a class="button primary" href="${here.to("/apps/new")}">${icon(here.site, "plus")} New app</a>`;
  return work(here, {
    title: "Apps",
    at: "/apps",
    isWide: true,
    head: { title: "Apps", actions: create },
    content: html`${which(here, "own")}
    ${
      apps.length === 0 && !page.isContinued
        ? empty(here.site, {
            icon: "puzzle",
            title: "No apps of your own",
            text: "An app works in the locations that install it, with a token for each. Create one to build an integration.",
            action: create,
          })
        : table({
            caption: "Apps that this workspace makes, oldest first",
            rows: apps,
            columns: [
              {
                title: "Name",
                cell: (app) => html`<a class="main" href="${here.to(`/apps/${app.id}`)}">${isolatedName(app.name)}</a>`,
              },
              { title: "State", cell: (app) => appState(here, app) },
              { title: "Asks for", folded: "wide", cell: ({ scopes }) => summaryOf(scopes) },
              { title: "Price", folded: "wide", isNamed: true, cell: priceOf },
            ],
          })
    }
    ${listPager(here, "/apps", page)}`,
  });
}

interface InstalledList extends PagedList {
  readonly installs: readonly InstallView[];
}

export function installedListPage(here: WorkView, { installs, ...page }: InstalledList): Html {
  const { site, zone } = here;
  return work(here, {
    title: "Installed apps",
    at: "/apps",
    isWide: true,
    head: { title: "Apps" },
    content: html`${which(here, "installed")}
    ${
      installs.length === 0 && !page.isContinued
        ? empty(site, {
            icon: "plug-zap",
            title: "No apps installed",
            text: "An app is installed from its own site: it leads here, where you choose the location and see what it may do.",
          })
        : table({
            caption: "Apps installed in the locations of this workspace, by location",
            rows: installs,
            columns: [
              { title: "App", cell: ({ app }) => html`<b>${isolatedName(app.name)}</b>` },
              {
                title: "State",
                cell: ({ status }) =>
                  status === "active"
                    ? badge(site, { kind: "ok", text: "Active", icon: "check" })
                    : badge(site, { kind: "warn", text: "Without access", icon: "triangle-alert" }),
              },
              { title: "Location", folded: "wide", cell: ({ location }) => isolatedName(location.name) },
              { title: "May do", folded: "wide", cell: ({ scopes }) => summaryOf(scopes) },
              {
                title: "Since",
                folded: "wide",
                isNamed: true,
                cell: (install) =>
                  html`${day(zone, install.installed_at)}, by ${isolatedName(install.installed_by.name)}`,
              },
            ],
            actions: ({ id, app }) =>
              rowMenu(site, {
                id: `install-${id}`,
                name: app.name,
                links: [{ href: here.to(`/apps/installed/${id}/uninstall`), text: "Uninstall…", icon: "trash-2" }],
              }),
          })
    }
    ${listPager(here, "/apps/installed", page)}`,
  });
}

function which(here: WorkView, chosen: "own" | "installed"): Html {
  return html`<div class="filters">
    ${segment({
      label: "Which apps",
      choices: [
        { text: "Ours", href: here.to("/apps"), isChosen: chosen === "own" },
        { text: "Installed", href: here.to("/apps/installed"), isChosen: chosen === "installed" },
      ],
    })}
  </div>`;
}

function listPager(here: WorkView, path: `/${string}`, { isContinued, nextCursor }: PagedList): Html | false {
  const list = here.to(path);
  return pager(here.site, {
    shown: null,
    first: isContinued ? list : null,
    next: nextCursor === null ? null : `${list}?cursor=${encodeURIComponent(nextCursor)}`,
  });
}

function priceOf({ billing, price_cents: cents }: AppView): string {
  if (billing === "platform") return `${toDollars(cents ?? 0)} a month`;
  return billing === "external" ? "Own payment page" : "Free";
}
