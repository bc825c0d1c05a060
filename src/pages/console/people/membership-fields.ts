/** The fields of a membership: role and locations. */
import { reachesAll } from "../../../operation/roles.ts";
import type { Role } from "../../../vocabulary/states.ts";
import type { WorkView } from "../../as-person.ts";
import { attributes, html } from "../../html.ts";
import type { Html } from "../../html.ts";
import { faultLine } from "../../parts/forms/faults.ts";
import type { FieldFaults } from "../../parts/forms/faults.ts";
import { locationChoice } from "../location-choice.ts";
import type { MembershipForm } from "./person.form.ts";
import { roleTexts } from "./person.texts.ts";

interface MembershipFields {
  readonly typed: MembershipForm;
  readonly faults: FieldFaults;
  /** The roles to choose from; none if the role is not changed. */
  readonly roles: readonly Role[];
  /** Whether the viewer may grant every location of the workspace. */
  readonly mayGrantAll: boolean;
}

export function membershipFields(here: WorkView, { typed, faults, roles, mayGrantAll }: MembershipFields): Html {
  return html`${roles.length > 0 && roleChoice(here, typed.role, roles, faults["role"])}
  ${locationChoice(here, {
    ...typed,
    fault: faults["location_ids"],
    mayGrantAll,
    hint: roles.some(reachesAll) ? "Owners always have access to every location." : undefined,
  })}`;
}

function roleChoice({ site }: WorkView, chosen: string, roles: readonly Role[], fault: string | undefined): Html {
  return html`<fieldset class="group" id="role">
    <legend>Role</legend>
    ${roles.map((one) => {
      const { title, text } = roleTexts[one];
      return html`<label class="choice"
        ><input type="radio" class="plain" name="role" value="${one}" ${one === chosen && attributes`checked`} />
        <span><b>${title}</b> <small class="sub">${text}</small></span></label
      >`;
    })}
    ${faultLine(site, "role", fault)}
  </fieldset>`;
}
