/** An app as its makers see it, and as it is shown the one time that its secret is whole. */
import { toNullableTimestamp, toTimestamp } from "../../kit/time/timestamp.ts";
import type { ScopeName } from "../../vocabulary/scopes.ts";

export interface AppView {
  readonly id: number;
  readonly name: string;
  readonly client_id: string;
  readonly secret_last_four: string;
  readonly status: "draft" | "published";
  readonly redirect_uris: readonly string[];
  readonly scopes: readonly ScopeName[];
  /** Nobody pays for an app through this service yet. */
  readonly billing: "none";
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
    billing: "none",
    published_at: toNullableTimestamp(row.published_at),
    created_at: toTimestamp(row.created_at),
  };
}

export function toNewAppView(app: AppView, clientSecret: string): NewAppView {
  const { id, name, client_id, status, redirect_uris, scopes, billing, published_at, created_at } = app;
  return {
    id,
    name,
    client_id,
    client_secret: clientSecret,
    status,
    redirect_uris,
    scopes,
    billing,
    published_at,
    created_at,
  };
}
