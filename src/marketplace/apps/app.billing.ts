/** Billing of an app, and its allowed changes. */
import { Invalid, Refusal } from "../../vocabulary/errors.ts";
import type { FieldErrors } from "../../vocabulary/errors.ts";
import type { Billing, InstallType } from "../../vocabulary/states.ts";

export interface AppBilling {
  readonly billing: Billing;
  readonly install_type: InstallType;
  /** Only for external billing. */
  readonly payment_page_url: string | null;
  /** Only for platform billing. */
  readonly price_cents: number | null;
  readonly trial_days: number | null;
}

/** Omitted fields are unchanged. */
export type BillingChange = { readonly [Field in keyof AppBilling]?: AppBilling[Field] | null | undefined };

export const free: AppBilling = {
  billing: "none",
  install_type: "location",
  payment_page_url: null,
  price_cents: null,
  trial_days: null,
};

/** Fields of one kind of billing, cleared with it. */
const owners = { payment_page_url: "external", price_cents: "platform", trial_days: "platform" } as const;

/**
 * What `current` becomes. Refuses `billing_locked`: a published app keeps platform billing, neither external billing at once nor by way
 * of none; then, by field, what is missing or belongs to other billing; and at last what `requireBillable` refuses, where it would go there.
 */
export function changeBilling(
  current: AppBilling & Partial<OwnerAccount>,
  given: BillingChange,
  { isPublished, hasProcessor }: { readonly isPublished: boolean; readonly hasProcessor: boolean },
): AppBilling {
  const billing = given.billing ?? current.billing;
  if (isPublished && current.billing === "platform" && billing !== "platform") throw new Refusal("billing_locked");
  const changed: AppBilling = {
    billing,
    install_type: given.install_type ?? current.install_type,
    payment_page_url: billing === "external" ? (given.payment_page_url ?? current.payment_page_url) : null,
    price_cents: billing === "platform" ? (given.price_cents ?? current.price_cents) : null,
    trial_days: billing === "platform" ? (given.trial_days ?? current.trial_days ?? 0) : null,
  };
  const errors = findErrors(changed, given);
  if (Object.keys(errors).length > 0) throw new Invalid(errors);
  if (isPublished && current.billing !== "platform") requireBillable({ ...current, ...changed }, hasProcessor);
  return changed;
}

/** What Stripe says of the account to which the app's owner is paid. */
interface OwnerAccount {
  readonly charges_enabled: boolean;
}

/**
 * Refuses what cannot be charged for: `platform_billing_unavailable` without a payment processor, `platform_account_incomplete` where the owner's
 * account cannot take charges.
 */
export function requireBillable(
  { billing, charges_enabled = false }: Pick<AppBilling, "billing"> & Partial<OwnerAccount>,
  hasProcessor: boolean,
): void {
  if (billing !== "platform") return;
  if (!hasProcessor) throw new Refusal("platform_billing_unavailable");
  if (!charges_enabled) throw new Refusal("platform_account_incomplete");
}

function findErrors(changed: AppBilling, given: BillingChange): FieldErrors {
  const errors: FieldErrors = {};
  for (const [field, owner] of Object.entries(owners) as [keyof typeof owners, Billing][]) {
    const name = `The ${field.replaceAll("_", " ")} field`;
    if (changed.billing === owner && changed[field] === null) {
      errors[field] = [`${name} is required where billing is ${owner}.`];
    } else if (changed.billing !== owner && (given[field] ?? null) !== null) {
      errors[field] = [`${name} belongs to ${owner} billing alone.`];
    }
  }
  return errors;
}
