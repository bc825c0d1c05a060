/** The dependencies of platform billing outside a request: database, clock, Stripe, log. */
import type { Clock } from "../../../kit/time/clock.ts";
import type { StripeConnection } from "../../../outbound/stripe.ts";
import type { Caller } from "../../../events/caller.ts";
import type { Network } from "../../../operation/network.ts";
import type { Rows, Writer } from "../../../storage/rows.ts";
import { Refusal } from "../../../vocabulary/errors.ts";

export interface PlatformDeps {
  readonly database: Rows & {
    /** Transactions do not nest. */
    transaction<Result>(work: (change: Writer) => Promise<Result>): Promise<Result>;
  };
  readonly clock: Clock;
  readonly stripe: StripeConnection;
  /** `CRM_BILLING_GRACE_DAYS`: days from a failed payment to 402. */
  readonly graceDays: number;
  readonly log: {
    readonly warn: (message: string, fields: object) => void;
    readonly error: (message: string, fields: object) => void;
  };
}

const silent = () => {};

/** The dependencies of an operation; it logs nothing, since its result reports errors. Refuses `platform_billing_unavailable` without Stripe. */
export function depsOfCaller(caller: Caller, { stripe }: Pick<Network, "stripe">): PlatformDeps {
  const { tools } = caller;
  if (stripe === null || tools.platformBilling === null) throw new Refusal("platform_billing_unavailable");
  return {
    database: { rows: caller.rows, rowsOnce: caller.rowsOnce, transaction: (work) => caller.change(work) },
    clock: tools.clock,
    stripe,
    graceDays: tools.platformBilling.graceDays,
    log: { warn: silent, error: silent },
  };
}
