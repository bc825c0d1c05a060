/** The page of the setup link: who the owner is, what workspace and location are called, and where the location is. */
import type { FieldErrors } from "../../vocabulary/errors.ts";
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import { narrow } from "../layout/narrow.ts";
import { field } from "../parts/forms/field.ts";
import { countryChoices, timeZoneChoices } from "../parts/forms/suggestions.ts";
import type { Site } from "../site.ts";
import { passwordField } from "./choose-password.page.ts";

interface Setup {
  /** The form action: the URL of the link itself. */
  readonly action: `/${string}`;
  readonly formToken: string;
  readonly given: Readonly<Record<"email" | "name" | "workspace" | "location" | "timezone" | "country", string>>;
  readonly faults?: FieldErrors;
}

export function setupPage(site: Site, { action, formToken, given, faults = {} }: Setup): Html {
  const faultOf = (name: string) => faults[name]?.[0];
  return narrow(site, {
    title: "Set up crm",
    content: html`
      <div class="opening">
        <h1>Set up crm</h1>
        <p>Choose how you sign in as the owner, and what your workspace and its first location are called.</p>
      </div>
      <form class="form" method="post" action="${action}">
        <input type="hidden" name="form_token" value="${formToken}" />
        ${field(site, {
          id: "email",
          label: "Your e-mail",
          type: "email",
          autocomplete: "username",
          value: given.email,
          fault: faultOf("email"),
          autofocus: given.email === "",
        })}
        ${field(site, {
          id: "name",
          label: "Your name",
          autocomplete: "name",
          value: given.name,
          fault: faultOf("name"),
        })}
        ${passwordField(site, faultOf("password"))}
        ${field(site, {
          id: "workspace",
          label: "Workspace",
          autocomplete: "organization",
          value: given.workspace,
          hint: "Usually the name of your company.",
          fault: faultOf("workspace"),
        })}
        ${field(site, {
          id: "location",
          label: "First location",
          autocomplete: "off",
          value: given.location,
          hint: "A shop, an office or a branch. You can add more later.",
          fault: faultOf("location"),
        })}
        ${field(site, {
          id: "timezone",
          label: "Time zone",
          autocomplete: "off",
          value: given.timezone,
          suggestions: timeZoneChoices(),
          hint: "Such as America/New_York. Times and due dates of the location are in it.",
          fault: faultOf("timezone"),
        })}
        ${field(site, {
          id: "country",
          label: "Country of phone numbers",
          autocomplete: "off",
          value: given.country,
          suggestions: countryChoices(),
          hint: "Two letters, such as US. Numbers without a country code are of this country.",
          fault: faultOf("country"),
        })}
        <button class="button primary wide">Finish setup</button>
      </form>
    `,
  });
}
