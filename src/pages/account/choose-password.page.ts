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
import { withContinue } from "./signed-in.ts";

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

export function invitationPage(site: Site, { action, formToken, link, name, faults = {} }: ChoosePassword): Html {
  const ownName = name ?? (link.name === link.email ? "" : link.name);
  return joinPage(
    site,
    link,
    html`<form class="form" method="post" action="${action}">
      <input type="hidden" name="form_token" value="${formToken}" />
      <input type="email" name="username" value="${link.email}" autocomplete="username" hidden readonly />
      ${field(site, { id: "name", label: "Your name", autocomplete: "name", value: ownName, fault: faults.name })}
      ${passwordField(site, faults.password)}
      <button class="button primary wide">Join</button>
    </form>`,
  );
}

interface Accept extends Pick<ChoosePassword, "action" | "formToken" | "link"> {
  /** The local URL of the link itself. */
  readonly path: `/${string}`;
  /** Who is signed in. */
  readonly signedIn: { readonly userId: number; readonly email: string } | undefined;
}

/** The page of an invitation for a person with a password, who accepts it signed in. */
export function acceptPage(site: Site, { action, path, formToken, link, signedIn }: Accept): Html {
  const token = html`<input type="hidden" name="form_token" value="${formToken}" />`;
  if (signedIn === undefined)
    return joinPage(
      site,
      link,
      html`<a class="button primary wide" href="${withContinue(site, "/sign-in", path)}">Sign in to join</a>`,
    );
  if (signedIn.userId === link.userId)
    return joinPage(
      site,
      link,
      html`<form class="form" method="post" action="${action}">
        ${token}
        <button class="button primary wide">Join</button>
      </form>`,
    );
  return joinPage(
    site,
    link,
    html`<p>You are signed in as ${isolatedEmail(signedIn.email)}.</p>
      <form class="form" method="post" action="${site.path("/sign-out")}">
        ${token}
        <input type="hidden" name="continue" value="${path}" />
        <button class="button primary wide">Sign out</button>
      </form>`,
  );
}

function joinPage(site: Site, { workspace, role, email }: AccountLinkView, form: Html): Html {
  const name = workspace ?? "";
  const title = html`Join ${isolatedName(name)}`;
  return narrow(site, {
    title,
    content: html`
      <div class="opening">
        ${tile({ text: initials(name), seed: name })}
        <h1>${title}</h1>
        <p>
          You are invited as ${articleOf[role ?? "member"]} <strong>${role ?? "member"}</strong>, with the e-mail
          ${isolatedEmail(email)}.
        </p>
      </div>
      ${form}
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
    text: "A link works once, and expires. If you have used it, sign in.",
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
