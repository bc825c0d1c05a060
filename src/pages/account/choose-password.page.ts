/** Pages of one-time links: accept an invitation, or set a new password. */
import type { AccountLinkView } from "../../tenancy/invitations/account-link.service.ts";
import { limits } from "../../vocabulary/limits.ts";
import { articleOf } from "../../vocabulary/states.ts";
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import { narrow } from "../layout/narrow.ts";
import { field } from "../parts/forms/field.ts";
import { isolatedEmail, isolatedName } from "../parts/name.ts";
import { initials, tile } from "../parts/tile.ts";
import type { Site } from "../site.ts";
import { troublePage } from "./failure.page.ts";

interface ChoosePassword {
  /** The form action: the URL of the link itself. */
  readonly action: `/${string}`;
  readonly formToken: string;
  readonly link: AccountLinkView;
  /** The submitted name. */
  readonly name?: string | undefined;
  /** Field → its error. */
  readonly faults?: { readonly name?: string | undefined; readonly password?: string | undefined };
}

export function invitationPage(site: Site, given: ChoosePassword): Html {
  const { action, formToken, link, faults = {} } = given;
  const ownName = given.name ?? (link.name === link.email ? "" : link.name);
  const workspace = link.workspace ?? "";
  const role = link.role ?? "member";
  const title = html`Join ${isolatedName(workspace)}`;
  return narrow(site, {
    title,
    content: html`
      <div class="opening">
        ${tile({ text: initials(workspace), seed: workspace })}
        <h1>${title}</h1>
        <p>
          You are invited as ${articleOf[role]} <strong>${role}</strong>, with the e-mail ${isolatedEmail(link.email)}.
        </p>
      </div>
      <form class="form" method="post" action="${action}">
        <input type="hidden" name="form_token" value="${formToken}" />
        <input type="email" name="username" value="${link.email}" autocomplete="username" hidden readonly />
        ${field(site, { id: "name", label: "Your name", autocomplete: "name", value: ownName, fault: faults.name })}
        ${passwordField(site, faults.password)}
        <button class="button primary wide">Join</button>
      </form>
    `,
  });
}

export function resetPage(site: Site, { action, formToken, link, faults = {} }: ChoosePassword): Html {
  return narrow(site, {
    title: "Choose a new password",
    content: html`
      <div class="opening">
        <h1>Choose a new password</h1>
        <p>for <strong>${isolatedEmail(link.email)}</strong>. You will be signed out on every other device.</p>
      </div>
      <form class="form" method="post" action="${action}">
        <input type="hidden" name="form_token" value="${formToken}" />
        <input type="email" name="username" value="${link.email}" autocomplete="username" hidden readonly />
        ${passwordField(site, faults.password)}
        <button class="button primary wide">Save password</button>
      </form>
    `,
  });
}

/** The page for a link that is used, expired or unknown. */
export function spentLinkPage(site: Site): Html {
  return troublePage(site, {
    sign: "link",
    title: "This link no longer works",
    text: "A link works once, and expires. If you have already chosen a password, sign in with it.",
    more: html`Otherwise ask for a new one. <a href="${site.path("/sign-in")}">Sign in</a>`,
  });
}

export function passwordField(site: Site, fault: string | undefined): Html {
  return field(site, {
    id: "password",
    label: "Choose a password",
    type: "password",
    autocomplete: "new-password",
    hint: `At least ${limits.password.shortest} characters. A few words are easier to remember than symbols.`,
    fault,
  });
}
