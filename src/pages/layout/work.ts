/** The layout of work pages: the rail beside a sheet, and on a phone tabs below it. */
import { plainName } from "../../kit/input/name.ts";
import { mayCarryOut } from "../../operation/permission.ts";
import type { SessionNotice } from "../../tenancy/sessions/session.service.ts";
import { attributes, html } from "../html.ts";
import type { Html } from "../html.ts";
import type { WorkView } from "../as-person.ts";
import { icon } from "../parts/icon.ts";
import { livePage } from "../parts/live-page.ts";
import type { LiveWatch } from "../parts/live-page.ts";
import { isolatedEmail, isolatedName } from "../parts/name.ts";
import { keptNotice } from "../parts/notice.ts";
import { initials, tile } from "../parts/tile.ts";
import { toDocument } from "./document.ts";
import { pageHead } from "./head.ts";
import type { Head } from "./head.ts";
import { rail } from "./rail.ts";
import type { RailPath } from "./rail.ts";

interface WorkPage {
  /** For the window; the name of the workspace follows. */
  readonly title: Html | string;
  /** The row of the rail that is chosen; null for none. */
  readonly at: RailPath | null;
  readonly head: Head;
  readonly content: Html;
  /** The record whose changes the page shows while it is open. */
  readonly live?: LiveWatch;
  /** Whether the content reaches the edges of the sheet, as a table does. */
  readonly isWide?: boolean;
}

/** Links on a phone, beside the button for all others. */
const mostTabs = 4;

export function work(here: WorkView, { title, at, head, content, live, isWide = false }: WorkPage): Html {
  const { site, notice } = here;
  const rows = rowsFor(here);
  const tabs = rows.slice(0, mostTabs);
  return toDocument(site, {
    title: html`${title} · ${here.workplace.name}`,
    layout: "work",
    scripts: live === undefined ? [] : ["live-page.js"],
    content: html`
      <a class="skip" href="#main">Skip to the page</a>
      <nav class="side" aria-label="Main">
        ${switcher(here, at, "place")} ${links(here, rows, at)}
        <span class="grow"></span>
        ${personButton(here)}
        <div id="person-menu" class="menu above" popover>${personMenu(here)}</div>
      </nav>
      <main id="main" tabindex="-1">
        ${pageHead(site, head)}
        ${notice !== undefined && isWide && html`<div class="above-list">${flash(here, notice)}</div>`}
        ${
          isWide
            ? content
            : html`<div class="sheet-body">
                ${notice !== undefined && flash(here, notice)} ${live !== undefined && livePage(here, live)} ${content}
              </div>`
        }
      </main>
      <nav class="tabs" aria-label="Main, short">
        ${tabs.map((row) => html`<a href="${hrefOf(here, row)}" ${current(row, at)}>${icon(site, row.icon)}${row.title}</a>`)}
        <button type="button" popovertarget="more" class="${tabs.some(({ path }) => path === at) ? "" : "chosen"}">
          ${icon(site, "menu")}More
        </button>
      </nav>
      <nav id="more" class="menu sheet" popover aria-label="More">
        ${links(here, rows, at)} ${otherPlaces(here, at)} ${personMenu(here)}
      </nav>
    `,
  });
}

type Row = (typeof rail)[number];

/** The rows for the role of the person; those of a location need one. */
function rowsFor({ workplace }: WorkView): readonly Row[] {
  return rail.filter(
    (row) => mayCarryOut(row.may, workplace.role) && (isOfWorkspace(row) || workplace.locations.length > 0),
  );
}

function isOfWorkspace(row: { readonly within: "workspace" | "location" }): boolean {
  return row.within === "workspace";
}

/** On a page of the workspace, rows of a location lead to the first one. */
function hrefOf({ site, workplace, place }: WorkView, row: Row): `/${string}` {
  return isOfWorkspace(row)
    ? site.path(`/w/${workplace.id}${row.path}`)
    : site.path(`/l/${(place ?? workplace.locations[0]!).id}${row.path}`);
}

function current({ path }: Row, at: RailPath | null) {
  return path === at && attributes`aria-current="page"`;
}

function links(here: WorkView, rows: readonly Row[], at: RailPath | null): Html {
  return html`<div class="nav">
    ${[...Map.groupBy(rows, ({ group }) => group as string)].map(
      ([group, inGroup]) => html`
        ${group !== "Work" && html`<h2>${group}</h2>`}
        ${inGroup.map(
          (row) =>
            html`<a href="${hrefOf(here, row)}" ${current(row, at)}>${icon(here.site, row.icon)} ${row.title}</a>`,
        )}
      `,
    )}
  </div>`;
}

/** The same kind of page elsewhere, or the start page, which shows every location. */
function switcher(here: WorkView, at: RailPath | null, id: string): Html {
  const { site, workplace, place } = here;
  const name = place?.name ?? workplace.name;
  const face = html`${tile({ text: initials(name), seed: name, size: "small" })}
    <span>
      <b>${isolatedName(name)}</b>
      <small>${place === null ? roleName(workplace.role) : isolatedName(workplace.name)}</small>
    </span>`;
  const others = otherPlaces(here, at);
  if (others === false) return html`<a class="place-button" href="${site.path("/")}">${face}</a>`;
  return html`<button type="button" class="place-button" popovertarget="${id}">
      ${face} ${icon(site, "chevrons-up-down")}
    </button>
    <div id="${id}" class="menu" popover>${others}</div>`;
}

/** A menu shows no more; the start page lists all. */
const mostPlaces = 8;

function otherPlaces({ site, workplace, workplaces, place }: WorkView, at: RailPath | null): Html | false {
  const path = at ?? rail[0].path;
  const all =
    place === null
      ? workplaces.map(({ id, name }) => ({
          id,
          name,
          href: site.path(`/w/${id}${path}`),
          isHere: id === workplace.id,
        }))
      : workplace.locations.map(({ id, name }) => ({
          id,
          name,
          href: site.path(`/l/${id}${path}`),
          isHere: id === place.id,
        }));
  if (all.length < 2) return false;
  return html`<div class="nav">
    ${all
      .slice(0, mostPlaces)
      .map(
        ({ name, href, isHere }) =>
          html`<a href="${href}" ${isHere && attributes`aria-current="true"`}>${isolatedName(name)}</a>`,
      )}
    <a href="${site.path("/")}">All workspaces and locations</a>
  </div>`;
}

function roleName(role: string): string {
  return role.charAt(0).toUpperCase() + role.slice(1);
}

function personButton({ site, person }: WorkView): Html {
  return html`<button
    type="button"
    class="place-button"
    popovertarget="person-menu"
    aria-label="Menu of ${plainName(person.name)}"
  >
    ${tile({ text: initials(person.name), seed: person.email, size: "round" })}
    <span><b>${isolatedName(person.name)}</b></span> ${icon(site, "chevrons-up-down")}
  </button>`;
}

function personMenu({ site, person, formToken }: WorkView): Html {
  return html`<span class="who"><strong>${isolatedName(person.name)}</strong> ${isolatedEmail(person.email)}</span>
    <a href="${site.path("/me")}">${icon(site, "users")} Your account</a>
    <form method="post" action="${site.path("/sign-out")}">
      <input type="hidden" name="form_token" value="${formToken}" />
      <button>${icon(site, "log-out")} Sign out</button>
    </form>`;
}

function flash({ site }: WorkView, notice: SessionNotice): Html | false {
  return keptNotice(site, notice);
}
