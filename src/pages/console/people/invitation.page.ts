/** The form of an invitation, and the link of one that was not mailed. */
import type { WorkView } from "../../as-person.ts";
import { html } from "../../html.ts";
import type { Html } from "../../html.ts";
import { work } from "../../layout/work.ts";
import { faultNotice } from "../../parts/forms/faults.ts";
import type { FieldFaults } from "../../parts/forms/faults.ts";
import { field } from "../../parts/forms/field.ts";
import { isolatedEmail } from "../../parts/name.ts";
import { secretOnce } from "../../parts/secret-once.ts";
import { membershipFields } from "./membership-fields.ts";
import { assignableRoles } from "./person.form.ts";
import type { InvitationForm } from "./person.form.ts";

interface NewInvitation {
  readonly typed: InvitationForm;
  readonly faults?: FieldFaults;
  readonly mayGrantAll: boolean;
}

export function invitationFormPage(here: WorkView, { typed, faults = {}, mayGrantAll }: NewInvitation): Html {
  const { site, formToken, workplace } = here;
  return work(here, {
    title: "Invite a person",
    at: "/people",
    head: { title: "People", back: here.to("/people") },
    content: html`
      <div class="page-head">
        <h1>Invite a person</h1>
        <p>They get a link to join. It works once, within a week.</p>
      </div>
      ${faultNotice(site, faults)}
      <form class="form sections" method="post" action="${here.to("/people/invite")}">
        <input type="hidden" name="form_token" value="${formToken}" />
        ${field(site, {
          id: "email",
          label: "E-mail",
          type: "email",
          autocomplete: "off",
          value: typed.email,
          fault: faults["email"],
          autofocus: true,
        })}
        ${field(site, {
          id: "name",
          label: "Name",
          autocomplete: "off",
          value: typed.name,
          hint: "They can change it. Leave it empty if you do not know it.",
          fault: faults["name"],
          isOptional: true,
        })}
        ${membershipFields(here, { typed, faults, roles: assignableRoles(workplace.role), mayGrantAll })}
        <div class="buttons">
          <button class="button primary">Invite</button>
          <a class="button quiet" href="${here.to("/people")}">Cancel</a>
        </div>
      </form>
    `,
  });
}

export function invitationLinkPage(here: WorkView, { email, url }: { email: string; url: string }): Html {
  return work(here, {
    title: "Pass on the link",
    at: "/people",
    head: { title: "People", back: here.to("/people") },
    content: html`
      <div class="page-head">
        <h1>Pass on this link to ${isolatedEmail(email)}</h1>
        <p>
          No mail was sent. The link works once, within a week. Whoever has no account here chooses a password; others
          sign in.
        </p>
      </div>
      ${secretOnce(here.site, { label: "Invitation link", secret: url, done: here.to("/people") })}
    `,
  });
}
