/** The flags of an app and its billing, for `crm apps create` and `crm apps update`. */
import { Flags } from "@oclif/core";
import { appScopeNames } from "../../src/vocabulary/scopes.ts";
import { billings, installTypes } from "../../src/vocabulary/states.ts";
import type { Billing, InstallType } from "../../src/vocabulary/states.ts";
import { readWhole } from "./flags.ts";

export const redirectUriFlag = {
  description: "A redirect URI, repeatable: https, or http on localhost.",
  multiple: true,
  multipleNonGreedy: true,
  helpValue: "URI",
} as const;

export const scopeFlag = Flags.option({
  description: "A scope that the app may request, repeatable.",
  options: appScopeNames,
  multiple: true,
  multipleNonGreedy: true,
});

export const webhookUrlFlag = {
  description: "A public https URL that is told of installs, uninstalls and subscriptions.",
  helpValue: "URL",
} as const;

/** The schema checks the limits: it knows what the number means. */
const numberFlag = Flags.custom<number>({
  parse: async (text, _context, { name }) => readWhole(text, `--${name}`, { least: 0, most: 999_999_999 }),
  helpValue: "N",
});

export const billingFlags = {
  billing: Flags.option({ description: "Its billing; none by default.", options: billings })(),
  "install-type": Flags.option({
    description: "The payer: each location, or the company once; location by default.",
    options: installTypes,
  })(),
  "payment-page-url": Flags.string({
    description: "External billing: the payment page: https, or http on loopback.",
    helpValue: "URL",
  }),
  "price-cents": numberFlag({ description: "Platform billing: price per month, 100 to 100000." }),
  "trial-days": numberFlag({ description: "Platform billing: days before the first payment, 0 to 30." }),
};

interface BillingFlags {
  readonly billing?: Billing | undefined;
  readonly "install-type"?: InstallType | undefined;
  readonly "payment-page-url"?: string | undefined;
  readonly "price-cents"?: number | undefined;
  readonly "trial-days"?: number | undefined;
}

/** The flags as API fields. */
export function toBillingFields(flags: BillingFlags) {
  return {
    billing: flags.billing,
    install_type: flags["install-type"],
    payment_page_url: flags["payment-page-url"],
    price_cents: flags["price-cents"],
    trial_days: flags["trial-days"],
  };
}
