/** The form of a location, new or existing. */
import { html } from "../../html.ts";
import type { Html } from "../../html.ts";
import type { WorkView } from "../../as-person.ts";
import { work } from "../../layout/work.ts";
import { faultNotice } from "../../parts/forms/faults.ts";
import type { FieldFaults } from "../../parts/forms/faults.ts";
import { field } from "../../parts/forms/field.ts";
import { countryChoices, timeZoneChoices } from "../../parts/forms/suggestions.ts";
import { isolatedName } from "../../parts/name.ts";
import { locationFields } from "./location.form.ts";
import type { LocationForm } from "./location.form.ts";

interface LocationPage {
  /** Undefined for a new one. */
  readonly location: { readonly id: number; readonly name: string } | undefined;
  readonly typed: LocationForm;
  /** The one-time id of the form of a new one. */
  readonly once?: string;
  readonly faults?: FieldFaults;
}

const suggestionsOf = (id: keyof LocationForm) =>
  id === "timezone" ? timeZoneChoices() : id === "country" ? countryChoices() : undefined;

export function locationFormPage(here: WorkView, { location, typed, once, faults = {} }: LocationPage): Html {
  const { site, formToken } = here;
  const title = location === undefined ? "New location" : isolatedName(location.name);
  return work(here, {
    title,
    at: "/locations",
    head: { title: "Locations", back: here.to("/locations") },
    content: html`
      <div class="page-head">
        <h1>${title}</h1>
        ${location === undefined && html`<p>Contacts, conversations and pipelines belong to one location each.</p>`}
      </div>
      ${faultNotice(site, faults)}
      <form class="form sections" method="post" action="${here.to(`/locations/${location?.id ?? "new"}`)}">
        <input type="hidden" name="form_token" value="${formToken}" />
        ${once !== undefined && html`<input type="hidden" name="once" value="${once}" />`}
        ${locationFields.map((one) =>
          field(site, {
            ...one,
            autocomplete: "off",
            value: typed[one.id],
            fault: faults[one.id],
            suggestions: suggestionsOf(one.id),
          }),
        )}
        <div class="buttons">
          <button class="button primary">${location === undefined ? "Create location" : "Save"}</button>
          <a class="button quiet" href="${here.to("/locations")}">Cancel</a>
        </div>
      </form>
    `,
  });
}
