/** Finds an OAuth client: an app by its client ID. */
import { isWellFormedSecret } from "../../kit/secrets/secret.ts";
import { forNoKeyUpdate, forShare } from "../../storage/locks.ts";
import type { Rows } from "../../storage/rows.ts";
import { sql } from "../../storage/sql-text.ts";
import type { ScopeName } from "../../vocabulary/scopes.ts";
import type { Billing, InstallType } from "../../vocabulary/states.ts";

export interface Client {
  readonly id: number;
  readonly clientId: string;
  readonly name: string;
  readonly secretHash: string;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly ScopeName[];
  /** A draft can be installed only in its own workspace. */
  readonly isDraft: boolean;
  readonly billing: Billing;
  readonly installType: InstallType;
  /** The payment page before an install; null unless billing is external. */
  readonly paymentPageUrl: string | null;
  /** What the app costs where its billing is platform: for a month, and how many days are free. */
  readonly price: { readonly cents: number; readonly trialDays: number } | null;
  /** Whether the account of its owner can take charges. */
  readonly charges_enabled: boolean;
  readonly workspaceId: number;
  /** The workspace that owns it. */
  readonly maker: string;
}

interface ClientRow {
  readonly id: number;
  readonly client_id: string;
  readonly name: string;
  readonly secret_hash: string;
  readonly redirect_uris: string;
  readonly scopes: string;
  readonly billing: Billing;
  readonly install_type: InstallType;
  readonly payment_page_url: string | null;
  readonly price_cents: number | null;
  readonly trial_days: number | null;
  readonly charges_enabled: boolean | number;
  readonly published_at: number | null;
  readonly workspace_id: number;
  readonly maker: string;
}

const selectText = `
  select a.id, a.client_id, a.name, a.secret_hash, a.redirect_uris, a.scopes, a.billing, a.install_type, a.payment_page_url,
    a.price_cents, a.trial_days, a.charges_enabled,
    a.published_at, a.workspace_id, w.name as maker
  from apps a join workspaces w on w.id = a.workspace_id`;
const byClientIdText = `${selectText} where a.client_id = ?`;
const byIdText = `${selectText} where a.id = ?`;
const lockText = sql`${byIdText}${forShare("a")}`;
const lockUnpricedText = sql`${byIdText} and a.billing <> 'platform'${forShare("a")}`;
const lockPricedText = sql`${byIdText}${forNoKeyUpdate("a")}`;

export async function findClient(rows: Rows, clientId: string): Promise<Client | undefined> {
  // Text that the database cannot store is no client ID.
  const wellFormed = isWellFormedSecret("crm_app_", clientId) ? clientId : "";
  const [row] = await rows.rows<ClientRow>(byClientIdText, [wellFormed]);
  return row && toClient(row);
}

/** The client of an app ID. */
export async function findClientOf(rows: Rows, appId: number): Promise<Client | undefined> {
  const [row] = await rows.rows<ClientRow>(byIdText, [appId]);
  return row && toClient(row);
}

/** The same, locked until the commit. */
export async function lockClientOf(rows: Rows, appId: number): Promise<Client | undefined> {
  const [row] = await rows.rows<ClientRow>(lockText, [appId]);
  return row && toClient(row);
}

/**
 * The same for what may begin a checkout: an app with platform billing is locked exclusively, since a workspace has one trial of it, and two
 * locations may begin at once.
 */
export async function lockClientForCheckout(rows: Rows, appId: number): Promise<Client | undefined> {
  const [unpriced] = await rows.rows<ClientRow>(lockUnpricedText, [appId]);
  const [row] = unpriced === undefined ? await rows.rows<ClientRow>(lockPricedText, [appId]) : [unpriced];
  return row && toClient(row);
}

function toClient(row: ClientRow): Client {
  return {
    id: row.id,
    clientId: row.client_id,
    name: row.name,
    secretHash: row.secret_hash,
    redirectUris: JSON.parse(row.redirect_uris) as string[],
    scopes: JSON.parse(row.scopes) as ScopeName[],
    isDraft: row.published_at === null,
    billing: row.billing,
    installType: row.install_type,
    paymentPageUrl: row.payment_page_url,
    price: row.price_cents === null ? null : { cents: row.price_cents, trialDays: row.trial_days ?? 0 },
    charges_enabled: Boolean(row.charges_enabled),
    workspaceId: row.workspace_id,
    maker: row.maker,
  };
}
