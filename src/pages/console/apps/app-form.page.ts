/** The form of an app: a new one, and an existing one with its state. */
import { connectApp } from "../../../marketplace/billing/platform/account.operations.ts";
import { mayCarryOut } from "../../../operation/permission.ts";
import type { AppView } from "../../../marketplace/apps/app.view.ts";
import { appScopeNames } from "../../../vocabulary/scopes.ts";
import { attributes, html } from "../../html.ts";
import type { Html } from "../../html.ts";
import type { WorkView } from "../../as-person.ts";
import { work } from "../../layout/work.ts";
import { badge } from "../../parts/badge.ts";
import { faultLine, faultNotice } from "../../parts/forms/faults.ts";
import type { FieldFaults } from "../../parts/forms/faults.ts";
import { field } from "../../parts/forms/field.ts";
import { isolatedName } from "../../parts/name.ts";
import { pairs } from "../../parts/pairs.ts";
import { textArea } from "../../parts/forms/text-area.ts";
import { day } from "../../parts/times.ts";
import { scopeMatrix } from "../scope-matrix.ts";
import type { AppForm } from "./app.form.ts";

interface AppFormProps {
  readonly typed: AppForm;
  readonly faults?: FieldFaults;
}

export function newAppPage(here: WorkView, { typed, faults = {} }: AppFormProps): Html {
  return work(here, {
    title: "New app",
    at: "/apps",
    head: { title: "Apps", back: here.to("/apps") },
    content: html`
      <div class="page-head">
        <h1>New app</h1>
        <p>
          An app gets tokens by OAuth, one for each location that installs it. It begins as a draft, which only this
          workspace can install.
        </p>
      </div>
      ${faultNotice(here.site, faults)}
      <form class="form sections" method="post" action="${here.to("/apps/new")}">
        <input type="hidden" name="form_token" value="${here.formToken}" />
        <input type="hidden" name="once" value="${typed.once}" />
        ${fields(here, { typed, faults })}
        <div class="buttons">
          <button class="button primary">Create app</button>
          <a class="button quiet" href="${here.to("/apps")}">Cancel</a>
        </div>
      </form>
    `,
  });
}

interface AppPage extends AppFormProps {
  readonly app: AppView;
}

export function appPage(here: WorkView, { app, typed, faults = {} }: AppPage): Html {
  const { site, zone } = here;
  const isDraft = app.status === "draft";
  return work(here, {
    title: isolatedName(app.name),
    at: "/apps",
    head: { title: "Apps", back: here.to("/apps") },
    content: html`
      <div class="page-head"><h1>${isolatedName(app.name)}</h1></div>
      ${pairs([
        ["State", appState(here, app)],
        ["Client id", html`<code>${app.client_id}</code>`],
        ["Secret", html`ends in <code>${app.secret_last_four}</code>`],
        [
          "Webhook",
          app.webhook_id !== null && html`<a href="${here.to(`/webhooks/${app.webhook_id}`)}">Deliveries</a>`,
        ],
        ["Created", day(zone, app.created_at)],
        ["Published", app.published_at !== null && day(zone, app.published_at)],
      ])}
      <div class="buttons">
        ${isDraft && html`<a class="button" href="${here.to(`/apps/${app.id}/publish`)}">Publish…</a>`}
        <a class="button" href="${here.to(`/apps/${app.id}/rotate`)}">Rotate secret…</a>
        ${
          app.billing === "platform" &&
          mayCarryOut(connectApp, here.workplace.role) &&
          html`<form method="post" action="${here.to(`/apps/${app.id}/connect`)}">
            <input type="hidden" name="form_token" value="${here.formToken}" />
            <button class="button">Set up payouts at Stripe</button>
          </form>`
        }
      </div>
      ${faultNotice(site, faults)}
      <form class="form sections" method="post" action="${here.to(`/apps/${app.id}`)}">
        <input type="hidden" name="form_token" value="${here.formToken}" />
        ${fields(here, { typed, faults })}
        <div class="buttons"><button class="button primary">Save</button></div>
      </form>
    `,
  });
}

export function appState({ site }: WorkView, { status }: AppView): Html {
  return status === "draft"
    ? badge(site, { kind: "plain", text: "Draft", icon: "pencil" })
    : badge(site, { kind: "ok", text: "Published", icon: "check" });
}

function fields({ site }: WorkView, { typed, faults = {} }: AppFormProps): Html {
  return html`
    ${field(site, { id: "name", label: "Name", autocomplete: "off", value: typed.name, fault: faults["name"] })}
    ${textArea(site, {
      id: "redirect_uris",
      label: "Redirect URIs",
      value: typed.redirect_uris,
      hint: "One per line. https, or http on a loopback address.",
      fault: faults["redirect_uris"],
    })}
    ${scopeMatrix(site, {
      legend: "Scopes that it may ask for",
      hint: "Earlier consents keep the scopes that they gave.",
      offered: appScopeNames,
      chosen: typed.scopes,
      fault: faults["scopes"],
    })}
    ${field(site, {
      id: "webhook_url",
      label: "Webhook",
      type: "url",
      autocomplete: "off",
      value: typed.webhook_url,
      hint: "A public https address that is told of installs, uninstalls and subscriptions.",
      fault: faults["webhook_url"],
      isOptional: true,
    })}
    <fieldset class="group" id="install_type">
      <legend>Bought by</legend>
      ${radio("install_type", typed.install_type, "location", "Each location")}
      ${radio("install_type", typed.install_type, "company", "The whole workspace, once for all its locations")}
      ${faultLine(site, "install_type", faults["install_type"])}
    </fieldset>
    <fieldset class="group" id="billing">
      <legend>Billing</legend>
      ${radio("billing", typed.billing, "none", "Free")}
      ${radio("billing", typed.billing, "external", "Own payment page: the app reports payments")}
      ${radio("billing", typed.billing, "platform", "Monthly price, paid by card at Stripe")}
      ${faultLine(site, "billing", faults["billing"])}
    </fieldset>
    <div class="only-external">
      ${field(site, {
        id: "payment_page_url",
        label: "Payment page",
        type: "url",
        autocomplete: "off",
        value: typed.payment_page_url,
        hint: "Where the person who installs the app pays. Only for your own payment page.",
        fault: faults["payment_page_url"],
        isOptional: true,
      })}
    </div>
    <div class="only-platform form">
      ${field(site, {
        id: "price",
        label: "Price a month, in US dollars",
        autocomplete: "off",
        value: typed.price,
        hint: "From 1.00 to 1,000.00. Only for a monthly price.",
        fault: faults["price"],
        isOptional: true,
      })}
      ${field(site, {
        id: "trial_days",
        label: "Days of trial",
        autocomplete: "off",
        value: typed.trial_days,
        hint: "0 for none. Only for a monthly price.",
        fault: faults["trial_days"],
        isOptional: true,
      })}
    </div>
  `;
}

function radio(name: string, chosen: string, value: string, text: string): Html {
  return html`<label class="choice"
    ><input type="radio" class="plain" name="${name}" value="${value}" ${chosen === value && attributes`checked`} />
    <span>${text}</span></label
  >`;
}
