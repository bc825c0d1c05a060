/** The payment of an installed app, with the link to Stripe's customer portal. */
import { plainName } from "../../kit/input/name.ts";
import { toDollars } from "../../kit/input/money.ts";
import type { InstallPayment } from "../../marketplace/billing/platform/install-payment.queries.ts";
import type { InstallView } from "../../marketplace/installs/install.view.ts";
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import { day } from "../parts/times.ts";
import type { Site } from "../site.ts";

interface PaymentLine {
  readonly install: InstallView;
  readonly payment: InstallPayment;
  /** Whether the person may open the portal. */
  readonly mayPay: boolean;
  readonly now: Date;
}

export function paymentLine(site: Site, { install: { id, app, location }, payment, mayPay, now }: PaymentLine): Html {
  return html`<small>
    ${stateOf(payment, now)}${
      payment.next !== null &&
      html` ${toDollars(payment.next.priceCents)} a month from the first payment after ${on(payment.next.from)}.`
    }
    ${
      mayPay &&
      html`<a
        href="${site.path("/")}apps/${id}/billing"
        aria-label="Billing of ${plainName(app.name)} in ${plainName(location.name)}"
        >Billing at Stripe</a
      >`
    }
  </small>`;
}

function stateOf({ status, priceCents, periodEndsAt, dueAt }: InstallPayment, now: Date): Html {
  const price = priceCents === null ? "Paid monthly" : `${toDollars(priceCents)} a month`;
  if (dueAt !== null && dueAt > now)
    return html`<b>The payment failed.</b> The app stops working on ${on(dueAt)} unless the invoice is paid.`;
  if (dueAt !== null) return html`<b>Not paid.</b> The app does not work until the invoice is paid.`;
  if (periodEndsAt === null) return html`${price}.`;
  return html`${price}, ${status === "trialing" ? "free until" : "next payment on"} ${on(periodEndsAt)}.`;
}

const on = (time: Date): Html => day("UTC", time.toISOString());
