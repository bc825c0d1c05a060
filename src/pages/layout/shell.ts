/** The layout for signed-in people: a bar with the logo and the person's menu, and the content. */
import { plainName } from "../../kit/input/name.ts";
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import { icon } from "../parts/icon.ts";
import { brand } from "../parts/mark.ts";
import { isolatedEmail, isolatedName } from "../parts/name.ts";
import { initials, tile } from "../parts/tile.ts";
import type { Site } from "../site.ts";
import { toDocument } from "./document.ts";

interface Shell {
  readonly title: Html | string;
  readonly person: { readonly name: string; readonly email: string };
  readonly formToken: string;
  readonly content: Html;
}

export function shell(site: Site, { title, person, formToken, content }: Shell): Html {
  return toDocument(site, {
    title,
    layout: "shell",
    content: html`
      <header>
        <div class="bar">
          ${brand(site)}
          <button
            type="button"
            class="menu-button"
            popovertarget="person-menu"
            aria-label="Menu of ${plainName(person.name)}"
          >
            ${tile({ text: initials(person.name), seed: person.email, size: "round" })} ${icon(site, "chevron-down")}
          </button>
          <div id="person-menu" class="menu" popover>
            <span class="who"><strong>${isolatedName(person.name)}</strong> ${isolatedEmail(person.email)}</span>
            <a href="${site.path("/me")}">${icon(site, "users")} Your account</a>
            <form method="post" action="${site.path("/sign-out")}">
              <input type="hidden" name="form_token" value="${formToken}" />
              <button>${icon(site, "log-out")} Sign out</button>
              <button name="everywhere" value="1">${icon(site, "shield")} Sign out on every device</button>
            </form>
          </div>
        </div>
      </header>
      <main>${content}</main>
    `,
  });
}
