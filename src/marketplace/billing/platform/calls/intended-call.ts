/** A recorded call to Stripe that a duty performs, and what performing it takes. */
import type { Links } from "../../../../kit/links.ts";
import type { Mailer } from "../../../../mail/mailer.ts";
import type { PlatformDeps } from "../platform-deps.ts";

export interface CallDeps extends PlatformDeps {
  /** Sends the service's account mails; null without `CRM_SMTP_URL`. */
  readonly mailer: Mailer | null;
  /** URLs of this service, for mails. */
  readonly links: Links;
}

/** The kinds that a duty performs. Reversals and transfers are performed while their dispute or refund is recorded. */
export type DutyKind = "refund" | "cancel" | "resume" | "end" | "price" | "notice" | "void";

export interface IntendedCall {
  readonly id: number;
  readonly kind: DutyKind;
  readonly key: string;
  readonly subject: string;
  readonly amount_cents: number | null;
  readonly reason: string | null;
  /** Of a refund: the transfer that Stripe reverses with it. */
  readonly transfer_id: string | null;
  readonly attempts: number;
  readonly due_at: number;
  /** When the payer was mailed about a price change; null before. */
  readonly notified_at: number | null;
}
