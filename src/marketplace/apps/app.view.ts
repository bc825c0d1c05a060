/** An app as its makers see it, and as it is shown the one time that its secret is whole. */
import { toNullableTimestamp, toTimestamp } from "../../kit/time/timestamp.ts";
import type { ScopeName } from "../../vocabulary/scopes.ts";
import type { Billing, InstallType } from "../../vocabulary/states.ts";
import type { AppBilling } from "./app.billing.ts";

export interface AppView extends AppBilling {
  readonly id: number;
  readonly name: string;
  readonly client_id: string;
  readonly secret_last_four: string;
  readonly status: "draft" | "published";
  readonly redirect_uris: readonly string[];
  readonly scopes: readonly ScopeName[];
  readonly published_at: string | null;
  readonly created_at: string;
}

/** `client_secret` is shown this once and stored nowhere. */
export interface NewAppView extends Omit<AppView, "secret_last_four"> {
  readonly client_secret: string;
}

export interface AppRow {
  readonly id: number;
  readonly name: string;
  readonly client_id: string;
  readonly secret_last_four: string;
  readonly redirect_uris: string;
  readonly scopes: string;
  readonly billing: Billing;
  readonly install_type: InstallType;
  readonly payment_page_url: string | null;
  readonly price_cents: number | null;
  readonly trial_days: number | null;
  readonly published_at: number | null;
  readonly created_at: number;
}

export function toAppView(row: AppRow): AppView {
  return {
    id: row.id,
    name: row.name,
    client_id: row.client_id,
    secret_last_four: row.secret_last_four,
    status: row.published_at === null ? "draft" : "published",
    redirect_uris: JSON.parse(row.redirect_uris) as string[],
    scopes: JSON.parse(row.scopes) as ScopeName[],
    billing: row.billing,
    install_type: row.install_type,
    payment_page_url: row.payment_page_url,
    price_cents: row.price_cents,
    trial_days: row.trial_days,
    published_at: toNullableTimestamp(row.published_at),
    created_at: toTimestamp(row.created_at),
  };
}

export function toNewAppView(app: AppView, clientSecret: string): NewAppView {
  const { id, name, client_id, secret_last_four: _, ...rest } = app;
  return { id, name, client_id, client_secret: clientSecret, ...rest };
}
