/** One delivery: its attempts, and its body as sent. */
import type { SentDelivery } from "../../../crm/event-log/sent-delivery.operations.ts";
import { html } from "../../html.ts";
import type { Html } from "../../html.ts";
import type { WorkView } from "../../as-person.ts";
import { work } from "../../layout/work.ts";
import { badge } from "../../parts/badge.ts";
import { codeBox } from "../../parts/code-box.ts";
import { icon } from "../../parts/icon.ts";
import { dayAndTime } from "../../parts/times.ts";
import { brokenUrl } from "../../parts/url.ts";
import { attemptResult, deliveryBadge } from "./delivery.texts.ts";

/** Characters of a body and of a response on the page. */
const mostOfBody = 6000;
const mostOfResponse = 600;

export function deliveryPage(here: WorkView, { delivery }: { readonly delivery: SentDelivery }): Html {
  const { site, zone, formToken } = here;
  const { id, event, state, attempts, hook, body } = delivery;
  const title = `Delivery ${id}`;
  return work(here, {
    title,
    at: "/webhooks",
    live: { noun: "hook", id: hook.id },
    head: {
      title: "Webhook",
      back: here.to(`/webhooks/${hook.id}`),
      ...(body !== null && {
        actions: html`<form method="post" action="${here.to(`/deliveries/${id}/replay`)}">
          <input type="hidden" name="form_token" value="${formToken}" />
          <button class="button primary">${icon(site, "rotate-cw")} Replay</button>
        </form>`,
      }),
    },
    content: html`
      <div class="page-head">
        <h1>${title}: ${event}</h1>
        <p class="state-line" id="state" data-live="">
          ${deliveryBadge(site, state)} <span>to ${brokenUrl(hook.target_url)}</span>
          <span>${dayAndTime(zone, delivery.created_at)}</span>
          ${
            delivery.next_attempt_at !== null &&
            html`<span>Next attempt at ${dayAndTime(zone, delivery.next_attempt_at)}</span>`
          }
        </p>
      </div>
      <section class="block" id="attempt-list" data-live="" aria-labelledby="attempts">
        <header><h2 id="attempts">Attempts</h2></header>
        ${
          attempts.length === 0
            ? html`<p class="hint">None yet.</p>`
            : html`<ol class="attempts">
                ${attempts.map((attempt) => attemptRow(here, attempt))}
              </ol>`
        }
      </section>
      <section class="block" aria-labelledby="body">
        <header><h2 id="body">Body as sent</h2></header>
        ${
          body === null
            ? html`<p class="hint">The payload has been pruned: it is too old to be shown or sent again.</p>`
            : codeBox(site, { title: "JSON", code: shortened(indented(body), mostOfBody) })
        }
      </section>
    `,
  });
}

function attemptRow({ site, zone }: WorkView, attempt: SentDelivery["attempts"][number]): Html {
  const { number, at, error, duration_ms: duration, body } = attempt;
  const kind = error === null ? (duration === null ? "plain" : "ok") : "danger";
  return html`<li>
    ${badge(site, { kind, text: `Attempt ${number}`, icon: error === null ? (duration === null ? "clock" : "check") : "x" })}
    <span>${attemptResult(attempt)}</span> ${dayAndTime(zone, at)}
    ${
      body !== null &&
      body !== "" &&
      html`<details>
        <summary>Response</summary>
        <pre
          tabindex="0"
          role="group"
          aria-label="Response of attempt ${number}"
        ><code>${shortened(body, mostOfResponse)}</code></pre>
      </details>`
    }
  </li>`;
}

function indented(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2);
}

function shortened(text: string, most: number): string {
  const plain = text.toWellFormed().replaceAll("\0", "\uFFFD");
  return plain.length <= most
    ? plain
    : `${plain.slice(0, most).toWellFormed()}\n… ${plain.length - most} more characters`;
}
