/** The page of a person: role and locations, a new invitation link, and the confirmation of a removal. */
import type { PersonPageView } from "../../../tenancy/users/user.view.ts";
import type { WorkView } from "../../as-person.ts";
import { html } from "../../html.ts";
import type { Html } from "../../html.ts";
import { work } from "../../layout/work.ts";
import { faultNotice } from "../../parts/forms/faults.ts";
import type { FieldFaults } from "../../parts/forms/faults.ts";
import { isolatedEmail, isolatedName } from "../../parts/name.ts";
import { notice } from "../../parts/notice.ts";
import { pairs } from "../../parts/pairs.ts";
import { confirmPage } from "../confirm.page.ts";
import { membershipFields } from "./membership-fields.ts";
import { assignableRoles, toMembershipForm } from "./person.form.ts";
import type { MembershipForm } from "./person.form.ts";
import { stateOf } from "./person-list.page.ts";
import { reachOf } from "../reach.ts";
import { roleTexts } from "./person.texts.ts";

interface PersonPage {
  readonly user: PersonPageView;
  /** What was typed, after a fault. */
  readonly typed?: MembershipForm;
  readonly faults?: FieldFaults;
  /** Whether the viewer may change roles. */
  readonly mayChangeRole: boolean;
  readonly mayGrantAll: boolean;
}

export function personPage(here: WorkView, given: PersonPage): Html {
  const { site } = here;
  const { user, faults = {} } = given;
  return work(here, {
    title: isolatedName(user.name),
    at: "/people",
    head: { title: "People", back: here.to("/people") },
    content: html`
      <div class="page-head">
        <h1>${isolatedName(user.name)}</h1>
        <p>${user.email !== user.name && isolatedEmail(user.email)} ${stateOf(here, user)}</p>
      </div>
      ${faultNotice(site, faults)} ${user.may_change ? membershipForm(here, given) : facts(here, user)}
    `,
  });
}

function facts(here: WorkView, { role, location_ids: ids }: PersonPageView): Html {
  return html`${notice(here.site, {
    kind: "info",
    title: "You cannot change this person",
    text: "Their role or locations go beyond your own.",
  })}
  ${pairs([
    ["Role", roleTexts[role].title],
    ["Where", reachOf(here, ids)],
  ])}`;
}

function membershipForm(here: WorkView, { user, typed, faults = {}, mayChangeRole, mayGrantAll }: PersonPage): Html {
  const { formToken, workplace } = here;
  const path = here.to(`/people/${user.id}`);
  return html`<form class="form sections" method="post" action="${path}">
      <input type="hidden" name="form_token" value="${formToken}" />
      ${!mayChangeRole && pairs([["Role", roleTexts[user.role].title]])}
      ${membershipFields(here, {
        typed: typed ?? toMembershipForm(user),
        faults,
        roles: mayChangeRole ? assignableRoles(workplace.role) : [],
        mayGrantAll,
      })}
      <div class="buttons">
        <button class="button primary">Save</button>
        <a class="button quiet" href="${here.to("/people")}">Cancel</a>
      </div>
    </form>
    ${
      !user.has_joined &&
      html`<section class="block">
        <h2>Invitation</h2>
        <p>The invitation is not accepted yet. A new link replaces the one before.</p>
        <form method="post" action="${path}/link">
          <input type="hidden" name="form_token" value="${formToken}" />
          <button class="button">New invitation link</button>
        </form>
      </section>`
    }
    ${
      user.has_joined &&
      mayChangeRole &&
      html`<section class="block">
        <h2>Sessions</h2>
        <p>Signs them out in every browser, such as one on a lost phone. They can sign in again.</p>
        <form method="post" action="${path}/sign-out">
          <input type="hidden" name="form_token" value="${formToken}" />
          <button class="button">Sign out everywhere</button>
        </form>
      </section>`
    }
    <section class="block">
      <h2>Remove</h2>
      <p>They lose access to this workspace. What they did is kept.</p>
      <div class="buttons"><a class="button" href="${path}/remove">Remove…</a></div>
    </section>`;
}

export function removePersonPage(here: WorkView, { user }: { readonly user: PersonPageView }): Html {
  return confirmPage(here, {
    at: "/people",
    above: { title: "People", path: "/people" },
    title: html`Remove ${isolatedName(user.name)}?`,
    text: html`They lose access to ${isolatedName(here.workplace.name)} at once. Their contacts, notes and tasks are
    kept. You can invite them again.`,
    details: pairs([
      ["E-mail", isolatedEmail(user.email)],
      ["Role", roleTexts[user.role].title],
      ["Where", reachOf(here, user.location_ids)],
    ]),
    action: here.to(`/people/${user.id}/remove`),
    button: "Remove",
    keep: "Keep them",
  });
}
