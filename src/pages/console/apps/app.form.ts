/** The form of an app: what was typed, and the input of its operations. */
import { z } from "zod";
import type { AppView } from "../../../marketplace/apps/app.view.ts";
import { parseDollars } from "../../../kit/input/money.ts";
import type { ScopeName } from "../../../vocabulary/scopes.ts";
import { billings, installTypes } from "../../../vocabulary/states.ts";
import type { Billing, InstallType } from "../../../vocabulary/states.ts";
import type { FieldFaults } from "../../parts/forms/faults.ts";

/** As typed. */
export interface AppForm {
  /** The one-time id of the form. */
  readonly once: string;
  readonly name: string;
  /** One URI per line. */
  readonly redirect_uris: string;
  readonly scopes: readonly string[];
  readonly install_type: InstallType;
  readonly billing: Billing;
  readonly payment_page_url: string;
  /** In units of the currency, such as `29` or `29.00`. */
  readonly price: string;
  readonly trial_days: string;
  /** Empty for no webhook. */
  readonly webhook_url: string;
}

export function emptyAppForm(once: string): AppForm {
  return {
    once,
    name: "",
    redirect_uris: "",
    scopes: [],
    install_type: "location",
    billing: "none",
    payment_page_url: "",
    price: "",
    trial_days: "",
    webhook_url: "",
  };
}

export function appFormOf(app: AppView): AppForm {
  return {
    once: "",
    name: app.name,
    redirect_uris: app.redirect_uris.join("\n"),
    scopes: app.scopes,
    install_type: app.install_type,
    billing: app.billing,
    payment_page_url: app.payment_page_url ?? "",
    price: app.price_cents === null ? "" : (app.price_cents / 100).toFixed(2),
    trial_days: app.trial_days === null ? "" : String(app.trial_days),
    webhook_url: app.webhook_url ?? "",
  };
}

/** Unknown choices become the first one, as a browser without the field sends it. */
const billing = z.enum(billings).catch("none");
const installType = z.enum(installTypes).catch("location");

export function readAppForm(fields: URLSearchParams): AppForm {
  const text = (name: string) => fields.get(name) ?? "";
  return {
    once: text("once"),
    name: text("name"),
    redirect_uris: text("redirect_uris"),
    scopes: fields.getAll("scopes"),
    install_type: installType.parse(fields.get("install_type")),
    billing: billing.parse(fields.get("billing")),
    payment_page_url: text("payment_page_url"),
    price: text("price"),
    trial_days: text("trial_days"),
    webhook_url: text("webhook_url"),
  };
}

/** Fields of other billing than the chosen one are left out: a browser sends them although they are hidden. */
export function toAppInput(typed: AppForm) {
  const trimmed = (text: string) => text.trim();
  return {
    name: typed.name,
    redirect_uris: typed.redirect_uris.split(/\r?\n/).map(trimmed).filter(Boolean),
    // Refused where one is unknown.
    scopes: typed.scopes as ScopeName[],
    install_type: typed.install_type,
    billing: typed.billing,
    webhook_url: trimmed(typed.webhook_url) || null,
    ...(typed.billing === "external" && { payment_page_url: trimmed(typed.payment_page_url) }),
    ...(typed.billing === "platform" && {
      price_cents: parseDollars(typed.price) ?? Number.NaN,
      ...(typed.trial_days.trim() !== "" && { trial_days: toNumber(typed.trial_days) }),
    }),
  };
}

/** NaN, which the operation refuses, for text that is no whole number. */
function toNumber(text: string): number {
  return /^[0-9]{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN;
}

/** Faults of the operation at the fields of the form. */
export function toAppFaults({ price_cents: price, ...faults }: FieldFaults): FieldFaults {
  return price === undefined ? faults : { ...faults, price };
}
