/** The API representation of an app, also with its secret, when it is generated. */
import { z } from "zod";
import { toNullableTimestamp, toTimestamp } from "../../kit/time/timestamp.ts";
import { scopeNames } from "../../vocabulary/scopes.ts";
import type { ScopeName } from "../../vocabulary/scopes.ts";
import { billings, installTypes } from "../../vocabulary/states.ts";
import type { Billing, InstallType } from "../../vocabulary/states.ts";

export const appView = z
  .object({
    id: z.int(),
    name: z.string(),
    client_id: z.string(),
    secret_last_four: z.string(),
    status: z.enum(["draft", "published"]),
    redirect_uris: z.array(z.string()),
    scopes: z.array(z.enum(scopeNames)),
    billing: z.enum(billings),
    install_type: z.enum(installTypes),
    payment_page_url: z.string().nullable().describe("Only for external billing."),
    price_cents: z.int().nullable().describe("Only for platform billing."),
    trial_days: z.int().nullable(),
    webhook_url: z.string().nullable().describe("Where it is told of its installs and subscriptions."),
    webhook_id: z.int().nullable().describe("The webhook with that target, whose deliveries can be listed."),
    published_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "App", description: "A marketplace app, as seen by its owner." });

/** Only where the change made the webhook. */
const webhookSecret = {
  webhook_secret: z.string().optional().describe("Signs every delivery. It is shown only once."),
};

export const changedAppView = appView
  .extend(webhookSecret)
  .meta({ id: "ChangedApp", description: "A marketplace app that was changed." });

export const newAppView = appView
  .omit({ secret_last_four: true })
  .extend({ client_secret: z.string().describe("It is shown only once, and stored nowhere."), ...webhookSecret })
  .meta({ id: "NewApp", description: "A marketplace app with its secret." });

export type AppView = z.output<typeof appView>;
export type ChangedAppView = z.output<typeof changedAppView>;
export type NewAppView = z.output<typeof newAppView>;

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
  readonly webhook_url: string | null;
  readonly webhook_id: number | null;
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
    webhook_url: row.webhook_url,
    webhook_id: row.webhook_id,
    published_at: toNullableTimestamp(row.published_at),
    created_at: toTimestamp(row.created_at),
  };
}

interface AppSecrets {
  readonly client: string;
  /** Null unless a webhook was made. */
  readonly webhook?: string | null;
}

export function toNewAppView(app: AppView, { client, webhook = null }: AppSecrets): NewAppView {
  const { id, name, client_id, secret_last_four: _, ...rest } = app;
  return { id, name, client_id, client_secret: client, ...rest, ...withWebhookSecret(webhook) };
}

export function withWebhookSecret(secret: string | null): { webhook_secret?: string } {
  return secret === null ? {} : { webhook_secret: secret };
}
