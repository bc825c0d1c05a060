/** The form of a new API key. */
import { rightsOf } from "../../../operation/roles.ts";
import { attributes, html } from "../../html.ts";
import type { Html } from "../../html.ts";
import type { WorkView } from "../../as-person.ts";
import { work } from "../../layout/work.ts";
import { faultLine, faultNotice } from "../../parts/forms/faults.ts";
import type { FieldFaults } from "../../parts/forms/faults.ts";
import { field } from "../../parts/forms/field.ts";
import { locationChoice } from "../location-choice.ts";
import { scopeMatrix } from "../scope-matrix.ts";
import { expiries } from "./key.form.ts";
import type { KeyForm } from "./key.form.ts";

interface NewKey {
  readonly typed: KeyForm;
  readonly faults?: FieldFaults;
  /** Whether the person may grant every location of the workspace. */
  readonly mayGrantAll: boolean;
}

export function keyFormPage(here: WorkView, { typed, faults = {}, mayGrantAll }: NewKey): Html {
  const { site, formToken } = here;
  const offered = rightsOf[here.workplace.role].scopes;
  return work(here, {
    title: "New API key",
    at: "/keys",
    head: { title: "API keys", back: here.to("/keys") },
    content: html`
      <div class="page-head">
        <h1>New API key</h1>
        <p>A key lets a program work in this workspace, within what you choose here. It is shown once.</p>
      </div>
      ${faultNotice(site, faults)}
      <form class="form sections" method="post" action="${here.to("/keys/new")}">
        <input type="hidden" name="form_token" value="${formToken}" />
        <input type="hidden" name="once" value="${typed.once}" />
        ${field(site, {
          id: "name",
          label: "Name",
          autocomplete: "off",
          value: typed.name,
          hint: "What it is for, such as “Website forms”.",
          fault: faults["name"],
        })}
        ${scopeMatrix(site, {
          legend: "What it may do",
          hint: "Change includes see. Grant as little as possible: you can create more keys.",
          offered,
          chosen: typed.scopes,
          fault: faults["scopes"],
        })}
        ${locationChoice(here, { ...typed, fault: faults["location_ids"], mayGrantAll })}
        <fieldset class="group">
          <legend>Until</legend>
          <div class="seg" id="expires">
            ${Object.entries(expiries).map(
              ([name, { title }]) =>
                html`<label
                  ><input
                    type="radio"
                    name="expires"
                    value="${name}"
                    ${typed.expires === name && attributes`checked`}
                  />${title}</label
                >`,
            )}
          </div>
          ${faultLine(site, "expires", faults["expires_at"])}
        </fieldset>
        <div class="buttons">
          <button class="button primary">Create key</button>
          <a class="button quiet" href="${here.to("/keys")}">Cancel</a>
        </div>
      </form>
    `,
  });
}
