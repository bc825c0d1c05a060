/** The input of apps: name, redirect URIs, scopes, and billing. */
import { z } from "zod";
import { name } from "../../kit/input/name.ts";
import { limits } from "../../vocabulary/limits.ts";
import { appScopeNames } from "../../vocabulary/scopes.ts";
import { billings, installTypes } from "../../vocabulary/states.ts";
import { faultOfPaymentPage } from "./payment-page.ts";
import { faultOfRedirectUri } from "./redirect-uri.ts";

/** A URL in which `faultOf` finds no error. */
function address(faultOf: (text: string) => string | undefined) {
  return z.string().check((context) => {
    const fault = faultOf(context.value);
    if (fault !== undefined) context.issues.push({ code: "custom", input: context.value, message: fault });
  });
}

/** Without duplicates, in the order given. */
function listOf<Item extends z.ZodType>(item: Item, most: number) {
  return z
    .array(item)
    .min(1)
    .max(most)
    .transform((items) => [...new Set(items)]);
}

const { priceCents, trialDays } = limits.billing;
const noPrice = `must be from ${priceCents.least} to ${priceCents.most} cents, which is USD 1.00 to 1,000.00 a month.`;
const noTrial = `must be from 0 to ${trialDays} days.`;

export const appInput = z.object({
  name: name(),
  redirect_uris: listOf(address(faultOfRedirectUri), limits.redirectUris),
  scopes: listOf(z.enum(appScopeNames), appScopeNames.length * 2),
  billing: z.enum(billings).optional(),
  install_type: z.enum(installTypes).optional(),
  payment_page_url: address(faultOfPaymentPage).optional(),
  price_cents: z
    .int({ error: noPrice })
    .min(priceCents.least, { error: noPrice })
    .max(priceCents.most, { error: noPrice })
    .optional(),
  webhook_url: z.string().trim().min(1).nullable().optional(),
  trial_days: z.int({ error: noTrial }).min(0, { error: noTrial }).max(trialDays, { error: noTrial }).optional(),
});

/** Omitted fields are unchanged. */
export const appChange = appInput.partial();

export type AppInput = z.output<typeof appInput>;
export type AppChange = z.output<typeof appChange>;
