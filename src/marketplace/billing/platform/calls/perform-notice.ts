/** Mails the payer about a failed payment, with the link to the invoice. */
import { plainName } from "../../../../kit/input/name.ts";
import { callStripe } from "../../../../outbound/stripe.ts";
import { claimMail, mailPayer } from "./payer-mail.ts";
import type { CallDeps, IntendedCall } from "./intended-call.ts";
import { markDone } from "./stripe-call.service.ts";
import { counted } from "../../../../kit/text.ts";

const appText = `select a.name from stripe_calls k join app_subscriptions s on s.id = k.app_subscription_id
  join apps a on a.id = s.app_id where k.id = ?`;

/** An invoice that is paid or void meanwhile needs no mail. */
export async function performNotice(deps: CallDeps, call: IntendedCall): Promise<void> {
  const { database, stripe, clock, graceDays } = deps;
  if (!(await claimMail(deps, call))) return;
  const invoice = await callStripe(stripe, (client) => client.invoices.retrieve(call.subject));
  const { customer_email: email, hosted_invoice_url: url, status } = invoice;
  if (status === "open" && url) {
    const [app] = await database.rows<{ name: string }>(appText, [call.id]);
    const letter = failedPaymentLetter({ url, app: plainName(app!.name), graceDays });
    await mailPayer(deps, { ...letter, email, about: "a failed payment", logged: { url } });
  }
  await database.transaction(async (change) => markDone(change, call.key, null, clock.now()));
}

function failedPaymentLetter({ url, app, graceDays }: { url: string; app: string; graceDays: number }) {
  return {
    subject: `Your payment for ${app} failed`,
    text: `Hello,

the payment for ${app} failed. It keeps working for ${counted(graceDays, "day")}. Pay the invoice here:

${url}

`,
  };
}
