/** Reads how installs of apps with platform billing are paid. */
import { placeholders } from "../../../storage/rows.ts";
import type { Rows } from "../../../storage/rows.ts";
import type { SubscriptionStatus } from "../../../vocabulary/states.ts";
import { isOpenPrice } from "./price/open-price.ts";

export interface InstallPayment {
  readonly status: SubscriptionStatus;
  readonly priceCents: number | null;
  /** The end of the paid or free period. */
  readonly periodEndsAt: Date | null;
  /** From when an unpaid app's requests are refused; null while it is paid. */
  readonly dueAt: Date | null;
  /** The announced price, if one is to come. */
  readonly next: { readonly priceCents: number; readonly from: Date } | null;
}

interface PaymentRow {
  readonly install_id: number;
  readonly stripe_status: SubscriptionStatus;
  readonly price_cents: number | null;
  readonly period_ends_at: number | null;
  readonly payment_due_at: number | null;
  readonly next_cents: number | null;
  readonly next_due_at: number | null;
}

const selectText = `select i.id as install_id, s.stripe_status, s.price_cents, s.period_ends_at, i.payment_due_at,
    k.amount_cents as next_cents, k.due_at as next_due_at
  from app_installs i join locations l on l.id = i.location_id
    join app_subscriptions s on s.app_id = i.app_id and s.workspace_id = l.workspace_id and (s.location_id = i.location_id or s.location_id is null)
    left join stripe_calls k on k.app_subscription_id = s.id and ${isOpenPrice("k")} and k.notified_at is not null
  where i.uninstalled_at is null and s.stripe_id is not null and s.canceled_at is null and i.location_id in`;

/** The payments of the current installs in these locations, by install id. */
export async function findInstallPayments(
  rows: Rows,
  locationIds: readonly number[],
): Promise<ReadonlyMap<number, InstallPayment>> {
  if (locationIds.length === 0) return new Map();
  const found = await rows.rowsOnce<PaymentRow>(`${selectText} (${placeholders(locationIds.length)})`, locationIds);
  return new Map(found.map((row) => [row.install_id, toInstallPayment(row)]));
}

function toInstallPayment(row: PaymentRow): InstallPayment {
  const { next_cents: priceCents, next_due_at: from } = row;
  return {
    status: row.stripe_status,
    priceCents: row.price_cents,
    periodEndsAt: toDate(row.period_ends_at),
    dueAt: toDate(row.payment_due_at),
    next: priceCents === null || from === null ? null : { priceCents, from: new Date(from) },
  };
}

function toDate(time: number | null): Date | null {
  return time === null ? null : new Date(time);
}
