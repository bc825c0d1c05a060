/** The form that refunds a charge, in whole or in part. */
import { toDollars } from "../../../kit/input/money.ts";
import type { ChargeView } from "../../../marketplace/billing/platform/ledger/charge.view.ts";
import { html } from "../../html.ts";
import type { Html } from "../../html.ts";
import type { WorkView } from "../../as-person.ts";
import { work } from "../../layout/work.ts";
import { faultNotice } from "../../parts/forms/faults.ts";
import type { FieldFaults } from "../../parts/forms/faults.ts";
import { field } from "../../parts/forms/field.ts";
import { isolatedName } from "../../parts/name.ts";
import { day } from "../../parts/times.ts";

interface RefundForm {
  readonly charge: ChargeView;
  /** As typed. */
  readonly typed: { readonly amount: string; readonly reason: string };
  readonly faults?: FieldFaults;
}

export function refundPage(here: WorkView, { charge, typed, faults = {} }: RefundForm): Html {
  const { site } = here;
  return work(here, {
    title: "Refund",
    at: "/billing",
    head: { title: "Charges", back: here.to("/billing/charges") },
    content: html`
      <div class="page-head">
        <h1>Refund ${isolatedName(charge.app.name)}</h1>
        <p>
          Charged ${toDollars(charge.amount_cents)} on ${day(here.zone, charge.charged_at)};
          ${toDollars(charge.left_cents)} can be refunded. It is taken back from your account at Stripe.
        </p>
      </div>
      ${faultNotice(site, faults)}
      <form class="form sections" method="post" action="${here.to(`/billing/charges/${charge.id}/refund`)}">
        <input type="hidden" name="form_token" value="${here.formToken}" />
        <input type="hidden" name="left_cents" value="${charge.left_cents}" />
        ${field(site, {
          id: "amount",
          label: "Amount, in US dollars",
          autocomplete: "off",
          value: typed.amount,
          hint: "The customer gets it back by card.",
          fault: faults["amount"],
        })}
        ${field(site, {
          id: "reason",
          label: "Reason",
          autocomplete: "off",
          value: typed.reason,
          hint: "For your own records.",
          fault: faults["reason"],
        })}
        <div class="buttons">
          <button class="button danger">Refund</button>
          <a class="button" href="${here.to("/billing/charges")}">Keep it</a>
        </div>
      </form>
    `,
  });
}
