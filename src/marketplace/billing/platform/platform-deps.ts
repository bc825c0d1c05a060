/** What platform billing works with, outside of a request: the database, the clock, Stripe. */
import type { Clock } from "../../../kit/time/clock.ts";
import type { StripeConnection } from "../../../outbound/stripe.ts";
import type { Database } from "../../../storage/database.ts";

export interface PlatformDeps {
  readonly database: Pick<Database, "rows" | "rowsOnce" | "transaction">;
  readonly clock: Clock;
  readonly stripe: StripeConnection;
  /** CRM_BILLING_GRACE_DAYS. */
  readonly graceDays: number;
  readonly log: {
    readonly warn: (message: string, fields: object) => void;
    readonly error: (message: string, fields: object) => void;
  };
}
