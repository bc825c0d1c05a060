/** What platform billing works with, outside of a request: the database, the clock, Stripe. */
import type { Clock } from "../../../kit/time/clock.ts";
import type { StripeConnection } from "../../../outbound/stripe.ts";
import type { Caller } from "../../../events/caller.ts";
import type { Network } from "../../../operation/network.ts";
import type { Rows, Writer } from "../../../storage/rows.ts";
import { Refusal } from "../../../vocabulary/errors.ts";

export interface PlatformDeps {
  readonly database: Rows & {
    /** Never inside of another one. */
    transaction<Result>(work: (change: Writer) => Promise<Result>): Promise<Result>;
  };
  readonly clock: Clock;
  readonly stripe: StripeConnection;
  /** CRM_BILLING_GRACE_DAYS. */
  readonly graceDays: number;
  readonly log: {
    readonly warn: (message: string, fields: object) => void;
    readonly error: (message: string, fields: object) => void;
  };
}

const silent = () => {};

/** The same for an operation, whose result says what went wrong. Refuses `platform_billing_unavailable` without a payment processor. */
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
