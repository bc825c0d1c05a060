/** Whether a subscription was voided (void.service.ts): the call that ends it at Stripe has a key of its own. */
import type { Rows } from "../../../storage/rows.ts";

export function voidKey(stripeSubscriptionId: string): string {
  return `void-${stripeSubscriptionId}`;
}

/** Asked after the statement that locks the subscription, which may have waited for the voiding and does not see it. */
export async function isVoided({ rows }: Pick<Rows, "rows">, stripeSubscriptionId: string): Promise<boolean> {
  return (await rows("select id from stripe_calls where key = ?", [voidKey(stripeSubscriptionId)])).length > 0;
}
