/** One's sessions: browser, sign-in and last use; the one of this browser is marked. */
import type { SessionView } from "../../tenancy/sessions/session.view.ts";
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import { shell } from "../layout/shell.ts";
import { initials, tile } from "../parts/tile.ts";
import type { Site } from "../site.ts";
import type { Me } from "./me.route.ts";
import { timeElement } from "./times.ts";

export function sessionsPage(site: Site, { session, formToken }: Me, sessions: readonly SessionView[]): Html {
  const token = html`<input type="hidden" name="form_token" value="${formToken}" />`;
  return shell(site, {
    title: "Sessions",
    person: session,
    formToken,
    content: html`
      <div class="page-head">
        <h1>Sessions</h1>
        <p>The browsers in which you are signed in. <a href="${site.path("/me")}">Your account</a></p>
      </div>
      <section class="card" aria-label="Sessions">
        <ul class="rows">
          ${sessions.map(
            (one) =>
              html`<li>
                ${tile({ text: initials(one.browser), seed: one.browser, size: "small" })}
                <span>
                  <b>${one.browser}</b>
                  <small>Signed in ${timeElement(one.signed_in_at)}</small>
                  <small>Last used ${timeElement(one.last_used_at)}</small>
                </span>
                ${
                  one.id === session.id
                    ? html`<span class="badge">This browser</span>`
                    : html`<form method="post" action="${site.path("/me/sessions")}">
                        ${token}
                        <input type="hidden" name="id" value="${one.id}" />
                        <button class="button small" aria-label="${`Sign out ${one.browser}, session ${one.id}`}">
                          Sign out
                        </button>
                      </form>`
                }
              </li>`,
          )}
        </ul>
      </section>
      ${
        sessions.length > 1 &&
        html`<form method="post" action="${site.path("/me/sessions")}">
          ${token}
          <button class="button">Sign out everywhere else</button>
        </form>`
      }
    `,
  });
}
