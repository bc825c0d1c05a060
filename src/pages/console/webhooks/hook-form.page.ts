/** The forms of a webhook: a new one, and a change of its events. */
import { hookEventNames } from "../../../webhooks/hooks/hook.schema.ts";
import type { HookView } from "../../../webhooks/hooks/hook.view.ts";
import { attributes, html } from "../../html.ts";
import type { Html } from "../../html.ts";
import type { WorkView } from "../../as-person.ts";
import { work } from "../../layout/work.ts";
import { choiceList } from "../../parts/forms/choice-list.ts";
import { codeBox } from "../../parts/code-box.ts";
import { faultNotice } from "../../parts/forms/faults.ts";
import type { FieldFaults } from "../../parts/forms/faults.ts";
import { field } from "../../parts/forms/field.ts";
import { icon } from "../../parts/icon.ts";
import { brokenUrl } from "../../parts/url.ts";

/** As typed. */
export interface HookForm {
  /** The one-time id of the form. */
  readonly once: string;
  readonly targetUrl: string;
  readonly which: "all" | "some";
  readonly events: readonly string[];
}

interface HookFormPage {
  readonly typed: HookForm;
  readonly faults?: FieldFaults;
  /** The body of a delivery, once asked for. */
  readonly sample?: { readonly event: string; readonly body: string } | undefined;
}

export function newHookPage(here: WorkView, { typed, faults = {}, sample }: HookFormPage): Html {
  const { site, formToken } = here;
  return work(here, {
    title: "New webhook",
    at: "/webhooks",
    head: { title: "Webhooks", back: here.to("/webhooks") },
    content: html`
      <div class="page-head">
        <h1>New webhook</h1>
        <p>It sends events to your URL as signed JSON, up to five times until the URL responds with 2xx.</p>
      </div>
      ${faultNotice(site, faults)}
      <form class="form sections" method="post" action="${here.to("/webhooks/new")}">
        <input type="hidden" name="form_token" value="${formToken}" />
        <input type="hidden" name="once" value="${typed.once}" />
        ${field(site, {
          id: "target_url",
          label: "Target URL",
          type: "url",
          autocomplete: "off",
          value: typed.targetUrl,
          placeholder: "https://example.com/hooks/crm",
          hint: "A public https address. Redirects are not followed.",
          fault: faults["target_url"],
        })}
        ${eventChoice(here, typed, faults["event"])}
        ${sample !== undefined && html`<div id="sample">${codeBox(site, { title: `Sample of ${sample.event}`, code: sample.body })}</div>`}
        <div class="buttons">
          <button class="button primary">Create webhook</button>
          <button class="button" name="sample" value="1" formnovalidate>Show a sample</button>
          <a class="button quiet" href="${here.to("/webhooks")}">Cancel</a>
        </div>
      </form>
    `,
  });
}

export function hookEventsPage(
  here: WorkView,
  { hook, typed, faults = {} }: HookFormPage & { readonly hook: HookView },
): Html {
  const { site, formToken } = here;
  const back = here.to(`/webhooks/${hook.id}`);
  return work(here, {
    title: "Change events",
    at: "/webhooks",
    head: { title: "Webhook", back },
    content: html`
      <div class="page-head">
        <h1>Events of ${brokenUrl(hook.target_url)}</h1>
        <p>The change applies to events from now on.</p>
      </div>
      ${faultNotice(site, faults)}
      <form class="form sections" method="post" action="${back}/events">
        <input type="hidden" name="form_token" value="${formToken}" />
        ${eventChoice(here, typed, faults["events"])}
        <div class="buttons">
          <button class="button primary">Save events</button>
          <a class="button quiet" href="${back}">Cancel</a>
        </div>
      </form>
    `,
  });
}

function eventChoice({ site }: WorkView, { which, events }: HookForm, fault: string | undefined): Html {
  const chosen = new Set(events);
  return html`<fieldset class="group" id="event">
    <legend>Events</legend>
    <label class="choice"
      ><input type="radio" class="plain" name="which" value="all" ${which === "all" && attributes`checked`} />
      <span>Every event, also of later versions</span></label
    >
    <label class="choice"
      ><input type="radio" class="plain" name="which" value="some" ${which === "some" && attributes`checked`} />
      <span>Only these:</span></label
    >
    ${choiceList({
      label: "Events",
      name: "event",
      choices: hookEventNames.map((name) => ({
        value: name,
        text: html`<code>${name}</code>`,
        isChosen: chosen.has(name),
      })),
    })}
    ${fault !== undefined && html`<p class="fault" id="event-fault">${icon(site, "circle-alert")} ${fault}</p>`}
  </fieldset>`;
}
