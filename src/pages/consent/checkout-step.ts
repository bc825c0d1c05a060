/** The redirect from a consent to the checkout at Stripe, and the page for an unfinished checkout. */
import type { WholeResponse } from "../../http/http-response.ts";
import type { Links } from "../../kit/links.ts";
import { openCheckout } from "../../marketplace/billing/platform/checkout.service.ts";
import type { PlatformDeps } from "../../marketplace/billing/platform/platform-deps.ts";
import type { PaymentStep } from "../../marketplace/installs/pending-install.service.ts";
import type { StripeConnection } from "../../outbound/stripe.ts";
import type { Session } from "../../tenancy/sessions/session.service.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import { pageAnswer, redirectAnswer } from "../page-answer.ts";
import type { PageRouteDeps } from "../page.route.ts";
import type { Visit } from "../visit.ts";
import { unpaidInstallPage } from "./return.page.ts";

export interface CheckoutDeps extends Pick<PlatformDeps, "graceDays" | "log"> {
  readonly links: Links;
  /** Null without a payment processor. */
  readonly stripe: StripeConnection | null;
}

/** Dependencies of platform billing; refuses `platform_billing_unavailable` without a payment processor. */
export function platformDepsOf({
  database,
  clock,
  stripe,
  graceDays,
  log,
}: PageRouteDeps & CheckoutDeps): PlatformDeps {
  if (stripe === null) throw new Refusal("platform_billing_unavailable");
  return { database, clock, stripe, graceDays, log };
}

interface CheckoutStep extends PaymentStep {
  /** The name of the app. */
  readonly app: string;
}

/** Redirects to Stripe; if Stripe is unreachable, shows a page with a retry button. */
export async function leadToCheckout(
  deps: PageRouteDeps & CheckoutDeps,
  { formToken }: Pick<Visit, "formToken">,
  { email }: Session,
  { payment, path, app }: CheckoutStep,
): Promise<WholeResponse> {
  const { site, links, stripe } = deps;
  const unpaid = (status: number, fault: "unreachable" | "closed") =>
    pageAnswer(status, unpaidInstallPage(site, { formToken, app, path: site.path(path), fault }), {
      isOpened: true,
      formAction: stripe!.pageSources,
    });
  try {
    const outcome = await openCheckout(platformDepsOf(deps), payment, { email, returnUrl: links.to(path) });
    if (outcome.paid) return redirectAnswer(site.path(path));
    return outcome.url === null ? unpaid(409, "closed") : redirectAnswer(outcome.url);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "processor_unavailable") throw error;
    deps.log.warn("Stripe cannot be reached for a checkout", { error: error.cause });
    return unpaid(503, "unreachable");
  }
}
